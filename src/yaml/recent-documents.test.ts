import { expect, test } from "vitest";
import { loadYaml } from "./load.ts";
import { forgetRecentYaml, loadRecentYaml } from "./recent-documents.ts";

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
