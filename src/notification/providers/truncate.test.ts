import { expect, test } from "vitest";
import { type LengthUnit, truncate } from "./truncate.ts";

test.each<[string, number, LengthUnit, string]>([
  ["abc", 3, "code points", "abc"],
  ["abcd", 3, "code points", "ab…"],
  ["🦄🦄🦄", 3, "code points", "🦄🦄🦄"],
  ["🦄🦄🦄🦄", 3, "code points", "🦄🦄…"],
  ["🦄🦄🦄", 6, "utf-16", "🦄🦄🦄"],
  ["🦄🦄🦄", 5, "utf-16", "🦄🦄…"],
  ["🦄🦄🦄", 4, "utf-16", "🦄…"],
  ["ünü", 5, "bytes", "ünü"],
  ["ünüü", 5, "bytes", "ü…"],
  ["", 0, "bytes", ""],
])("%j within %i %s is %j", (text, limit, unit, expected) => {
  expect(truncate(text, limit, unit)).toBe(expected);
});
