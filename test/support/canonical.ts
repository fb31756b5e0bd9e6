import type { YamlValue } from "../../src/yaml/value.ts";

/** JSON to compare values by: keys sorted and marked, so that `__proto__` is one like any other; -0 told from 0. */
export function canonicalJson(value: YamlValue): string {
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (Object.is(inner, -0)) return "negative zero";
    if (typeof inner !== "object" || inner === null || Array.isArray(inner)) return inner;
    const entries = Object.entries(inner).map(([key, item]): [string, unknown] => [`key ${key}`, item]);
    return Object.fromEntries(entries.sort(([left], [right]) => (left < right ? -1 : 1)));
  });
}
