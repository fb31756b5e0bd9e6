import { FairleadError } from "../core/error.ts";
import { excerpt } from "../core/escape.ts";
import { isDigest } from "../reference/digest.ts";
import { formatFamiliar, type ImageReference } from "../reference/reference.ts";
import { isObject, parseJsonObject } from "./json-body.ts";
import { isIndexType } from "./media-types.ts";
import type { Manifest, ManifestDescriptor, RegistryClient, RequestOptions } from "./registry-api.ts";

/** What an image runs on, in Go's words. */
export interface Platform {
  readonly os: string;
  readonly architecture: string;
  /** Of the architecture, such as `v7` of arm; undefined: any. */
  readonly variant?: string;
}

const maxConfigBytes = 4 * 1024 * 1024;

/** Names that people and `uname` use, in Go's words (containerd's platforms). */
const architectures: Readonly<Record<string, string>> = {
  x86_64: "amd64",
  "x86-64": "amd64",
  aarch64: "arm64",
  i386: "386",
};

/**
 * Reads `os/architecture[/variant]`, such as `linux/arm/v7`.
 * @throws FairleadError `input-invalid`
 */
export function parsePlatform(text: string): Platform {
  const { os, architecture, variant } =
    /^(?<os>[a-z\d]+)\/(?<architecture>[\w-]+)(?:\/(?<variant>[\w.]+))?$/u.exec(text.toLowerCase())?.groups ??
    {};
  if (os === undefined || architecture === undefined) {
    throw new FairleadError("input-invalid", `Invalid platform '${excerpt(text)}'`, {
      hint: "a platform is os/architecture[/variant], such as linux/amd64 or linux/arm/v7",
    });
  }
  return {
    os,
    architecture: Object.hasOwn(architectures, architecture)
      ? (architectures[architecture] ?? architecture)
      : architecture,
    ...(variant === undefined ? {} : { variant }),
  };
}

/** `os/architecture[/variant]`. */
export function formatPlatform({ os, architecture, variant }: Platform): string {
  return [os, architecture, variant].filter((part) => part !== undefined).join("/");
}

/**
 * The image of a reference for one platform: the first of its index that fits, or the image itself where the
 * reference names no index and the image says that it is for this platform.
 * @throws FairleadError `image-not-found` when there is none, with the platforms that there are
 */
export async function findForPlatform(
  client: RegistryClient,
  reference: ImageReference,
  platform: Platform,
  options: RequestOptions = {},
): Promise<ManifestDescriptor> {
  const manifest = await client.getManifest(reference, options);
  const choices = isIndexType(manifest.mediaType)
    ? readIndex(manifest)
    : [{ ...descriptorOf(manifest), platform: await imagePlatform(client, reference, manifest, options) }];
  const found = choices.find((choice) => choice.platform !== undefined && fits(choice.platform, platform));
  if (found !== undefined) return descriptorOf(found);
  const known = choices.flatMap((choice) =>
    choice.platform === undefined ? [] : [formatPlatform(choice.platform)],
  );
  throw new FairleadError(
    "image-not-found",
    `${formatFamiliar(reference)} has no image for ${formatPlatform(platform)}`,
    { hint: known.length === 0 ? undefined : `it has ${excerpt([...new Set(known)].join(", "))}` },
  );
}

interface PlatformChoice extends ManifestDescriptor {
  readonly platform: Platform | undefined;
}

function descriptorOf({ mediaType, digest, size }: ManifestDescriptor): ManifestDescriptor {
  return { mediaType, digest, size };
}

function fits(offered: Platform, wanted: Platform): boolean {
  if (offered.os !== wanted.os || offered.architecture !== wanted.architecture) return false;
  return wanted.variant === undefined || variantOf(offered) === wanted.variant;
}

/** Images for arm64 and arm say nothing where they are of the common variant (containerd's platforms). */
function variantOf({ architecture, variant }: Platform): string | undefined {
  return variant ?? ({ arm64: "v8", arm: "v7" } as Readonly<Record<string, string>>)[architecture];
}

function readIndex(index: Manifest): readonly PlatformChoice[] {
  const manifests = parseJsonObject(index.bytes, "the registry")["manifests"];
  if (!Array.isArray(manifests)) throw new FairleadError("registry-failed", "the index lists no manifests");
  return manifests.filter(isObject).flatMap((entry) => {
    const { mediaType, digest, size, platform } = entry;
    if (typeof mediaType !== "string" || typeof digest !== "string" || !isDigest(digest)) return [];
    if (typeof size !== "number" || isIndexType(mediaType)) return [];
    return [{ mediaType, digest, size, platform: tryReadPlatform(platform) }];
  });
}

/** The platform that an image's configuration names; undefined for an artifact that has none. */
async function imagePlatform(
  client: RegistryClient,
  repository: ImageReference,
  manifest: Manifest,
  options: RequestOptions,
): Promise<Platform | undefined> {
  const config = parseJsonObject(manifest.bytes, "the registry")["config"];
  const digest = isObject(config) ? config["digest"] : undefined;
  if (typeof digest !== "string" || !isDigest(digest)) return undefined;
  const bytes = await client.getBlob(repository, digest, { ...options, maxBytes: maxConfigBytes });
  return tryReadPlatform(parseJsonObject(bytes, "the registry"));
}

function tryReadPlatform(value: unknown): Platform | undefined {
  if (!isObject(value)) return undefined;
  const { os, architecture, variant } = value;
  if (typeof os !== "string" || typeof architecture !== "string" || os === "") return undefined;
  return { os, architecture, ...(typeof variant === "string" && variant !== "" ? { variant } : {}) };
}
