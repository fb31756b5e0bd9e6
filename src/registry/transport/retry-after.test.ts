import { expect, test } from "vitest";
import { tryParseRetryAfter } from "./retry-after.ts";

const now = Date.parse("2026-01-02T03:04:05Z");

test.each<[string | undefined, number | undefined]>([
  [undefined, undefined],
  ["", undefined],
  ["0", 0],
  ["120", 120_000],
  [" 1.5 ", 1_500],
  ["-1", undefined],
  ["soon", undefined],
  ["1e9", undefined],
  ["2026-01-02", undefined],
  ["Fri, 02 Jan 2026 03:04:15 GMT", 10_000],
  ["Friday, 02-Jan-26 03:04:15 GMT", 10_000],
  ["Fri, 02 Jan 2026 03:04:00 GMT", 0],
  ["Fri, 99 Jan 2026 03:04:00 GMT", undefined],
  [`Fri, ${"0".repeat(100)}`, undefined],
])("%s", (header, expected) => {
  expect(tryParseRetryAfter(header, now)).toBe(expected);
});
