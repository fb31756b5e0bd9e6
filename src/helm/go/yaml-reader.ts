import { YamlParser } from "../../yaml/parser.ts";
import { YamlError, type GoProblem } from "../../yaml/problem.ts";
import { loadRecentRanges, loadRecentYaml, type RangedDocument } from "../../yaml/recent-documents.ts";
import type { ScalarRange, ScalarRanges } from "../../yaml/records.ts";
import { isYamlList, type YamlMap, type YamlValue } from "../../yaml/value.ts";
import { quoteGo } from "./quote.ts";
import { plainText } from "./text.ts";
import { fromBytes, isAscii, toBytes } from "./utf8.ts";
import { findMalformedOctet } from "./utf8-problem.ts";
import { GoError, GoMap, GoSlice, Tracked, type GoValue, type Text } from "./value.ts";
import { ScalarTracker } from "./scalar-tracker.ts";

/** What is read, and how encoding/json, which it passes through, names its kind. */
export interface ReadYaml {
  readonly value: GoValue;
  readonly kind: "null" | "bool" | "number" | "string" | "array" | "object";
}

/**
 * Reads the first document of a text as sigs.k8s.io/yaml does: all numbers are float64. Scalars of a tracked text
 * know where they come from.
 * @throws GoError where Helm cannot read it, with sigs.k8s.io/yaml's text; FairleadError `limit-exceeded` where
 *   it is too deep or too large for us
 */
export function readYaml(text: Text): ReadYaml {
  const bytes = plainText(text);
  const malformed = isAscii(bytes) ? undefined : findMalformedOctet(bytes);
  if (malformed !== undefined) throw convertingError(`yaml: ${malformed}`);
  const decoded = fromBytes(bytes);
  const { value, scalarRanges } = load(decoded, text instanceof Tracked);
  const tracker = text instanceof Tracked ? new ScalarTracker(text, decoded) : undefined;
  return { value: new Converter(scalarRanges, tracker).convert(value), kind: kindOf(value) };
}

function load(text: string, withRanges: boolean): RangedDocument {
  try {
    return withRanges ? loadRecentRanges(text) : { value: loadRecentYaml(text), scalarRanges: new Map() };
  } catch (error) {
    if (!(error instanceof YamlError) || error.problem === undefined) throw error;
    throw convertingError(describe(findSyntaxProblem(text) ?? error.problem));
  }
}

function convertingError(problem: string): GoError {
  return new GoError(`error converting YAML to JSON: ${problem}`);
}

/** Go reads the whole syntax of a document before it looks at what it means. */
function findSyntaxProblem(text: string): GoProblem | undefined {
  const anchors = new Set<string>();
  const define = (anchor: string | undefined): void => {
    if (anchor !== undefined) anchors.add(anchor);
  };
  try {
    new YamlParser(text).parseDocument({
      scalar: (_text, _plain, { anchor }) => define(anchor),
      open: (_kind, { anchor }) => define(anchor),
      close: () => undefined,
      alias: (name) => {
        if (!anchors.has(name)) throw convertingError(`yaml: unknown anchor '${name}' referenced`);
      },
    });
    return undefined;
  } catch (error) {
    if (error instanceof YamlError) return error.problem;
    throw error;
  }
}

function describe(problem: GoProblem): string {
  if (typeof problem === "string") return toBytes(problem);
  return `yaml: invalid map key: ${formatGoSyntax(problem.invalidKey)}`;
}

/** A value as `%#v` prints what yaml/v2 has read. */
function formatGoSyntax(value: YamlValue): string {
  if (isYamlList(value)) return `[]interface {}{${value.map(formatGoSyntax).join(", ")}}`;
  if (typeof value === "string") return quoteGo(toBytes(value));
  if (typeof value !== "object" || value === null)
    return value === null ? "interface {}(nil)" : String(value);
  const entries = Object.entries(value)
    .map(([key, item]) => [toBytes(key), item] as const)
    .sort(([left], [right]) => (left < right ? -1 : 1));
  const pairs = entries.map(([key, item]) => `${quoteGo(key)}:${formatGoSyntax(item)}`);
  return `map[interface {}]interface {}{${pairs.join(", ")}}`;
}

function kindOf(value: YamlValue): ReadYaml["kind"] {
  if (value === null) return "null";
  if (isYamlList(value)) return "array";
  switch (typeof value) {
    case "string":
      return "string";
    case "number":
      return "number";
    case "boolean":
      return "bool";
    default:
      return "object";
  }
}

class Converter {
  readonly #ranges: ScalarRanges;
  readonly #tracker: ScalarTracker | undefined;

  constructor(ranges: ScalarRanges, tracker: ScalarTracker | undefined) {
    this.#ranges = ranges;
    this.#tracker = tracker;
  }

  convert(value: YamlValue, range?: ScalarRange): GoValue {
    if (isYamlList(value)) {
      const ranges = this.#ranges.get(value);
      return new GoSlice(value.map((item, index) => this.convert(item, ranges?.get(index))));
    }
    if (typeof value === "object" && value !== null) return this.#convertMap(value);
    const scalar = typeof value === "string" ? toBytes(value) : value;
    return this.#tracker === undefined || range === undefined ? scalar : this.#tracker.track(scalar, range);
  }

  #convertMap(map: YamlMap): GoMap {
    const ranges = this.#ranges.get(map);
    const converted = new GoMap();
    for (const key of Object.keys(map)) {
      converted.entries.set(toBytes(key), this.convert(map[key] ?? null, ranges?.get(key)));
    }
    return converted;
  }
}
