import { monthNames, weekdayNames } from "./calendar.ts";
import {
  durationIn,
  durationOf,
  formatDuration,
  hour,
  minute,
  roundDuration,
  saturateDuration,
  second,
  truncateDuration,
} from "./duration.ts";
import { define } from "./function.ts";
import { goTypes, type GoType } from "./type.ts";
import { GoInteger, int64Of, type GoFunction, type Parameter } from "./value.ts";

const monthType: GoType = { name: "time.Month", kind: "int", named: true };
const weekdayType: GoType = { name: "time.Weekday", kind: "int", named: true };

/** A parameter of type time.Duration. */
export const durationParameter: Parameter<GoInteger> = { type: goTypes.duration, tracked: false };

/** A time.Month, from 1. */
export function monthOf(month: number): GoInteger {
  return new GoInteger(BigInt(month), monthType);
}

/** A time.Weekday, from 0 for Sunday. */
export function weekdayOf(weekday: number): GoInteger {
  return new GoInteger(BigInt(weekday), weekdayType);
}

/** What `String()` gives for integers of types that have it: `1h0m0s`, `November`, `Sunday`. */
export function namedIntegerText({ value, type }: GoInteger): string | undefined {
  switch (type.name) {
    case goTypes.duration.name:
      return formatDuration(value);
    case monthType.name:
      return monthNames[Number(value) - 1] ?? `%!Month(${BigInt.asUintN(64, value)})`;
    case weekdayType.name:
      return weekdayNames[Number(value)] ?? `%!Weekday(${BigInt.asUintN(64, value)})`;
    default:
      return undefined;
  }
}

/** The methods of an integer of a named type: of durations, months and days of the week. */
export function namedIntegerMethods(integer: GoInteger): ReadonlyMap<string, GoFunction> {
  const text = namedIntegerText(integer);
  if (text === undefined) return new Map();
  const String = define([], () => text);
  return new Map(
    Object.entries(
      integer.type.name === goTypes.duration.name
        ? { ...durationMethods(integer.value), String }
        : { String },
    ),
  );
}

function durationMethods(nanoseconds: bigint): Record<string, GoFunction> {
  return {
    Abs: define([], () => durationOf(saturateDuration(nanoseconds < 0n ? -nanoseconds : nanoseconds))),
    Hours: define([], () => durationIn(nanoseconds, hour)),
    Microseconds: define([], () => int64Of(nanoseconds / 1000n)),
    Milliseconds: define([], () => int64Of(nanoseconds / 1_000_000n)),
    Minutes: define([], () => durationIn(nanoseconds, minute)),
    Nanoseconds: define([], () => int64Of(nanoseconds)),
    Round: define([durationParameter], ([multiple]) =>
      durationOf(roundDuration(nanoseconds, multiple.value)),
    ),
    Seconds: define([], () => durationIn(nanoseconds, second)),
    Truncate: define([durationParameter], ([multiple]) =>
      durationOf(truncateDuration(nanoseconds, multiple.value)),
    ),
  };
}
