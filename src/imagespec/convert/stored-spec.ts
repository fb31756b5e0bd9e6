import type { ImageSpec } from "../../reference/image-spec.ts";
import { checkImageSpec } from "./check-image-spec.ts";
import { deriveImageSpec, equalImageSpecs, formatImage, formatImageSpec } from "./image-string.ts";

/** What the keys of annotations begin with that hold specs; the name of a container follows. */
export const storedSpecPrefix = "image-spec.fairlead.dev/";

/** The key of the annotation, on a pod or a pod template, that holds a container's spec. */
export function storedSpecKey(container: string): string {
  return storedSpecPrefix + container;
}

/** What an API server keeps of a spec. */
export interface LoweredSpec {
  readonly image: string;
  /** The annotation's value; undefined where the spec can be derived from the image. */
  readonly stored: string | undefined;
}

/** What is kept of a spec beside the image that its container has. */
export function storeSpec(image: string, spec: ImageSpec): LoweredSpec {
  // A change of the annotation rolls pods, so its bytes depend on the spec alone.
  const stored = `{"image":${JSON.stringify(image)},"imageSpec":${formatImageSpec(spec)}}`;
  return { image, stored: equalImageSpecs(deriveImageSpec(image), spec) ? undefined : stored };
}

/** What an API server without `imageSpec` keeps of a spec. */
export function lowerImageSpec(spec: ImageSpec): LoweredSpec {
  return storeSpec(formatImage(spec), spec);
}

/**
 * The spec that new clients see of a container. The annotation counts while it belongs to the image: an image that
 * was set without the gateway makes it stale.
 * @param stored the annotation's value
 * @returns undefined for an image that cannot be parsed
 */
export function viewImageSpec(image: string, stored: string | undefined): ImageSpec | undefined {
  return (stored === undefined ? undefined : tryReadStored(image, stored)) ?? deriveImageSpec(image);
}

/**
 * The spec of an annotation's value; undefined where it belongs to another image, or is none. Nor does one count that
 * stands for another image than the string that everyone else sees, and checks.
 */
export function tryReadStored(image: string, stored: string): ImageSpec | undefined {
  let value: unknown;
  try {
    value = JSON.parse(stored);
  } catch {
    return undefined;
  }
  if (typeof value !== "object" || value === null) return undefined;
  const { image: owner, imageSpec } = value as Partial<Record<"image" | "imageSpec", unknown>>;
  if (owner !== image) return undefined;
  const { spec } = checkImageSpec(imageSpec, "imageSpec");
  return spec !== undefined && formatImage(spec) === image ? spec : undefined;
}
