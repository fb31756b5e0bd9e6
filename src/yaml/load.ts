import { DocumentBuilder } from "./construct.ts";
import type { YamlSourceOptions } from "./cursor.ts";
import { YamlParser } from "./parser.ts";
import type { ScalarRanges } from "./records.ts";
import { createYamlMap, isYamlMap, type YamlMap, type YamlValue } from "./value.ts";
import type { ValuePath } from "./value-path.ts";

export interface LoadYamlOptions extends YamlSourceOptions {
  /** How many nodes a document may have once its aliases are expanded; default: 1,000,000. */
  readonly maxNodes?: number;
  /** Filled, where it is given, with where the scalars in lists and maps are written. */
  readonly scalarRanges?: ScalarRanges;
}

interface YamlDuplicate {
  readonly path: ValuePath;
  /** Line and column of the later key, from 1. */
  readonly line: number;
  readonly column: number;
}

export interface LoadedYaml<Value extends YamlValue = YamlValue> {
  readonly value: Value;
  /** Keys given more than once in one map; the last one won. */
  readonly duplicates: readonly YamlDuplicate[];
}

/** Nodes that a document may have, aliases expanded. */
export const defaultMaxNodes = 1_000_000;

/**
 * Reads the first document of a YAML text as Helm reads a values file (sigs.k8s.io/yaml): YAML 1.1 scalars by
 * Go's rules, numbers as float64, keys as strings. What follows the first document is not looked at, as in
 * Helm. An empty text gives null. Maps have no prototype; aliases share their value.
 * @throws FairleadError with file, line and column where the text is malformed, `limit-exceeded` where it is
 *   too deep (1,000 levels) or too large
 */
export function loadYaml(text: string, options: LoadYamlOptions = {}): LoadedYaml {
  return tryLoadNext(new YamlParser(text, options), options) ?? { value: null, duplicates: [] };
}

/**
 * Reads a values file: like {@link loadYaml}, but the value is a map, and empty where the text is empty.
 * @throws FairleadError also where the document is a list or a scalar
 */
export function loadYamlMap(text: string, options: LoadYamlOptions = {}): LoadedYaml<YamlMap> {
  const parser = new YamlParser(text, options);
  const { value, duplicates } = tryLoadNext(parser, options) ?? { value: null, duplicates: [] };
  if (value === null) return { value: createYamlMap(), duplicates };
  if (isYamlMap(value)) return { value, duplicates };
  throw parser.cursor.fail(0, `expected a map, found a ${Array.isArray(value) ? "list" : typeof value}`);
}

/**
 * Reads every document of a text, such as rendered manifests; empty documents are left out.
 * @throws FairleadError like {@link loadYaml}
 */
export function loadYamlDocuments(text: string, options: LoadYamlOptions = {}): readonly YamlValue[] {
  const values: YamlValue[] = [];
  const parser = new YamlParser(text, options);
  for (let next = tryLoadNext(parser, options); next !== undefined; next = tryLoadNext(parser, options)) {
    if (next.value !== null) values.push(next.value);
  }
  return values;
}

function tryLoadNext(parser: YamlParser, options: LoadYamlOptions): LoadedYaml | undefined {
  const { maxNodes = defaultMaxNodes, scalarRanges } = options;
  const builder = new DocumentBuilder(parser.cursor, maxNodes, { scalars: scalarRanges });
  if (!parser.parseDocument(builder)) return undefined;
  const duplicates = builder.duplicates.map(({ path, offset }) => {
    const { line = 1, column = 1 } = parser.cursor.where(offset);
    return { path, line, column };
  });
  return { value: builder.value, duplicates };
}
