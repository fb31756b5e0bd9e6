import { DocumentBuilder } from "./construct.ts";
import type { YamlSourceOptions } from "./cursor.ts";
import { defaultMaxNodes } from "./load.ts";
import { YamlParser } from "./parser.ts";
import type { EntryOffsets } from "./records.ts";
import { getAt, type ValuePath } from "./value-path.ts";
import type { YamlValue } from "./value.ts";

export interface YamlPosition {
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 units. */
  readonly column: number;
}

/**
 * Finds where the values of a text's first document are written: a map's value by its key, a list item by
 * itself. Of duplicate keys the last counts; what an alias or a merge brings in stands where it is written.
 * The text is read when the first path is asked for.
 * @returns a function that gives undefined for the root and for a path that the document does not have, and
 *   throws FairleadError where the text is malformed
 */
export function createLocator(
  text: string,
  options: YamlSourceOptions = {},
): (path: ValuePath) => YamlPosition | undefined {
  let document: LocatedDocument | undefined;
  return (path) => {
    document ??= readDocument(new YamlParser(text, options));
    return document?.locate(path);
  };
}

/** A document of a text that knows where its values are written. */
export interface LocatedDocument {
  readonly value: YamlValue;
  /** Keys given more than once in one map; the last one won. */
  readonly duplicates: readonly { readonly path: ValuePath; readonly position: YamlPosition }[];
  /** Like {@link createLocator}'s function. */
  readonly locate: (path: ValuePath) => YamlPosition | undefined;
}

/**
 * Reads the documents of a text one by one, such as a file of manifests; empty documents are left out.
 * @throws FairleadError like loadYaml, when it comes to the document that is malformed
 */
export function* locateDocuments(
  text: string,
  options: YamlSourceOptions = {},
): Generator<LocatedDocument, void> {
  const parser = new YamlParser(text, options);
  for (let next = readDocument(parser); next !== undefined; next = readDocument(parser)) {
    if (next.value !== null) yield next;
  }
}

/** The next document; undefined at the end of the text. */
function readDocument(parser: YamlParser): LocatedDocument | undefined {
  const entryOffsets: EntryOffsets = new Map();
  const builder = new DocumentBuilder(parser.cursor, defaultMaxNodes, { entries: entryOffsets });
  if (!parser.parseDocument(builder)) return undefined;
  const { value } = builder;
  const positionOf = (offset: number): YamlPosition => {
    const { line = 1, column = 1 } = parser.cursor.where(offset);
    return { line, column };
  };
  return {
    value,
    duplicates: builder.duplicates.map(({ path, offset }) => ({ path, position: positionOf(offset) })),
    locate: (path) => {
      const step = path.at(-1);
      const container = getAt(value, path.slice(0, -1));
      if (step === undefined || container === undefined) return undefined;
      const offset = entryOffsets.get(container)?.get(step);
      return offset === undefined ? undefined : positionOf(offset);
    },
  };
}
