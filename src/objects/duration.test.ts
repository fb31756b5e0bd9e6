import { expect, test } from "vitest";
import { tryParseDuration } from "./duration.ts";

test.each<[string, number | undefined]>([
  ["5m", 300_000],
  ["1h30m", 5_400_000],
  ["1.5s", 1500],
  ["250ms", 250],
  ["1m1m", 120_000],
  ["0s", 0],
  ["2562047h", 9_223_369_200_000],
  ["2562048h", undefined],
  ["", undefined],
  ["5", undefined],
  ["-5m", undefined],
  ["5 m", undefined],
  ["5d", undefined],
  [".5s", undefined],
  ["1us", undefined],
  ["1m".repeat(40), undefined],
])("%s", (text, expected) => {
  expect(tryParseDuration(text)).toBe(expected);
});
