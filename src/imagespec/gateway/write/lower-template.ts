import type { ImageSpec } from "../../../reference/image-spec.ts";
import { type FieldProblem, invalid } from "../../convert/field-problem.ts";
import { formatOf } from "../../convert/node-formats.ts";
import { equalImageSpecs } from "../../convert/image-string.ts";
import { storedSpecKey, storeSpec, viewImageSpec } from "../../convert/stored-spec.ts";
import { isJsonObject, memberAt, objectAt, type JsonObject } from "../../json/value.ts";
import { findAmbiguousImages, type ImageUse } from "./ambiguous-images.ts";
import { type ChosenImage, chooseImage } from "./choose-image.ts";
import {
  containersOf,
  type LiveContainer,
  readLiveContainers,
  storedSpecOf,
  type TemplateContainer,
} from "./template-images.ts";

export interface LowerOptions {
  /** The containers upstream; empty where the object is new. */
  readonly live: ReadonlyMap<string, LiveContainer>;
  /** See `WrittenImage`. */
  readonly allowsBoth: boolean;
  /** Whether a spec that a container had and has no more was taken away on purpose. */
  readonly missingIsRemoved: boolean;
  /** Whether annotations are kept, which a subresource may not do. */
  readonly keepsAnnotations: boolean;
  /** Where the template stands, with a dot at its end, such as `spec.template.`; empty for a pod. */
  readonly fieldPrefix: string;
}

/**
 * Turns each `imageSpec` of a pod template into `image` and, where the image does not tell it all, an annotation.
 * @param template is changed
 */
export function lowerTemplate(template: JsonObject, options: LowerOptions): readonly FieldProblem[] {
  const problems: FieldProblem[] = [];
  for (const container of containersOf(template)) {
    const field = options.fieldPrefix + container.field;
    const imageSpec = container.json.get("imageSpec") ?? null;
    const isWritten = container.json.delete("imageSpec") && imageSpec !== null;
    const live = options.live.get(container.key);
    const image = container.json.get("image");
    if (isWritten) {
      const { allowsBoth } = options;
      const chosen = chooseImage({ image, imageSpec, live, allowsBoth, field }, problems);
      if (chosen !== undefined) keepImage(template, container, chosen, options, problems);
    } else if (options.missingIsRemoved && live?.spec !== undefined && live.image === image) {
      annotationsOf(template)?.delete(storedSpecKey(container.name));
    }
  }
  problems.push(...findAmbiguousImages(usesOf(template, options.fieldPrefix)));
  return problems;
}

function keepImage(
  template: JsonObject,
  { name, json, field }: TemplateContainer,
  { image, spec }: ChosenImage,
  { keepsAnnotations, fieldPrefix }: LowerOptions,
  problems: FieldProblem[],
): void {
  json.set("image", image);
  const present = storedSpecOf(template, name);
  // What tells the spec already stays as it is: another byte would make new pods.
  if (spec !== undefined && equalImageSpecs(viewImageSpec(image, present), spec)) return;
  const stored = spec === undefined ? undefined : storeSpec(image, spec).stored;
  if (stored === undefined) {
    annotationsOf(template)?.delete(storedSpecKey(name));
  } else if (keepsAnnotations) {
    objectAt(template, ["metadata", "annotations"])?.set(storedSpecKey(name), stored);
  } else if (spec?.aci !== undefined) {
    problems.push(refuseEphemeral(fieldPrefix + field, spec));
  }
}

/** A spec that needs an annotation where the API server keeps none. @param field of the container */
export function refuseEphemeral(field: string, spec: ImageSpec): FieldProblem {
  return invalid(`${field}.imageSpec`, spec, "an ephemeral container can only have a Docker image");
}

function annotationsOf(template: JsonObject): JsonObject | undefined {
  const annotations = memberAt(template, ["metadata", "annotations"]);
  return isJsonObject(annotations) ? annotations : undefined;
}

function usesOf(template: JsonObject, fieldPrefix: string): readonly ImageUse[] {
  const live = readLiveContainers(template);
  return containersOf(template).flatMap(({ key, field }) => {
    const { image = "", spec } = live.get(key) ?? {};
    return spec === undefined ? [] : [{ field: fieldPrefix + field, image, format: formatOf(spec) }];
  });
}
