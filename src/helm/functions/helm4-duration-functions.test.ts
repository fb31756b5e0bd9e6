import { expect, test } from "vitest";
import { callRow, type RowArgument, type RowResult } from "../../../test/support/go-function.ts";
import { durationOf } from "../go/duration.ts";
import { int64Of } from "../go/value.ts";
import { helm4DurationFunctions } from "./helm4-duration-functions.ts";

/** What Helm 4's own functions give. */
const rows: readonly [name: string, args: readonly RowArgument[], wanted: RowResult][] = [
  ["mustToDuration", ["1h"], 3_600_000_000_000],
  ["mustToDuration", [" 2.5 "], 2_500_000_000],
  ["mustToDuration", ["0x1p4"], 16_000_000_000],
  ["mustToDuration", [5], 5_000_000_000],
  ["mustToDuration", [durationOf(5n)], 5],
  ["mustToDuration", [""], { error: "empty duration" }],
  ["mustToDuration", ["x"], { error: 'could not parse duration "x"' }],
  ["mustToDuration", ["inf"], { error: "invalid duration seconds: +Inf" }],
  ["mustToDuration", ["1e300"], { error: "duration seconds overflow: 1e+300" }],
  ["mustToDuration", [int64Of(9_223_372_037)], { error: "duration seconds overflow: 9223372037" }],
  ["mustToDuration", [true], { error: "unsupported duration type bool" }],
  ["mustToDuration", [null], { error: "invalid duration" }],
  ["durationSeconds", ["1m30.5s"], 90.5],
  ["durationMilliseconds", ["-1.5ms"], -1],
  ["durationMicroseconds", ["1ms"], 1000],
  ["durationNanoseconds", ["1us"], 1000],
  ["durationMinutes", ["90s"], 1.5],
  ["durationHours", ["x"], 0],
  ["durationDays", ["36h"], 1.5],
  ["durationWeeks", ["84h"], 0.5],
  ["durationRoundTo", ["2h13m", "30m"], 7_200_000_000_000],
  ["durationRoundTo", ["2h", "x"], 7_200_000_000_000],
  ["durationRoundTo", ["x", "1h"], 0],
  ["durationTruncateTo", ["1h59m", 3600], 3_600_000_000_000],
];

test.each(rows)("%s, row %#", (name, args, wanted) => {
  expect(callRow(helm4DurationFunctions, name, args)).toEqual(wanted);
});
