import { type FieldProblem, invalid } from "../../convert/field-problem.ts";
import type { ImageFormat } from "../../convert/node-formats.ts";

/** A container of a pod with what its image string stands for. */
export interface ImageUse {
  /** Of the container. */
  readonly field: string;
  readonly image: string;
  readonly format: ImageFormat;
}

/** A runtime sees the image string alone, so that one string cannot stand for two formats in a pod. */
export function findAmbiguousImages(uses: readonly ImageUse[]): readonly FieldProblem[] {
  const formats = new Map<string, ImageFormat>();
  return uses.flatMap(({ field, image, format }) => {
    const first = formats.get(image) ?? format;
    formats.set(image, first);
    const detail = "another container of the pod has an image of another format under this name";
    return first === format ? [] : [invalid(`${field}.image`, image, detail)];
  });
}
