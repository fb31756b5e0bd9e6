import type { ImageSpec } from "../../reference/image-spec.ts";
import type { EntryValue } from "./entry-style.ts";

/** A spec as the value of an entry, its parts in their order. */
export function entryOfSpec({ dockerImage, aci }: ImageSpec): EntryValue {
  if (dockerImage !== undefined) {
    const { registry, name, tag, digest } = dockerImage;
    return { dockerImage: { registry, name, tag, digest } };
  }
  const { name, tag, id } = aci;
  return { aci: { name, tag, id } };
}
