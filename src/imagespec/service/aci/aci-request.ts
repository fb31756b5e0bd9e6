import { FairleadError } from "../../../core/error.ts";
import { excerpt } from "../../../core/escape.ts";
import type { ImageSpec } from "../../../reference/image-spec.ts";
import { checkImageSpec } from "../../convert/check-image-spec.ts";
import { formatFieldProblem } from "../../convert/field-problem.ts";

/** What a spec asks for. */
export interface AciRequest {
  readonly name: string;
  readonly tag: string | undefined;
  readonly id: string | undefined;
}

/** What an image is called that is asked for by neither tag nor ID. */
export const defaultTag = "latest";

const maxNameLength = 255;

/**
 * Reads a spec, which may come from outside, without any I/O.
 * @throws FairleadError `image-format-unsupported` for an image that is no ACI, `image-spec-invalid` for none
 */
export function toAciRequest(spec: ImageSpec): AciRequest {
  if (spec.dockerImage !== undefined) {
    throw new FairleadError("image-format-unsupported", "a store of ACIs holds no Docker images");
  }
  const { spec: checked, problems } = checkImageSpec(spec, "imageSpec");
  const aci = checked?.aci;
  if (aci === undefined) {
    throw new FairleadError("image-spec-invalid", problems.map(formatFieldProblem).join("; "));
  }
  const { name, tag, id } = aci;
  if (name.length > maxNameLength) {
    throw new FairleadError("image-spec-invalid", `the name '${excerpt(name)}' is too long`);
  }
  return { name, tag, id };
}
