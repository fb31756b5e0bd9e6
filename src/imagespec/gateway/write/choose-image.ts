import type { ImageSpec } from "../../../reference/image-spec.ts";
import { checkImageSpec } from "../../convert/check-image-spec.ts";
import { type FieldProblem, forbidden, invalid } from "../../convert/field-problem.ts";
import { deriveImageSpec, equalImageSpecs, formatImage } from "../../convert/image-string.ts";
import { type JsonValue, toPlain } from "../../json/value.ts";
import type { LiveContainer } from "./template-images.ts";

/** What a container is to have upstream. */
export interface ChosenImage {
  readonly image: string;
  /** Undefined: what the image alone stands for. */
  readonly spec: ImageSpec | undefined;
}

/** What a client wrote of a container's image. */
export interface WrittenImage {
  readonly image: JsonValue | undefined;
  readonly imageSpec: JsonValue;
  /** The container as it is upstream; undefined for a new one. */
  readonly live: LiveContainer | undefined;
  /**
   * Whether image and spec may both be written: what is read has both, so that an update sends both. Those who
   * create an object write one of them.
   */
  readonly allowsBoth: boolean;
  /** Where the container stands. */
  readonly field: string;
}

/**
 * Chooses between the image and the spec of a container (document 003, Design 3): the one that the client changed,
 * where it changed one; both have to agree where it changed both.
 */
export function chooseImage(written: WrittenImage, problems: FieldProblem[]): ChosenImage | undefined {
  const { image, live, field } = written;
  const checked = checkImageSpec(toPlain(written.imageSpec), `${field}.imageSpec`);
  if (typeof image !== "string" || image === "") {
    problems.push(...checked.problems);
    return checked.spec === undefined ? undefined : { image: formatImage(checked.spec), spec: checked.spec };
  }
  if (!written.allowsBoth) {
    problems.push(
      forbidden(`${field}.imageSpec`, "may not be set together with image: one of them is enough"),
    );
    return undefined;
  }
  const { spec } = checked;
  if (spec !== undefined && isConsistent(image, spec)) return { image, spec };
  const changedImage = live === undefined || image !== live.image;
  const changedSpec = live === undefined || !equalImageSpecs(spec, live.spec);
  if (spec !== undefined && !changedSpec) {
    return changedImage ? { image, spec: undefined } : { image, spec };
  }
  problems.push(...checked.problems);
  if (spec === undefined) return undefined;
  if (!changedImage) return { image: formatImage(spec), spec };
  problems.push(
    invalid(
      `${field}.imageSpec`,
      JSON.parse(JSON.stringify(spec)),
      `stands for ${formatImage(spec)}, which is not the image ${image}: change one of them`,
    ),
  );
  return undefined;
}

function isConsistent(image: string, spec: ImageSpec): boolean {
  return formatImage(spec) === image || equalImageSpecs(deriveImageSpec(image), spec);
}
