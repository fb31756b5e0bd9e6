import type { ImageSpec } from "../../reference/image-spec.ts";
import { isYamlMap, type YamlValue } from "../../yaml/value.ts";
import { checkImageSpec } from "../convert/check-image-spec.ts";
import { type FieldProblem, invalid, wrongType } from "../convert/field-problem.ts";
import { equalImageSpecs, formatImage } from "../convert/image-string.ts";
import { storedSpecKey, viewImageSpec } from "../convert/stored-spec.ts";
import type { FoundPod } from "./find-pods.ts";
import type { Place } from "./place.ts";

/** What a container of a manifest says of its image. Null and an empty image count as absent, as in Kubernetes. */
export interface ContainerImage {
  readonly image: string | undefined;
  /** As `imageSpec` says it. */
  readonly written: ImageSpec | undefined;
  /** As `imageSpec`, the annotation or the image says it; undefined where none does. */
  readonly spec: ImageSpec | undefined;
  /** The annotation's value. */
  readonly stored: string | undefined;
  /** What is wrong with either of them, or with both together; with any, nothing is to be made of them. */
  readonly problems: readonly FieldProblem[];
}

/** Reads what a container says of its image. */
export function readContainerImage(pod: FoundPod, container: Place): ContainerImage {
  const problems: FieldProblem[] = [];
  const image = readImage(container, problems);
  const { value, field } = container.child("imageSpec");
  const checked = value === undefined || value === null ? undefined : checkImageSpec(value, field);
  problems.push(...(checked?.problems ?? []));
  const stored = storedOf(pod, container);
  const written = checked?.spec;
  const viewed = image === undefined ? undefined : viewImageSpec(image, stored);
  if (image !== undefined && written !== undefined && !agrees(image, written, viewed)) {
    const detail = `the image is ${formatImage(written)} by imageSpec; keep only one of them`;
    problems.push(invalid(container.child("image").field, image, detail));
  }
  return { image, written, spec: written ?? viewed, stored, problems };
}

function readImage(container: Place, problems: FieldProblem[]): string | undefined {
  const { value, field } = container.child("image");
  if (value === undefined || value === null || value === "") return undefined;
  if (typeof value === "string") return value;
  problems.push(wrongType(field, value, "a string"));
  return undefined;
}

function agrees(image: string, written: ImageSpec, viewed: ImageSpec | undefined): boolean {
  return formatImage(written) === image || equalImageSpecs(viewed, written);
}

function storedOf({ place }: FoundPod, container: Place): string | undefined {
  const name = containerName(container);
  const annotations = place.child("metadata").child("annotations").value;
  if (name === undefined || !isYamlMap(annotations)) return undefined;
  const stored: YamlValue | undefined = annotations[storedSpecKey(name)];
  return typeof stored === "string" ? stored : undefined;
}

/** The name of a container; undefined where it has none. */
export function containerName(container: Place): string | undefined {
  const { value } = container.child("name");
  return typeof value === "string" && value !== "" ? value : undefined;
}
