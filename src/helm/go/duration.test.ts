import { expect, test } from "vitest";
import {
  durationIn,
  formatDuration,
  hour,
  minute,
  parseDuration,
  roundDuration,
  second,
  truncateDuration,
} from "./duration.ts";
import { fromBytes, toBytes } from "./utf8.ts";

const largest = 2n ** 63n - 1n;

test.each([
  ["0", 0n],
  ["-0", 0n],
  ["+5s", 5n * second],
  ["-1h15m30.5s", -(hour + 15n * minute + 30n * second + 500_000_000n)],
  [".5h", 30n * minute],
  ["1.h", hour],
  ["1us2µs3μs", 6000n],
  ["3.000000001s", 3_000_000_001n],
  ["0.9223372036854775807h", 3_320_413_933_267n],
  ["0.3333333333333333333h", 1_200_000_000_000n],
  ["2562047h47m16.854775807s", largest],
  ["-9223372036854775808ns", -largest - 1n],
  ["9223372036854775808ns9223372036854775808ns", 0n],
])("the duration %s is %d ns", (text, nanoseconds) => {
  expect(parseDuration(toBytes(text))).toBe(nanoseconds);
});

test.each([
  ["", 'time: invalid duration ""'],
  ["-", 'time: invalid duration "-"'],
  [".s", 'time: invalid duration ".s"'],
  ["x", 'time: invalid duration "x"'],
  ["1", 'time: missing unit in duration "1"'],
  ["1.5", 'time: missing unit in duration "1.5"'],
  ["1d", 'time: unknown unit "d" in duration "1d"'],
  ["1h é", String.raw`time: unknown unit "h \xc3\xa9" in duration "1h \xc3\xa9"`],
  ['1"\\\n', String.raw`time: unknown unit "\"\\\x0a" in duration "1\"\\\x0a"`],
  ["9223372036854775808ns", 'time: invalid duration "9223372036854775808ns"'],
  ["9223372036854775809ns", 'time: invalid duration "9223372036854775809ns"'],
  ["2562048h", 'time: invalid duration "2562048h"'],
])("%j is no duration", (text, message) => {
  expect(() => parseDuration(toBytes(text))).toThrow(message);
});

test.each([
  [0n, "0s"],
  [1n, "1ns"],
  [-1500n, "-1.5µs"],
  [999_999n, "999.999µs"],
  [1_000_001n, "1.000001ms"],
  [second, "1s"],
  [minute, "1m0s"],
  [hour + 500_000_000n, "1h0m0.5s"],
  [72n * hour + 3n * minute, "72h3m0s"],
  [largest, "2562047h47m16.854775807s"],
  [-largest - 1n, "-2562047h47m16.854775808s"],
])("%d ns are %s", (nanoseconds, text) => {
  expect(fromBytes(formatDuration(nanoseconds))).toBe(text);
});

test.each([
  ["halves go up", 1500n, 1000n, 2000n, 1000n],
  ["negative halves go down", -1500n, 1000n, -2000n, -1000n],
  ["less than half", 1499n, 1000n, 1000n, 1000n],
  ["no multiple", 1499n, 0n, 1499n, 1499n],
  ["a negative multiple", 1499n, -5n, 1499n, 1499n],
  ["too large", largest, hour, largest, 2_562_047n * hour],
  ["too small", -largest, hour, -largest - 1n, -2_562_047n * hour],
])("rounds and truncates: %s", (_, nanoseconds, multiple, rounded, truncated) => {
  expect(roundDuration(nanoseconds, multiple)).toBe(rounded);
  expect(truncateDuration(nanoseconds, multiple)).toBe(truncated);
});

test("counts in larger units", () => {
  expect(durationIn(5_400_000_000_001n, hour)).toBe(1.500_000_000_000_277_8);
  expect(durationIn(-1_500_000_000n, second)).toBe(-1.5);
});
