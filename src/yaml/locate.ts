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
    document ??= readDocument(text, options);
    const step = path.at(-1);
    const container = getAt(document.value, path.slice(0, -1));
    if (step === undefined || container === undefined) return undefined;
    const offset = document.entryOffsets.get(container)?.get(step);
    if (offset === undefined) return undefined;
    const { line = 1, column = 1 } = document.parser.cursor.where(offset);
    return { line, column };
  };
}

interface LocatedDocument {
  readonly parser: YamlParser;
  readonly value: YamlValue;
  readonly entryOffsets: EntryOffsets;
}

function readDocument(text: string, options: YamlSourceOptions): LocatedDocument {
  const parser = new YamlParser(text, options);
  const entryOffsets: EntryOffsets = new Map();
  const builder = new DocumentBuilder(parser.cursor, defaultMaxNodes, { entries: entryOffsets });
  parser.parseDocument(builder);
  return { parser, value: builder.value, entryOffsets };
}
