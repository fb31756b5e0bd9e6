import type { TextEdit } from "../../yaml/scalar-edit.ts";
import { isYamlMap, type YamlMap } from "../../yaml/value.ts";
import {
  type EditedText,
  insertBefore,
  insertBehind,
  isEditable,
  type NewEntry,
  removeEntries,
  replaceEntry,
} from "./entry-edits.ts";
import type { FoundPod } from "./find-pods.ts";
import type { Place } from "./place.ts";
import type { MapPatch } from "./proven-edits.ts";
import type { WrittenEntry, WrittenMap } from "./written-node.ts";

/** What annotations become, by their keys; undefined where they go. */
export type AnnotationChanges = ReadonlyMap<string, string | undefined>;

export interface AnnotationEdits {
  readonly edits: readonly TextEdit[];
  readonly patches: readonly (readonly [YamlMap, MapPatch])[];
}

/** The place whose writing keeps annotations of a pod from being edited; undefined where nothing does. */
export function obstacleOfAnnotations(text: string, { place }: FoundPod): Place | undefined {
  const metadata = place.child("metadata");
  const annotations = metadata.child("annotations");
  return [metadata, annotations].find((each, index) => {
    const entry = (index === 0 ? place : metadata).entry(String(each.path.at(-1)));
    const isMap = isYamlMap(each.value) || each.value === undefined || each.value === null;
    return each.obstacle !== undefined || !isMap || (entry !== undefined && !isEditable(text, entry));
  });
}

/**
 * Edits annotations of a pod or a pod template, and makes what holds them where that is missing. A map that would
 * be left empty goes as well.
 */
export function editAnnotations(
  text: EditedText,
  { place }: FoundPod,
  changes: AnnotationChanges,
): AnnotationEdits {
  const metadata = place.child("metadata");
  const annotations = metadata.child("annotations");
  const set = [...changes].flatMap(([key, value]) => (value === undefined ? [] : [{ key, value }]));
  if (isFilled(annotations)) return editFilled(text, [place, metadata, annotations], changes, set);
  if (set.length === 0) return { edits: [], patches: [] };
  const value = Object.fromEntries(set.map((entry) => [entry.key, entry.value]));
  if (isFilled(metadata)) return putInto(text, metadata, { key: "annotations", value });
  return putInto(text, place, { key: "metadata", value: { annotations: value } }, "spec");
}

interface FilledPlace extends Place {
  readonly map: WrittenMap;
  readonly value: YamlMap;
}

function isFilled(place: Place): place is FilledPlace {
  return place.map !== undefined && place.map.entries.length > 0 && isYamlMap(place.value);
}

function editFilled(
  text: EditedText,
  [pod, metadata, annotations]: readonly [Place, Place, FilledPlace],
  changes: AnnotationChanges,
  set: readonly { readonly key: string; readonly value: string }[],
): AnnotationEdits {
  const { map, value } = annotations;
  const isGone = (entry: WrittenEntry): boolean => {
    const key = entry.key.kind === "scalar" ? entry.key.text : "";
    return changes.has(key) && changes.get(key) === undefined;
  };
  if (map.entries.every(isGone) && set.length === 0) return removeAnnotations(text, pod, metadata);
  const added = set.filter(({ key }) => !Object.hasOwn(value, key));
  const removed = new Set<WrittenEntry>();
  const edits: TextEdit[] = [];
  for (const entry of map.entries) {
    const key = entry.key.kind === "scalar" ? entry.key.text : "";
    const changed = changes.get(key);
    // A new one takes the place of one that goes, so that the map is never empty.
    const successor = isGone(entry)
      ? added.shift()
      : changed === undefined
        ? undefined
        : { key, value: changed };
    if (successor !== undefined) edits.push(...replaceEntry(text, map, entry, successor));
    else if (isGone(entry)) removed.add(entry);
  }
  const last = map.entries.at(-1);
  if (last !== undefined) edits.push(...added.map((entry) => insertBehind(text, map, last, entry)));
  edits.push(...removeEntries(text.text, map, removed));
  return { edits, patches: [[value, Object.fromEntries(changes)]] };
}

function removeAnnotations(text: EditedText, pod: Place, metadata: Place): AnnotationEdits {
  const owner = metadata.map?.entries.length === 1 ? pod : metadata;
  const key = owner === pod ? "metadata" : "annotations";
  const entry = owner.entry(key);
  if (entry === undefined || !isFilled(owner)) return { edits: [], patches: [] };
  return {
    edits: removeEntries(text.text, owner.map, new Set([entry])),
    patches: [[owner.value, { [key]: undefined }]],
  };
}

/** Writes an entry that is missing or empty. @param before the key of the entry that it goes before */
function putInto(
  text: EditedText,
  owner: Place,
  { key, value }: NewEntry & { readonly value: MapPatch & NewEntry["value"] },
  before?: string,
): AnnotationEdits {
  if (!isFilled(owner)) return { edits: [], patches: [] };
  const { map } = owner;
  const present = owner.entry(key);
  const next = before === undefined ? undefined : owner.entry(before);
  const last = map.entries.at(-1);
  const edits: TextEdit[] = [];
  if (present !== undefined) edits.push(...replaceEntry(text, map, present, { key, value }));
  else if (next !== undefined) edits.push(insertBefore(text, map, next, { key, value }));
  else if (last !== undefined) edits.push(insertBehind(text, map, last, { key, value }));
  return { edits, patches: [[owner.value, { [key]: value as YamlMap }]] };
}
