import { FairleadError } from "../core/error.ts";
import { isDigest, parseDigest } from "../reference/digest.ts";
import { formatReference, type ImageReference, withDefaultTag } from "../reference/reference.ts";
import { digestOf, verifyDigest } from "./content-digest.ts";
import { tryParseJsonObject } from "./json-body.ts";
import { manifestTypes } from "./media-types.ts";
import type { Manifest, ManifestDescriptor } from "./registry-api.ts";
import type { RegistrySession, RepositoryAnswer, RepositoryRequest } from "./registry-session.ts";
import type { Call } from "./transport/call.ts";
import { describeUrl, isSuccess } from "./transport/http-exchange.ts";

/** What registries have to take, and what they may refuse (distribution specification, pushing manifests). */
const maxManifestBytes = 4 * 1024 * 1024;

/**
 * The descriptor of a manifest or index, by HEAD; by GET where the registry does not do HEAD, or does not say
 * what is asked. A reference without tag and digest means `latest`.
 * @throws FairleadError `image-not-found`, `registry-failed` for a digest that is not the one asked for
 */
export async function headManifest(
  session: RegistrySession,
  reference: ImageReference,
  call: Call,
): Promise<ManifestDescriptor> {
  const answer = await session.send(reference, manifestRequest("HEAD", reference), call);
  if (!isSuccess(answer) && answer.status !== 405 && answer.status !== 501) throw answer.failure();
  const descriptor = isSuccess(answer) ? tryDescribe(answer) : undefined;
  if (descriptor === undefined) {
    const { mediaType, digest, size } = await getManifest(session, reference, call);
    return { mediaType, digest, size };
  }
  checkDigest(descriptor.digest, reference, answer);
  return descriptor;
}

/**
 * A manifest or index, checked against the digest asked for and the one that the registry gives.
 * @throws FairleadError `image-not-found`, `registry-failed` where a digest differs
 */
export async function getManifest(
  session: RegistrySession,
  reference: ImageReference,
  call: Call,
): Promise<Manifest> {
  const answer = await session.send(reference, manifestRequest("GET", reference), call);
  if (!isSuccess(answer)) throw answer.failure();
  const { body } = answer;
  const source = describeUrl(answer.url);
  const given = answer.headers["docker-content-digest"];
  if (reference.digest !== undefined) verifyDigest(body, reference.digest, source);
  if (given !== undefined && isDigest(given)) verifyDigest(body, given, source);
  const digest =
    reference.digest ?? (given !== undefined && isDigest(given) ? given : digestOf(body, "sha256"));
  return { mediaType: mediaTypeOf(answer), digest, size: body.length, bytes: body };
}

function manifestRequest(method: "GET" | "HEAD", reference: ImageReference): RepositoryRequest {
  const { path, tag = "", digest } = withDefaultTag(reference);
  if (digest !== undefined) parseDigest(digest);
  const url = `/v2/${path}/manifests/${digest ?? tag}`;
  return { method, url, accept: manifestTypes.join(", "), maxBytes: maxManifestBytes };
}

function tryDescribe({ headers }: RepositoryAnswer): ManifestDescriptor | undefined {
  const digest = headers["docker-content-digest"];
  const mediaType = contentType(headers["content-type"]);
  const size = Number(headers["content-length"] ?? Number.NaN);
  if (digest === undefined || !isDigest(digest) || mediaType === undefined || !Number.isSafeInteger(size)) {
    return undefined;
  }
  return { mediaType, digest, size };
}

/** A registry may answer with the digest by another algorithm, which only the content can be held against. */
function checkDigest(given: string, reference: ImageReference, { url }: RepositoryAnswer): void {
  const { digest } = reference;
  if (digest === undefined || parseDigest(digest).algorithm !== parseDigest(given).algorithm) return;
  if (given !== digest) {
    throw new FairleadError(
      "registry-failed",
      `${describeUrl(url)} gives ${given} for ${formatReference(reference)}`,
    );
  }
}

function mediaTypeOf({ headers, body, url }: RepositoryAnswer): string {
  const written = tryParseJsonObject(body)?.["mediaType"];
  const inside = typeof written === "string" ? contentType(written) : undefined;
  const outside = contentType(headers["content-type"]);
  const mediaType = outside ?? inside;
  // A manifest that is an index to some readers and an image to others is an attack (CVE-2021-41190).
  if (mediaType === undefined || (inside !== undefined && outside !== undefined && inside !== outside)) {
    throw new FairleadError(
      "registry-failed",
      `${describeUrl(url)} does not say what kind of manifest it sends`,
    );
  }
  return mediaType;
}

/** A media type that says something, without its parameters. */
function contentType(header: string | undefined): string | undefined {
  const type = (header ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (!/^[\w.+-]+\/[\w.+-]+$/u.test(type)) return undefined;
  return ["text/plain", "application/octet-stream", "application/json"].includes(type) ? undefined : type;
}
