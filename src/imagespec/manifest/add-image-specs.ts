import { FairleadError } from "../../core/error.ts";
import type { ImageSpec } from "../../reference/image-spec.ts";
import { applyEdits, type TextEdit } from "../../yaml/scalar-edit.ts";
import { isYamlMap } from "../../yaml/value.ts";
import { storedSpecKey, viewImageSpec } from "../convert/stored-spec.ts";
import { blockStep } from "./block-step.ts";
import { insertBehind, isEditable } from "./entry-edits.ts";
import { entryOfSpec } from "./entry-of-spec.ts";
import { type FoundPod, findPods } from "./find-pods.ts";
import type { Place } from "./place.ts";
import { readWrittenDocuments } from "./written-document.ts";

/**
 * Puts `imageSpec` behind each `image` of the workloads in a YAML or JSON text; every other byte stays. What has
 * one already, has an image that cannot be parsed, or cannot be edited, is left as it is, and so is malformed text.
 */
export function addImageSpecs(text: string): string {
  try {
    const { documents } = readWrittenDocuments(text);
    const edits = documents.flatMap(findPods).flatMap((pod) => editsOf(text, pod));
    return applyEdits(
      text,
      edits.toSorted((left, right) => left.start - right.start),
    );
  } catch (error) {
    if (error instanceof FairleadError) return text;
    throw error;
  }
}

function editsOf(text: string, { place, containers }: FoundPod): readonly TextEdit[] {
  const annotations = place.child("metadata").child("annotations").value;
  const step = blockStep(text, place);
  return containers.flatMap((container) => {
    const { map } = container;
    const entry = container.entry("image");
    const spec = missingSpec(container, annotations);
    if (spec === undefined || map === undefined || entry === undefined) return [];
    if (container.child("image").obstacle !== undefined || !isEditable(text, entry)) return [];
    return [insertBehind({ text, step }, map, entry, { key: "imageSpec", value: entryOfSpec(spec) })];
  });
}

function missingSpec(container: Place, annotations: unknown): ImageSpec | undefined {
  const name = container.child("name").value;
  const image = container.child("image").value;
  if (typeof image !== "string" || container.child("imageSpec").value !== undefined) return undefined;
  const stored =
    typeof name === "string" && isYamlMap(annotations) ? annotations[storedSpecKey(name)] : undefined;
  return viewImageSpec(image, typeof stored === "string" ? stored : undefined);
}
