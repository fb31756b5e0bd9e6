import type { ImageSpec } from "../../../reference/image-spec.ts";
import { storedSpecKey, viewImageSpec } from "../../convert/stored-spec.ts";
import { containerLists } from "../../convert/workloads.ts";
import { formatImageSpec } from "../../convert/image-string.ts";
import {
  cloneObject,
  fromPlain,
  isJsonArray,
  isJsonObject,
  memberAt,
  type JsonObject,
} from "../../json/value.ts";

/** A container of a pod template, within its JSON. */
export interface TemplateContainer {
  /** Its list and name, which tell it from others. */
  readonly key: string;
  readonly name: string;
  readonly json: JsonObject;
  /** Where it stands below the template, such as `spec.containers[0]`. */
  readonly field: string;
}

/** What a container of an object that is kept upstream has. */
export interface LiveContainer {
  readonly image: string;
  /** As new clients see it; undefined for an image that is no reference. */
  readonly spec: ImageSpec | undefined;
}

/** The containers of a pod template that have a name. */
export function containersOf(template: JsonObject | undefined): readonly TemplateContainer[] {
  return containerLists.flatMap((list) => {
    const containers = memberAt(template, ["spec", list]);
    if (!isJsonArray(containers)) return [];
    return containers.flatMap((json, index) => {
      const name = isJsonObject(json) ? json.get("name") : undefined;
      if (!isJsonObject(json) || typeof name !== "string") return [];
      return [{ key: `${list}/${name}`, name, json, field: `spec.${list}[${index}]` }];
    });
  });
}

/** The annotation that holds a container's spec; undefined where there is none. */
export function storedSpecOf(template: JsonObject | undefined, name: string): string | undefined {
  const stored = memberAt(template, ["metadata", "annotations", storedSpecKey(name)]);
  return typeof stored === "string" ? stored : undefined;
}

/** The images of a template as it is kept upstream, by the keys of its containers. */
export function readLiveContainers(template: JsonObject | undefined): ReadonlyMap<string, LiveContainer> {
  return new Map(
    containersOf(template).map(({ key, name, json }) => {
      const image = json.get("image");
      const text = typeof image === "string" ? image : "";
      return [key, { image: text, spec: viewImageSpec(text, storedSpecOf(template, name)) }];
    }),
  );
}

/** The template of an object at a path; undefined where there is none. */
export function templateAt(object: JsonObject | undefined, path: readonly string[]): JsonObject | undefined {
  const template = memberAt(object, path);
  return isJsonObject(template) ? template : undefined;
}

/** A copy of an object as new clients see it. @param path where its pod template stands */
export function viewTree(object: JsonObject, path: readonly string[]): JsonObject {
  const view = cloneObject(object);
  const template = templateAt(view, path);
  const live = readLiveContainers(template);
  for (const { key, json } of containersOf(template)) {
    const spec = live.get(key)?.spec;
    if (spec !== undefined && !json.has("imageSpec")) json.set("imageSpec", specTree(spec));
  }
  return view;
}

/** A spec as JSON. */
export function specTree(spec: ImageSpec): JsonObject {
  return fromPlain(JSON.parse(formatImageSpec(spec))) as JsonObject;
}
