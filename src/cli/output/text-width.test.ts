import * as fc from "fast-check";
import { expect, test } from "vitest";
import { textWidth, truncateMiddle } from "./text-width.ts";

test.each([
  ["", 0],
  ["quay.io/app:1", 13],
  ["\u001b[31mred\u001b[39m", 3],
  ["é", 1],
  ["e\u0301", 1],
  ["日本語", 6],
  ["한글", 4],
  ["🚀", 2],
  ["👩‍🚀", 2],
  ["ｆｕｌｌ", 8],
  ["…", 1],
])("%j takes %i columns", (text, width) => {
  expect(textWidth(text)).toBe(width);
});

test.each([
  ["short", 10, "short"],
  ["registry.k8s.io/app:v1", 11, "regis…pp:v1"],
  ["registry.k8s.io/app:v1", 1, "…"],
  ["日本語日本語", 7, "日…語"],
])("%j within %i columns is %j", (text, width, expected) => {
  expect(truncateMiddle(text, width)).toBe(expected);
});

test("a truncated text always fits", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.integer({ min: 1, max: 30 }), (text, width) => {
      expect(textWidth(truncateMiddle(text, width))).toBeLessThanOrEqual(width);
    }),
    { seed: 20261121 },
  );
});
