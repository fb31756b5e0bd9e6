import { wallTime } from "./calendar.ts";
import { durationOf } from "./duration.ts";
import { define, parameters } from "./function.ts";
import {
  addDuration,
  compareInstants,
  durationBetween,
  instantOf,
  instantOfWall,
  isZeroInstant,
  sinceYearOne,
  zeroInstant,
  type Instant,
} from "./instant.ts";
import { durationParameter, monthOf, weekdayOf } from "./named-integer.ts";
import { formatTime } from "./time-format.ts";
import { localZone, utc, type TimeZone } from "./time-zone.ts";
import type { GoType } from "./type.ts";
import { GoError, GoStruct, int64Of, intOf, type GoFunction, type Parameter } from "./value.ts";

const timeType: GoType = { name: "time.Time", kind: "struct", named: true };
const locationType: GoType = { name: "*time.Location", kind: "ptr", named: true };

/** A time.Time. */
export class GoTime extends GoStruct {
  readonly instant: Instant;

  constructor(instant: Instant) {
    super(timeType, [], Object.entries(timeMethods(instant)));
    this.instant = instant;
  }

  /** As Go prints a time; one from the clock ends with the seconds since the program began. */
  override text(): string {
    return timeText(this.instant);
  }

  /** @throws GoError where the year has not four digits or the zone is a day or more away */
  override toJson(): string {
    const { instant } = this;
    const { offset } = instant.zone.at(instant.unixSeconds);
    const { year } = wallTime(instant.unixSeconds, offset);
    if (year < 0 || year > 9999) throw marshalError("year outside of range [0,9999]");
    if (Math.abs(offset) >= 86_400) throw marshalError("timezone hour outside of range [0,23]");
    return formatTime(instant, "2006-01-02T15:04:05.999999999Z07:00");
  }
}

function marshalError(what: string): GoError {
  return new GoError(`json: error calling MarshalJSON for type time.Time: Time.MarshalJSON: ${what}`);
}

/** A *time.Location. */
class GoLocation extends GoStruct {
  readonly zone: TimeZone;

  constructor(zone: TimeZone) {
    super(locationType, [], [["String", define([], () => zone.name)]]);
    this.zone = zone;
  }

  override text(): string {
    return this.zone.name;
  }
}

/** A parameter of type time.Time. */
export const timeParameter: Parameter<GoTime> = { type: timeType, tracked: false };

const locationParameter: Parameter<GoLocation> = { type: locationType, tracked: false };

/** The local time of seconds since 1970 (time.Unix). */
export function timeOfUnix(unixSeconds: bigint): GoTime {
  return new GoTime(instantOf(unixSeconds, 0, localZone));
}

/** The clock's time, with what Go prints of a process that has run for a tenth of a second (time.Now). */
export function timeOfClock(unixMilliseconds: number): GoTime {
  const milliseconds = Math.floor(unixMilliseconds);
  const seconds = Math.floor(milliseconds / 1000);
  const nanoseconds = (milliseconds - seconds * 1000) * 1_000_000;
  return new GoTime({ ...instantOf(BigInt(seconds), nanoseconds, localZone), monotonic: 100_000_000n });
}

/** Go's zero time. */
export function zeroTime(): GoTime {
  return new GoTime(zeroInstant(utc));
}

function timeText(instant: Instant): string {
  const text = formatTime(instant, "2006-01-02 15:04:05.999999999 -0700 MST");
  const { monotonic } = instant;
  if (monotonic === undefined) return text;
  const size = monotonic < 0n ? -monotonic : monotonic;
  const fraction = String(size % 1_000_000_000n).padStart(9, "0");
  return `${text} m=${monotonic < 0n ? "-" : "+"}${size / 1_000_000_000n}.${fraction}`;
}

function timeMethods(instant: Instant): Record<string, GoFunction> {
  const { unixSeconds, nanoseconds, zone } = instant;
  const wall = wallTime(unixSeconds, zone.at(unixSeconds).offset);
  const at = (other: TimeZone): GoTime => new GoTime(instantOf(unixSeconds, nanoseconds, other));
  const inUnit = (scale: bigint): bigint =>
    unixSeconds * scale + BigInt(nanoseconds) / (1_000_000_000n / scale);
  return {
    Add: define([durationParameter], ([duration]) => new GoTime(addDuration(instant, duration.value))),
    AddDate: define([parameters.int, parameters.int, parameters.int], ([years, months, days]) => {
      const date = {
        ...wall,
        year: wall.year + Number(years.value),
        month: wall.month + Number(months.value),
        day: wall.day + Number(days.value),
      };
      return new GoTime(instantOfWall(date, nanoseconds, zone));
    }),
    After: define([timeParameter], ([other]) => compareInstants(instant, other.instant) > 0),
    Before: define([timeParameter], ([other]) => compareInstants(instant, other.instant) < 0),
    Compare: define([timeParameter], ([other]) => intOf(compareInstants(instant, other.instant))),
    Day: define([], () => intOf(wall.day)),
    Equal: define([timeParameter], ([other]) => compareInstants(instant, other.instant) === 0),
    Format: define([parameters.string], ([layout], context) => {
      context.budget.spendBytes(layout.length);
      return formatTime(instant, layout);
    }),
    Hour: define([], () => intOf(wall.hour)),
    In: define([locationParameter], ([location]) => at(location.zone)),
    IsDST: define([], () => false),
    IsZero: define([], () => isZeroInstant(instant)),
    Local: define([], () => at(localZone)),
    Location: define([], () => new GoLocation(zone)),
    Minute: define([], () => intOf(wall.minute)),
    Month: define([], () => monthOf(wall.month)),
    Nanosecond: define([], () => intOf(nanoseconds)),
    Round: define([durationParameter], ([multiple]) => new GoTime(roundInstant(instant, multiple.value))),
    Second: define([], () => intOf(wall.second)),
    String: define([], () => timeText(instant)),
    Sub: define([timeParameter], ([other]) => durationOf(durationBetween(instant, other.instant))),
    Truncate: define(
      [durationParameter],
      ([multiple]) => new GoTime(truncateInstant(instant, multiple.value)),
    ),
    UTC: define([], () => at(utc)),
    Unix: define([], () => int64Of(unixSeconds)),
    UnixMicro: define([], () => int64Of(inUnit(1_000_000n))),
    UnixMilli: define([], () => int64Of(inUnit(1000n))),
    UnixNano: define([], () => int64Of(inUnit(1_000_000_000n))),
    Weekday: define([], () => weekdayOf(wall.weekday)),
    Year: define([], () => intOf(wall.year)),
    YearDay: define([], () => intOf(wall.yearDay)),
  };
}

/** Back to the last multiple since the year 1 (Time.Truncate). */
function truncateInstant(instant: Instant, multiple: bigint): Instant {
  const plain = { ...instant, monotonic: undefined };
  return multiple <= 0n ? plain : addDuration(plain, -restOf(instant, multiple));
}

/** To the nearest multiple since the year 1, later where two are equally near (Time.Round). */
function roundInstant(instant: Instant, multiple: bigint): Instant {
  const rest = multiple <= 0n ? 0n : restOf(instant, multiple);
  const isNearer = multiple <= 0n || rest + rest < multiple;
  return addDuration({ ...instant, monotonic: undefined }, isNearer ? -rest : multiple - rest);
}

function restOf(instant: Instant, multiple: bigint): bigint {
  return ((sinceYearOne(instant) % multiple) + multiple) % multiple;
}
