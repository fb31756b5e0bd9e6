import { expect, test } from "vitest";
import { RecentMap } from "./recent-map.ts";

test("what was not asked for the longest goes", () => {
  const map = new RecentMap<string>(2);
  const made: string[] = [];
  const ask = (key: string): string =>
    map.of(key, () => {
      made.push(key);
      return key;
    });
  for (const key of ["a", "b", "a", "c", "a", "b", "c"]) expect(ask(key)).toBe(key);
  expect(made).toEqual(["a", "b", "c", "b", "c"]);
});
