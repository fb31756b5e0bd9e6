import { FairleadError } from "../../../core/error.ts";
import { fromImageSpec, type ImageSpec, toImageSpec } from "../../../reference/image-spec.ts";
import {
  formatReference,
  type ImageReference,
  tryParseReference,
  withDefaultTag,
} from "../../../reference/reference.ts";
import type { StoredImage } from "../image-service.ts";
import type { CriReceived } from "./cri-api.ts";

/** What a runtime knows of an image. */
export type CriImage = CriReceived<"Image">;

/**
 * The reference to give a runtime: registry, path and a tag or digest. Anything less is taken for the beginning of an
 * ID, and an empty text for any image.
 * @throws FairleadError `image-format-unsupported` for an ACI, else `reference-invalid`
 */
export function referenceOf(spec: ImageSpec): ImageReference {
  if (spec.dockerImage === undefined) {
    throw new FairleadError("image-format-unsupported", "the container runtime takes no ACI", {
      hint: "Give the image as a dockerImage, or let an image service with the format aci have it.",
    });
  }
  const reference = withDefaultTag(fromImageSpec(spec));
  if (reference.registry === "") {
    throw new FairleadError(
      "reference-invalid",
      `the first part of '${reference.path}' is neither a host nor part of a path to a runtime`,
    );
  }
  return reference;
}

/** The text for a runtime. The digest says all, and runtimes drop a tag beside it. */
export function runtimeName(reference: ImageReference): string {
  const { tag: _, ...untagged } = reference;
  return formatReference(reference.digest === undefined ? reference : untagged);
}

/** A reference as its tag alone names it. */
export function withoutDigest(reference: ImageReference): ImageReference {
  const { digest: _, ...tagged } = reference;
  return tagged;
}

/**
 * How an image of a runtime has the name that a reference gives it. A runtime finds `repository:other@digest` by the
 * digest alone; here the tag must fit too, unless the image has no tag, as when it was pulled by its digest.
 */
export function howNamed(image: CriImage, reference: ImageReference): "named" | "untagged" | "not named" {
  const own = namesOf(image).filter((name) => isSameRepository(name, reference));
  const { tag, digest } = reference;
  if (digest !== undefined && !own.some((name) => name.digest === digest)) return "not named";
  const tags = own.flatMap((name) => name.tag ?? []);
  if (tag === undefined || tags.includes(tag)) return "named";
  return digest !== undefined && tags.length === 0 ? "untagged" : "not named";
}

/**
 * The names that an image would lose beside the one that a reference gives it. To a tag belong the digests of its
 * repository, which come with every pull of it; to a digest belongs nothing.
 */
export function otherNames(image: CriImage, reference: ImageReference): readonly string[] {
  const isTagged = namesOf(image).some(
    (name) => name.tag !== undefined && name.tag === reference.tag && isSameRepository(name, reference),
  );
  return namesOf(image)
    .filter((name) => {
      if (!isSameRepository(name, reference)) return true;
      if (name.digest === undefined) return name.tag !== reference.tag;
      return !isTagged && name.digest !== reference.digest;
    })
    .map(formatReference);
}

/** What the port tells of an image of a runtime. */
export function toStoredImage(image: CriImage): StoredImage {
  const names = image.repoTags.flatMap((text) => tryParseReference(text) ?? []);
  return {
    id: image.id,
    format: "dockerImage",
    names: names.map(({ registry, path, tag, writtenPath }) =>
      toImageSpec({ registry, path, writtenPath, ...(tag === undefined ? {} : { tag }) }),
    ),
    digests: image.repoDigests.flatMap((text) => {
      const reference = tryParseReference(text);
      return reference === undefined ? [] : [formatReference(reference)];
    }),
    sizeBytes: Number(image.size),
    pinned: image.pinned,
  };
}

/** Some runtimes tell the short names of Docker Hub. */
function namesOf(image: CriImage): readonly ImageReference[] {
  return [...image.repoTags, ...image.repoDigests].flatMap((text) => tryParseReference(text) ?? []);
}

function isSameRepository(left: ImageReference, right: ImageReference): boolean {
  return left.registry === right.registry && left.path === right.path;
}
