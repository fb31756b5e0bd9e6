import { expect, test } from "vitest";
import { loadYaml } from "./load.ts";
import { forgetRecentYaml, loadRecentRanges, loadRecentYaml } from "./recent-documents.ts";

test("a text is read once until it is forgotten", () => {
  const text = "a: [1, {b: c}]\n";
  const first = loadRecentYaml(text);
  expect(first).toEqual(loadYaml(text).value);
  expect(loadRecentYaml(["a: [1, {b: c}]", ""].join("\n"))).toBe(first);
  forgetRecentYaml();
  expect(loadRecentYaml(text)).not.toBe(first);
  expect(loadRecentYaml(text)).toEqual(first);
});

test("what is no YAML is refused each time", () => {
  for (let time = 0; time < 2; time++) expect(() => loadRecentYaml("a: b: c")).toThrow("not allowed here");
});

test("the places of scalars are remembered with the document", () => {
  const text = "a: [b, {c: d}]\n";
  const first = loadRecentRanges(text);
  const places = [...first.scalarRanges.values()].flatMap((ranges) => Array.from(ranges.values()));
  expect(places).toHaveLength(2);
  expect(places).toContainEqual({ start: 4, end: 5 });
  expect(loadRecentRanges(text)).toBe(first);
  expect(loadRecentYaml(text)).toBe(first.value);
});
