import { isDeepStrictEqual } from "node:util";
import { digestSpec } from "../../automation/run/request.ts";
import type { ObjectMetadata } from "../api/api-object.ts";

/** The metadata that others than the manifest may change. */
export type OpenMetadata = Pick<ObjectMetadata, "labels" | "annotations" | "finalizers">;

/**
 * What others than the manifest have made of its metadata, by `labels KEY`, `annotations KEY` and `finalizers`. Each
 * holds as long as the manifest says there what it said when it was made.
 */
export type MetadataChanges = Readonly<Record<string, MetadataChange>>;

interface MetadataChange {
  /** Absent: taken away. */
  readonly value?: string | readonly string[];
  /** The digest of what the manifest says; absent: it says nothing. */
  readonly over?: string;
}

/** What makes the metadata of an object of that of its manifest. */
export function diffMetadata(manifest: OpenMetadata, live: OpenMetadata): MetadataChanges {
  const before = entriesOf(manifest);
  const after = entriesOf(live);
  const changes: [string, MetadataChange][] = [];
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    const value = after.get(key);
    if (isDeepStrictEqual(before.get(key), value)) continue;
    changes.push([key, defined({ value, over: digestOf(before.get(key)) })]);
  }
  return Object.fromEntries(changes);
}

/** The metadata of an object: its manifest's, with the changes that hold over it. */
export function applyChanges(manifest: OpenMetadata, changes: MetadataChanges): OpenMetadata {
  const entries = entriesOf(manifest);
  for (const [key, { value, over }] of Object.entries(changes)) {
    if (over !== digestOf(entries.get(key))) continue;
    if (value === undefined) entries.delete(key);
    else entries.set(key, value);
  }
  const finalizers = entries.get("finalizers");
  return defined({
    labels: textsOf(entries, "labels "),
    annotations: textsOf(entries, "annotations "),
    finalizers: typeof finalizers === "string" ? undefined : finalizers,
  });
}

type Defined<Fields> = { readonly [Key in keyof Fields]?: Exclude<Fields[Key], undefined> };

/** The fields that are there. */
export function defined<Fields extends object>(fields: Fields): Defined<Fields> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Defined<Fields>;
}

type Entries = Map<string, string | readonly string[]>;

function entriesOf({ labels = {}, annotations = {}, finalizers = [] }: OpenMetadata): Entries {
  return new Map<string, string | readonly string[]>([
    ...Object.entries(labels).map(([key, value]) => [`labels ${key}`, value] as const),
    ...Object.entries(annotations).map(([key, value]) => [`annotations ${key}`, value] as const),
    ...(finalizers.length === 0 ? [] : [["finalizers", finalizers] as const]),
  ]);
}

function textsOf(entries: Entries, part: string): Readonly<Record<string, string>> | undefined {
  const texts = Array.from(entries).flatMap(([key, value]) =>
    key.startsWith(part) && typeof value === "string" ? [[key.slice(part.length), value] as const] : [],
  );
  return texts.length === 0 ? undefined : Object.fromEntries(texts);
}

function digestOf(value: unknown): string | undefined {
  return value === undefined ? undefined : digestSpec(value);
}
