import { createYamlMap, isYamlMap, type YamlMap, type YamlValue } from "../../yaml/value.ts";
import { applySet, type SetOptions } from "./set-grammar.ts";

/** Where values come from beside a chart's own: Helm's flags, each in the order given. */
export interface ValueSources {
  /** What the `-f/--values` files hold. */
  readonly files?: readonly YamlMap[];
  readonly setJson?: readonly string[];
  readonly set?: readonly string[];
  readonly setString?: readonly string[];
  readonly setFile?: readonly string[];
  readonly setLiteral?: readonly string[];
}

/**
 * Puts the values of all flags together as Helm does (pkg/cli/values, MergeValues): files first, then
 * `--set-json`, `--set`, `--set-string`, `--set-file` and `--set-literal`, whatever their order on the command
 * line. A null is kept: it deletes the chart's default when the values meet the chart.
 * @throws FairleadError `input-invalid` for a malformed `--set…` text
 */
export function mergeValueSources(sources: ValueSources, options: SetOptions = {}): YamlMap {
  let values = (sources.files ?? []).reduce<YamlMap>(mergeMaps, createYamlMap());
  for (const text of sources.setJson ?? []) values = applySet(values, text, "set-json", options);
  for (const text of sources.set ?? []) values = applySet(values, text, "set", options);
  for (const text of sources.setString ?? []) values = applySet(values, text, "set-string", options);
  for (const text of sources.setFile ?? []) values = applySet(values, text, "set-file", options);
  for (const text of sources.setLiteral ?? []) values = applySet(values, text, "set-literal", options);
  return values;
}

/** Merges maps deeply; where only one side has a map, and for lists, `over` wins. Neither is changed. */
export function mergeMaps(base: YamlMap, over: YamlMap): YamlMap {
  const merged = createYamlMap(Object.entries(base));
  for (const [key, value] of Object.entries(over)) {
    const existing: YamlValue | undefined = merged[key];
    merged[key] = isYamlMap(value) && isYamlMap(existing) ? mergeMaps(existing, value) : value;
  }
  return merged;
}
