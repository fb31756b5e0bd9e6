import { applyEdits, type TextEdit } from "../../yaml/scalar-edit.ts";
import { isYamlList, isYamlMap, type YamlMap, type YamlValue } from "../../yaml/value.ts";
import { FairleadError } from "../../core/error.ts";
import { readWrittenDocuments, type WrittenDocuments } from "./written-document.ts";

/** What members of a map become; undefined where they go. */
export type MapPatch = Readonly<Record<string, YamlValue | undefined>>;

/** Edits of a text, and what they are to do to its values. */
export interface PlannedEdits {
  readonly edits: readonly TextEdit[];
  readonly patches: ReadonlyMap<YamlMap, MapPatch>;
}

/**
 * Makes edits in a text if they do to its values what they are meant to do, and nothing else.
 * @returns undefined where they do not
 */
export function tryApplyProven(
  { text, documents }: WrittenDocuments,
  { edits, patches }: PlannedEdits,
): string | undefined {
  const sorted = edits.toSorted((left, right) => left.start - right.start || left.end - right.end);
  const overlaps = sorted.some(({ start }, index) => start < (sorted[index - 1]?.end ?? 0));
  if (overlaps) return undefined;
  const after = applyEdits(text, sorted);
  const values = tryReadValues(after);
  const isProven =
    values?.length === documents.length &&
    documents.every(({ value }, index) => becomes(value, values[index], patches));
  return isProven ? after : undefined;
}

function tryReadValues(text: string): readonly YamlValue[] | undefined {
  try {
    return readWrittenDocuments(text).documents.map(({ value }) => value);
  } catch (error) {
    if (error instanceof FairleadError) return undefined;
    throw error;
  }
}

function becomes(
  before: YamlValue | undefined,
  after: YamlValue | undefined,
  patches: ReadonlyMap<YamlMap, MapPatch>,
): boolean {
  if (isYamlList(before)) {
    return (
      isYamlList(after) &&
      before.length === after.length &&
      before.every((item, index) => becomes(item, after[index], patches))
    );
  }
  if (!isYamlMap(before)) return Object.is(before, after);
  if (!isYamlMap(after)) return false;
  const expected = new Map<string, YamlValue>(Object.entries(before));
  for (const [key, value] of Object.entries(patches.get(before) ?? {})) {
    if (value === undefined) expected.delete(key);
    else expected.set(key, value);
  }
  if (expected.size !== Object.keys(after).length) return false;
  return [...expected].every(
    ([key, value]) => Object.hasOwn(after, key) && becomes(value, after[key], patches),
  );
}
