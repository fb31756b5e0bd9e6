import type { ImageSpec } from "../../reference/image-spec.ts";
import type { TextEdit } from "../../yaml/scalar-edit.ts";
import { isYamlMap, type YamlMap } from "../../yaml/value.ts";
import { formatImage, formatImageSpec } from "../convert/image-string.ts";
import {
  type EditedText,
  insertBefore,
  insertBehind,
  isEditable,
  removeEntries,
  replaceEntry,
} from "./entry-edits.ts";
import { entryOfSpec } from "./entry-of-spec.ts";
import type { Place } from "./place.ts";
import type { MapPatch } from "./proven-edits.ts";
import { hasReferences, type WrittenEntry } from "./written-node.ts";

/** Which of the two members containers have afterwards. */
export type ConversionTarget = "imageSpec" | "image" | "both";

export interface ContainerEdits {
  readonly edits: readonly TextEdit[];
  readonly patch: MapPatch;
}

/** Why a container cannot be edited, as the end of a sentence that begins with it; undefined where it can. */
export function whyNotEditable(text: string, container: Place, comments: CommentFinder): string | undefined {
  const places = [container, container.child("image"), container.child("imageSpec")];
  for (const { obstacle } of places) if (obstacle !== undefined) return obstacles[obstacle];
  const image = container.entry("image");
  const spec = container.entry("imageSpec");
  if (container.map === undefined) return "is not written as a map";
  for (const entry of [image, spec]) {
    if (entry === undefined) continue;
    if (!isEditable(text, entry)) return "has a key that cannot be edited";
    if (hasReferences(entry.value)) return obstacles.anchor;
  }
  return image !== undefined && comments(image) ? "has a comment within its image" : undefined;
}

/** Whether there is a comment between the beginning and the end of an entry. */
export type CommentFinder = (entry: WrittenEntry) => boolean;

const obstacles = {
  alias: "is written elsewhere, behind an alias",
  anchor: "has an anchor, by which other places would change as well",
  merge: "has merged keys (<<), which are written elsewhere",
  duplicate: "has a key twice",
} as const;

/** The edits that give a container the members it is to have. */
export function editContainer(
  text: EditedText,
  container: Place,
  image: string | undefined,
  spec: ImageSpec,
  target: ConversionTarget,
): ContainerEdits {
  const { map, value } = container;
  if (map === undefined || !isYamlMap(value)) return { edits: [], patch: {} };
  const wanted = {
    image: target === "imageSpec" ? undefined : (image ?? formatImage(spec)),
    imageSpec: target === "image" ? undefined : spec,
  };
  const entries = { image: container.entry("image"), imageSpec: container.entry("imageSpec") };
  const edits: TextEdit[] = [];
  const removed = new Set<WrittenEntry>();
  const added = {
    image: { key: "image", value: wanted.image ?? "" },
    imageSpec: { key: "imageSpec", value: entryOfSpec(spec) },
  };
  for (const [key, other] of [
    ["image", "imageSpec"],
    ["imageSpec", "image"],
  ] as const) {
    const own = entries[key];
    const neighbour = entries[other];
    if (wanted[key] === undefined) {
      const isReplaced = neighbour === undefined;
      if (own !== undefined && !isReplaced) removed.add(own);
    } else if (isFilled(value, key)) {
      continue;
    } else if (own !== undefined) {
      edits.push(...replaceEntry(text, map, own, added[key]));
    } else if (neighbour !== undefined && wanted[other] === undefined) {
      edits.push(...replaceEntry(text, map, neighbour, added[key]));
    } else if (neighbour !== undefined) {
      const insert = key === "image" ? insertBefore : insertBehind;
      edits.push(insert(text, map, neighbour, added[key]));
    }
  }
  edits.push(...removeEntries(text.text, map, removed));
  return { edits, patch: edits.length === 0 ? {} : patchOf(value, wanted) };
}

/** Whether a container has the members already that it is to have, and no other. */
export function isConverted({ value }: Place, target: ConversionTarget): boolean {
  if (!isYamlMap(value)) return true;
  return (["image", "imageSpec"] as const).every((key) =>
    target === "both" || target === key ? isFilled(value, key) : !Object.hasOwn(value, key),
  );
}

function isFilled(container: YamlMap, key: string): boolean {
  const value = container[key];
  return value !== undefined && value !== null && value !== "";
}

function patchOf(
  container: YamlMap,
  { image, imageSpec }: { readonly image: string | undefined; readonly imageSpec: ImageSpec | undefined },
): MapPatch {
  const kept = isFilled(container, "imageSpec") ? container["imageSpec"] : undefined;
  const added = imageSpec === undefined ? undefined : (JSON.parse(formatImageSpec(imageSpec)) as YamlMap);
  return { image, imageSpec: imageSpec === undefined ? undefined : (kept ?? added) };
}
