import type { YamlValue } from "./value.ts";

/** For each list and map of a document, the offsets where its items and keys are written. */
export type EntryOffsets = EntryMap<number>;

/** For each list and map of a document, where its scalars are written; behind an alias, what it stands for. */
export type ScalarRanges = EntryMap<ScalarRange>;

/** For each list and map, something of its items or values. */
type EntryMap<Entry> = Map<YamlValue, Map<string | number, Entry>>;

/** Offsets of a scalar, its quotes or indicator included, and after it and the blanks that follow it. */
export interface ScalarRange {
  readonly start: number;
  readonly end: number;
}

/** What is to be filled while a document is read. */
export interface Records {
  readonly entries?: EntryOffsets | undefined;
  readonly scalars?: ScalarRanges | undefined;
}

/** Notes something of an item or a value; what is undefined takes the place of what was noted before. */
export function record<Entry>(
  records: EntryMap<Entry> | undefined,
  container: YamlValue,
  key: string | number,
  entry: Entry | undefined,
): void {
  if (records === undefined) return;
  const known = records.get(container);
  if (entry === undefined) known?.delete(key);
  else if (known === undefined) records.set(container, new Map([[key, entry]]));
  else known.set(key, entry);
}
