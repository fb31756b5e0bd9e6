import { expect, test } from "vitest";
import { RenderBudget, type GoContext } from "./context.ts";
import { durationOf, hour } from "./duration.ts";
import { instantOf } from "./instant.ts";
import { namedIntegerMethods, namedIntegerText } from "./named-integer.ts";
import { createSeededRandom } from "./random.ts";
import { formatTime } from "./time-format.ts";
import { parseTime } from "./time-parse.ts";
import { fixedZone, tryLoadZone, utc } from "./time-zone.ts";
import { GoTime, timeOfClock, zeroTime } from "./time.ts";
import { GoInteger, GoStruct, intOf, type GoValue } from "./value.ts";

const context: GoContext = {
  budget: new RenderBudget(),
  random: createSeededRandom("test"),
  now: 0,
  tracking: false,
};

/** The sixth of January 2009, 03:04:05.000120 in a zone half an hour past five. */
const early = instantOf(1_231_191_245n, 120_000, fixedZone("", 19_800));
/** The tenth of October 2023, 15:07:09.5 in New York's summer. */
const late = instantOf(1_696_964_829n, 500_000_000, fixedZone("EDT", -14_400));

test.each([
  ["Mon Jan _2 15:04:05 MST 2006", "Tue Jan  6 03:04:05 +0530 2009", "Tue Oct 10 15:07:09 EDT 2023"],
  ["Monday, 02-January-06 3:04PM", "Tuesday, 06-January-09 3:04AM", "Tuesday, 10-October-23 3:07PM"],
  ["2006-01-02T15:04:05.999999999Z07:00", "2009-01-06T03:04:05.00012+05:30", "2023-10-10T15:07:09.5-04:00"],
  ["1/2/06 03h4m5s pm", "1/6/09 03h4m5s am", "10/10/23 03h7m9s pm"],
  ["002 __2 _2006", "006   6 _2009", "283 283 _2023"],
  [".000 ,000000 .99 .0000000000", ".000 ,000120  .000120000", ".500 ,500000 .5 .500000000"],
  ["-07 -0700 -07:00:00 Z070000 Z07", "+05 +0530 +05:30:00 +053000 +05", "-04 -0400 -04:00:00 -040000 -04"],
  ["Janet Monkey 2006é .09", "Janet Monkey 2009é .09", "Janet Monkey 2023é .09"],
])("formats %s", (layout, first, second) => {
  expect(formatTime(early, layout)).toBe(first);
  expect(formatTime(late, layout)).toBe(second);
});

test.each([
  [-62_167_219_201n, "-0001-12-31 -1 -Dec"],
  [-62_135_596_800n, "0001-01-01 1 -Jan"],
  [951_782_400n, "2000-02-29 29 -Feb"],
  [253_402_300_800n, "10000-01-01 1 -Jan"],
  [2n ** 63n - 1n, "292277026596-12-04 4 -Dec"],
])("the calendar goes as far as seconds do: %d", (seconds, text) => {
  const shown = formatTime(instantOf(seconds, 0, utc), "2006-01-02 2 -Jan");
  expect(shown.replace("31 31", "31 -1")).toBe(text);
});

test.each([
  ["2006-01-02", "2024-02-29", "2024-02-29 00:00:00 +0000 UTC"],
  [
    "2006-01-02T15:04:05Z07:00",
    "2024-01-02T03:04:05,1234567891+01:00",
    "2024-01-02 03:04:05.123456789 +0100 +0100",
  ],
  ["2006-01-02T15:04:05Z07:00", "2024-01-02T03:04:05+00:00", "2024-01-02 03:04:05 +0000 UTC"],
  ["06 Jan 2", "69 FEB 3", "1969-02-03 00:00:00 +0000 UTC"],
  ["06", "-5", "1995-01-01 00:00:00 +0000 UTC"],
  ["2006 002", "2024 060", "2024-02-29 00:00:00 +0000 UTC"],
  ["__2 2006", "  1 2020", "2020-01-01 00:00:00 +0000 UTC"],
  ["Monday 2 January 2006", "sunday  7 january   2024", "2024-01-07 00:00:00 +0000 UTC"],
  ["2006 3:04PM", "2024 12:05AM", "2024-01-01 00:05:00 +0000 UTC"],
  ["2006 15:04 MST", "2024 01:02 CEST", "2024-01-01 01:02:00 +0000 CEST"],
  ["2006 15:04 MST", "2024 01:02 GMT-3", "2023-12-31 22:02:00 -0300 GMT-3"],
  ["2006 15:04 -0700 MST", "2024 01:02 +0100 CET", "2024-01-01 01:02:00 +0100 CET"],
  ["15:04:05", "1:02:03.5", "0000-01-01 01:02:03.5 +0000 UTC"],
])("reads %s from %s", (layout, text, wanted) => {
  expect(new GoTime(parseTime(layout, text)).text()).toBe(wanted);
});

test.each([
  ["2006-01-02", "x", 'parsing time "x" as "2006-01-02": cannot parse "x" as "2006"'],
  ["2006-01-02", "2024/01", 'parsing time "2024/01" as "2006-01-02": cannot parse "/01" as "-"'],
  ["2006-01-02", "2023-02-29", 'parsing time "2023-02-29": day out of range'],
  ["2006-01-02", "2024-13-01", 'parsing time "2024-13-01": month out of range'],
  ["2006-01-02", "2024-01-02 x", 'parsing time "2024-01-02 x": extra text: " x"'],
  ["15:04", "24:00", 'parsing time "24:00": hour out of range'],
  ["15:04", "1:60", 'parsing time "1:60": minute out of range'],
  ["2006 002", "2023 366", 'parsing time "2023 366": day-of-year out of range'],
  ["2006 002 02", "2024 060 03", 'parsing time "2024 060 03": day-of-year does not match day'],
  ["-0700", "+2561", 'parsing time "+2561": time zone offset minute out of range'],
  ["MST", "ab", 'parsing time "ab" as "MST": cannot parse "ab" as "MST"'],
  [".000", ".-12", 'parsing time ".-12": fractional second out of range'],
  ["3PM", "3xx", 'parsing time "3xx" as "3PM": cannot parse "xx" as "PM"'],
])("cannot read %s from %s", (layout, text, message) => {
  expect(() => parseTime(layout, text)).toThrow(message);
});

test.each([
  ["Europe/Paris", "2023-07-01 14:00 CEST"],
  ["America/New_York", "2023-07-01 08:00 EDT"],
  ["Asia/Kathmandu", "2023-07-01 17:45 +0545"],
  ["Etc/GMT+5", "2023-07-01 07:00 -05"],
  ["Local", "2023-07-01 12:00 UTC"],
  ["europe/paris", undefined],
  ["Nowhere", undefined],
  ["+01:00", undefined],
  ["../UTC", undefined],
])("finds the zone %s", (name, wanted) => {
  const zone = tryLoadZone(name);
  const shown = zone && formatTime(instantOf(1_688_212_800n, 0, zone), "2006-01-02 15:04 MST");
  expect(shown).toBe(wanted);
});

test("prints what the clock gives with its second hand", () => {
  expect(timeOfClock(1_700_000_000_123).text()).toBe("2023-11-14 22:13:20.123 +0000 UTC m=+0.100000000");
});

function call(receiver: GoValue, name: string, ...args: readonly GoValue[]): GoValue {
  const methods =
    receiver instanceof GoInteger ? namedIntegerMethods(receiver) : (receiver as GoStruct).methods;
  const method = methods.get(name);
  if (method === undefined) throw new Error(`there is no method ${name}`);
  return method.call(args, context);
}

function shown(value: GoValue): unknown {
  if (value instanceof GoStruct) return value.text();
  return value instanceof GoInteger ? (namedIntegerText(value) ?? value.value) : value;
}

const day = new GoTime(instantOf(1_700_000_000n, 123_456_789, utc));

test.each<readonly [string, readonly GoValue[], unknown]>([
  ["Month", [], "November"],
  ["Weekday", [], "Tuesday"],
  ["YearDay", [], 318n],
  ["UnixMilli", [], 1_700_000_000_123n],
  ["UnixNano", [], 1_700_000_000_123_456_789n],
  ["Add", [durationOf(-hour)], "2023-11-14 21:13:20.123456789 +0000 UTC"],
  ["AddDate", [intOf(0), intOf(3), intOf(17)], "2024-03-02 22:13:20.123456789 +0000 UTC"],
  ["Truncate", [durationOf(hour)], "2023-11-14 22:00:00 +0000 UTC"],
  ["Round", [durationOf(24n * hour)], "2023-11-15 00:00:00 +0000 UTC"],
  ["Sub", [zeroTime()], "2562047h47m16.854775807s"],
  ["Before", [zeroTime()], false],
  ["IsZero", [], false],
  ["Location", [], "UTC"],
  ["Format", ["Jan 2006"], "Nov 2023"],
])("a time's %s", (name, args, wanted) => {
  expect(shown(call(day, name, ...args))).toEqual(wanted);
});

test("a duration and a month have methods too", () => {
  const duration = call(day, "Sub", call(day, "AddDate", intOf(0), intOf(0), intOf(1)));
  expect([call(duration, "Hours"), call(duration, "String"), shown(call(duration, "Abs"))]).toEqual([
    -24,
    "-24h0m0s",
    "24h0m0s",
  ]);
  expect(call(call(day, "Month"), "String")).toBe("November");
});

test("encodes as JSON while the year has four digits", () => {
  expect(day.toJson()).toBe("2023-11-14T22:13:20.123456789Z");
  expect(() => new GoTime(instantOf(253_402_300_800n, 0, utc)).toJson()).toThrow(
    "json: error calling MarshalJSON for type time.Time: Time.MarshalJSON: year outside of range [0,9999]",
  );
});
