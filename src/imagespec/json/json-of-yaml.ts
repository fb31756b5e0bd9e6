import { loadYaml } from "../../yaml/load.ts";
import type { ScalarRanges } from "../../yaml/records.ts";
import { tryResolveScalar } from "../../yaml/scalar.ts";
import { isYamlList, isYamlMap, type YamlMap, type YamlValue } from "../../yaml/value.ts";
import { formatPointer, type ParsedJson } from "./parse-json.ts";
import { JsonNumber, type JsonValue } from "./value.ts";

/**
 * Reads the first document of a YAML text as Kubernetes does (sigs.k8s.io/yaml: YAML 1.1 scalars by Go's rules),
 * its integers without loss.
 * @throws FairleadError where the text is malformed, too deep or too large
 */
export function jsonOfYaml(text: string): ParsedJson {
  const scalarRanges: ScalarRanges = new Map();
  const { value, duplicates } = loadYaml(text, { scalarRanges });
  return {
    value: new Converter(text, scalarRanges).convert(value),
    duplicates: duplicates.map(({ path }) => formatPointer(path)),
  };
}

class Converter {
  readonly #text: string;
  readonly #ranges: ScalarRanges;

  constructor(text: string, ranges: ScalarRanges) {
    this.#text = text;
    this.#ranges = ranges;
  }

  convert(value: YamlValue): JsonValue {
    if (typeof value === "number") return new JsonNumber(JSON.stringify(value));
    if (isYamlList(value)) return value.map((item, index) => this.#convertAt(value, index, item));
    if (!isYamlMap(value)) return value;
    return new Map(Object.entries(value).map(([key, item]) => [key, this.#convertAt(value, key, item)]));
  }

  #convertAt(parent: YamlMap | readonly YamlValue[], key: string | number, value: YamlValue): JsonValue {
    if (typeof value !== "number" || Number.isSafeInteger(value)) return this.convert(value);
    const range = this.#ranges.get(parent)?.get(key);
    const written = range === undefined ? "" : this.#text.slice(range.start, range.end).trim();
    const resolved = tryResolveScalar(written);
    const exact = resolved?.kind === "int" ? resolved.exact : undefined;
    return exact === undefined ? this.convert(value) : new JsonNumber(exact.toString());
  }
}
