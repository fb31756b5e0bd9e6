import { expect, test } from "vitest";
import { callFunction, callRow, type RowArgument } from "../../../test/support/go-function.ts";
import { instantOf } from "../go/instant.ts";
import { utc } from "../go/time-zone.ts";
import { GoTime } from "../go/time.ts";
import { int64Of } from "../go/value.ts";
import { dateFunctions } from "./date-functions.ts";

const date = new GoTime(instantOf(1_700_000_000n, 0, utc));

/** What Sprig's own functions give; the clock stands at the beginning of 1970. */
const rows: readonly [name: string, args: readonly RowArgument[], wanted: unknown][] = [
  ["now", [], "1970-01-01 00:00:00 +0000 UTC m=+0.100000000"],
  ["date", ["2006-01-02", date], "2023-11-14"],
  ["date", ["2006-01-02", int64Of(100_000)], "1970-01-02"],
  ["date", ["2006-01-02", "2023-11-14"], "1970-01-01"],
  ["dateInZone", ["15:04 MST", date, "Europe/Paris"], "23:13 CET"],
  ["date_in_zone", ["15:04 MST", date, "bogus"], "22:13 UTC"],
  ["htmlDate", [0], "1970-01-01"],
  ["htmlDateInZone", [0, "America/New_York"], "1969-12-31"],
  ["dateModify", ["-1.5h", date], "2023-11-14 20:43:20 +0000 UTC"],
  ["date_modify", ["1d", date], "2023-11-14 22:13:20 +0000 UTC"],
  ["mustDateModify", ["1d", date], { error: 'time: unknown unit "d" in duration "1d"' }],
  ["must_date_modify", ["1s", date], "2023-11-14 22:13:21 +0000 UTC"],
  ["ago", [int64Of(-3700)], "1h1m40s"],
  ["ago", ["yesterday"], "0s"],
  ["ago", [date], "-472222h13m20s"],
  ["duration", ["95"], "1m35s"],
  ["duration", [95], "0s"],
  ["duration", [int64Of(3700)], "1h1m40s"],
  ["duration", ["9999999999999"], "517975h34m8.423024128s"],
  ["duration", ["99999999999999999999"], "-1s"],
  ["duration", ["x"], "0s"],
  ["durationRound", ["2h10m5s"], "2h"],
  ["durationRound", ["1h"], "60m"],
  ["durationRound", ["-3h"], "3h"],
  ["durationRound", ["800h"], "1mo"],
  ["durationRound", ["1000000h"], "114y"],
  ["durationRound", [int64Of(5_000_000_000)], "5s"],
  ["durationRound", [5], "0s"],
  ["durationRound", [new GoTime(instantOf(-200_000n, 0, utc))], "2d"],
  ["toDate", ["2006-01-02", "2024-02-29"], "2024-02-29 00:00:00 +0000 UTC"],
  ["toDate", ["2006-01-02", "x"], "0001-01-01 00:00:00 +0000 UTC"],
  ["mustToDate", ["2006", "x"], { error: 'parsing time "x" as "2006": cannot parse "x" as "2006"' }],
  ["unixEpoch", [date], "1700000000"],
];

test.each(rows)("%s, row %#", (name, args, wanted) => {
  const result: unknown = callRow(dateFunctions, name, args);
  expect(result instanceof GoTime ? result.text() : result).toEqual(wanted);
});

test("a date in a zone is spelled for each layout anew", () => {
  expect(callFunction(dateFunctions, "dateInZone", ["MST", date, "Asia/Tokyo"])).toBe("JST");
});
