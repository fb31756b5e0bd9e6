import { type ImageSpec, toImageSpec } from "../../reference/image-spec.ts";
import { joinReference, tryParseReference } from "../../reference/reference.ts";

/**
 * The image string that old clients see (document 003, Examples 3 and 4): `registry/name[:tag][@digest]`, and of an
 * ACI `name[:tag]`. An ACI with an ID gives `name@sha512:…`, which no runtime takes for another image.
 */
export function formatImage({ dockerImage, aci }: ImageSpec): string {
  if (dockerImage !== undefined) return joinReference(dockerImage.registry, dockerImage.name, dockerImage);
  return aci.id === undefined
    ? joinReference("", aci.name, aci)
    : joinReference("", aci.name, { digest: aci.id.replace("-", ":") });
}

/**
 * The spec that an image string stands for (document 003, Example 1): a Docker image with its registry and path in
 * full, and no tag where none is written. Undefined where the string is no reference, or one without a registry.
 */
export function deriveImageSpec(image: string): ImageSpec | undefined {
  const reference = tryParseReference(image);
  return reference === undefined || reference.registry === "" ? undefined : toImageSpec(reference);
}

/** Whether two specs are the same, part by part. */
export function equalImageSpecs(left: ImageSpec | undefined, right: ImageSpec | undefined): boolean {
  if (left === undefined || right === undefined) return left === right;
  return formatImageSpec(left) === formatImageSpec(right);
}

/** A spec as JSON, always the same bytes for the same spec. */
export function formatImageSpec({ dockerImage, aci }: ImageSpec): string {
  if (dockerImage !== undefined) {
    const { registry, name, tag, digest } = dockerImage;
    return JSON.stringify({ dockerImage: { registry, name, tag, digest } });
  }
  const { name, tag, id } = aci;
  return JSON.stringify({ aci: { name, tag, id } });
}
