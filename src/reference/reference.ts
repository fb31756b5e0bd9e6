import { FairleadError } from "../core/error.ts";
import { excerpt } from "../core/escape.ts";
import { maxPathLength, referencePattern } from "./grammar.ts";
import { explainInvalidReference, imageIdPattern, maxReferenceLength } from "./invalid-reference.ts";
import { dockerHub, isRegistryComponent } from "./registry-host.ts";

/** The namespace of Docker Hub's official images. */
const officialPrefix = "library/";

/** An image reference as data. It is immutable; parts that were not written are absent. */
export interface ImageReference {
  /**
   * Normalised `host[:port]`, `docker.io` for Docker Hub. Empty for the rare name whose first component has a
   * dot and yet is no host, such as `my_mirror.example/app`: distribution/reference takes it for a path.
   */
  readonly registry: string;
  /** Normalised path within the registry; Docker Hub's official images have `library/`. */
  readonly path: string;
  readonly tag?: string;
  /** `algorithm:hex`. */
  readonly digest?: string;
  /** The registry as written; absent where none was written. */
  readonly writtenRegistry?: string;
  /** The path as written: without registry, tag and digest, and with no `library/` added. */
  readonly writtenPath: string;
}

/**
 * Parses an image reference such as `nginx:1.27` or `quay.io/org/app:v1@sha256:…`, and normalises registry
 * and path as distribution/reference's ParseNormalizedNamed does. No default tag is added.
 * @throws FairleadError `reference-invalid`; message as in document 002 (§6.1.1), hint on what is wrong.
 */
export function parseReference(text: string): ImageReference {
  const reference = tryParseReference(text);
  if (reference === undefined) {
    throw new FairleadError(
      "reference-invalid",
      `Cannot parse image reference '${excerpt(text)}': invalid format`,
      { hint: explainInvalidReference(text) },
    );
  }
  return reference;
}

/** {@link parseReference}, with undefined for a text that is no image reference. */
export function tryParseReference(text: string): ImageReference | undefined {
  if (text.length > maxReferenceLength || imageIdPattern.test(text)) return undefined;
  const groups = referencePattern.exec(text)?.groups;
  const matchedPath = groups?.["path"];
  if (groups === undefined || matchedPath === undefined) return undefined;
  const { host, tag, digest } = groups;
  const writtenRegistry = host !== undefined && isRegistryComponent(host) ? host : undefined;
  const writtenPath = host === writtenRegistry ? matchedPath : `${host}/${matchedPath}`;
  const registry = normaliseRegistry(writtenRegistry, writtenPath);
  const isOfficial = registry === dockerHub && !writtenPath.includes("/");
  const path = isOfficial ? `${officialPrefix}${writtenPath}` : writtenPath;
  if (path.length > maxPathLength) return undefined;
  return {
    registry,
    path,
    ...(tag === undefined ? {} : { tag }),
    ...(digest === undefined ? {} : { digest }),
    ...(writtenRegistry === undefined ? {} : { writtenRegistry }),
    writtenPath,
  };
}

function normaliseRegistry(writtenRegistry: string | undefined, writtenPath: string): string {
  if (writtenRegistry === "index.docker.io") return dockerHub;
  if (writtenRegistry !== undefined) return writtenRegistry;
  const slash = writtenPath.indexOf("/");
  return slash > 0 && isRegistryComponent(writtenPath.slice(0, slash)) ? "" : dockerHub;
}

/** The canonical text, `registry/path[:tag][@digest]`; parsing it gives the same parts again. */
export function formatReference(reference: ImageReference): string {
  return joinReference(reference.registry, reference.path, reference);
}

/**
 * The text as Docker shows it: `docker.io/` and `library/` are dropped. It is for people: the short form of
 * `docker.io/example.com/app` names another image.
 */
export function formatFamiliar(reference: ImageReference): string {
  if (reference.registry !== dockerHub) return formatReference(reference);
  const official = /^library\/(?<name>[^/]+)$/u.exec(reference.path)?.groups?.["name"];
  return joinReference("", official ?? reference.path, reference);
}

/** The text as it was written. */
export function formatWritten(reference: ImageReference): string {
  return joinReference(reference.writtenRegistry ?? "", reference.writtenPath, reference);
}

/** The reference with the tag `latest` where it has neither tag nor digest. */
export function withDefaultTag(reference: ImageReference): ImageReference {
  return reference.tag === undefined && reference.digest === undefined
    ? { ...reference, tag: "latest" }
    : reference;
}

/** Parts a reference may end in. */
interface ReferenceSuffix {
  readonly tag?: string | undefined;
  readonly digest?: string | undefined;
}

/** Joins parts to `[registry/]path[:tag][@digest]` without looking at them. */
export function joinReference(registry: string, path: string, { tag, digest }: ReferenceSuffix): string {
  const name = registry === "" ? path : `${registry}/${path}`;
  return name + (tag === undefined ? "" : `:${tag}`) + (digest === undefined ? "" : `@${digest}`);
}
