import { minute, parseDuration, roundDuration, second, formatDuration, hour } from "../go/duration.ts";
import { define, parameters, type FunctionTable } from "../go/function.ts";
import type { GoContext } from "../go/context.ts";
import { addDuration, durationBetween, type Instant } from "../go/instant.ts";
import { readInt } from "../go/number.ts";
import { GoTime, timeOfClock, timeOfUnix, timeParameter, zeroTime } from "../go/time.ts";
import { formatTime } from "../go/time-format.ts";
import { parseTime } from "../go/time-parse.ts";
import { tryLoadZone, utc } from "../go/time-zone.ts";
import { GoError, GoInteger, type GoValue } from "../go/value.ts";

const dateLayout = "2006-01-02";

const dateInZone = define(
  [parameters.string, parameters.any, parameters.string],
  ([layout, date, zone], context) => formatIn(layout, date, zone, context),
);

const dateModify = define([parameters.string, timeParameter], ([text, time]) => modified(time, text) ?? time);

const mustDateModify = define(
  [parameters.string, timeParameter],
  ([text, time]) => new GoTime(addDuration(time.instant, parseDuration(text))),
);

/** Sprig's functions of dates and durations; the local zone is UTC. */
export const dateFunctions: FunctionTable = {
  now: define([], (_, context) => timeOfClock(context.now)),
  date: define([parameters.string, parameters.any], ([layout, date], context) =>
    formatIn(layout, date, "Local", context),
  ),
  dateInZone,
  date_in_zone: dateInZone,
  htmlDate: define([parameters.any], ([date], context) => formatIn(dateLayout, date, "Local", context)),
  htmlDateInZone: define([parameters.any, parameters.string], ([date, zone], context) =>
    formatIn(dateLayout, date, zone, context),
  ),
  dateModify,
  date_modify: dateModify,
  mustDateModify,
  must_date_modify: mustDateModify,
  ago: define([parameters.any], ([date], context) => {
    const instant = instantOfDate(date, ["int64", "int"], context);
    return formatDuration(roundDuration(durationSince(instant, context), second));
  }),
  duration: define([parameters.any], ([seconds]) =>
    formatDuration(BigInt.asIntN(64, secondsOf(seconds) * second)),
  ),
  durationRound: define([parameters.any], ([duration], context) =>
    inLargestUnit(nanosecondsOf(duration, context)),
  ),
  toDate: define([parameters.string, parameters.string], ([layout, text]) => {
    try {
      return new GoTime(parseTime(layout, text));
    } catch (error) {
      if (error instanceof GoError) return zeroTime();
      throw error;
    }
  }),
  mustToDate: define(
    [parameters.string, parameters.string],
    ([layout, text]) => new GoTime(parseTime(layout, text)),
  ),
  unixEpoch: define([timeParameter], ([time]) => String(time.instant.unixSeconds)),
};

/** Later by a duration; undefined where the text is none. */
function modified(time: GoTime, text: string): GoTime | undefined {
  const nanoseconds = tryDuration(text);
  return nanoseconds === undefined ? undefined : new GoTime(addDuration(time.instant, nanoseconds));
}

function tryDuration(text: string): bigint | undefined {
  try {
    return parseDuration(text);
  } catch (error) {
    if (error instanceof GoError) return undefined;
    throw error;
  }
}

/** A date in a zone, or in UTC where there is no such zone. */
function formatIn(layout: string, date: GoValue, zoneName: string, context: GoContext): string {
  // Each part of a layout is a text of its own until all are joined.
  context.budget.spendBytes(8 * layout.length);
  const instant = instantOfDate(date, ["int64", "int", "int32"], context);
  return formatTime({ ...instant, zone: tryLoadZone(zoneName) ?? utc }, layout);
}

/** A time, or seconds since 1970 of one of these types; now for everything else. */
function instantOfDate(date: GoValue, integerTypes: readonly string[], { now }: GoContext): Instant {
  if (date instanceof GoTime) return date.instant;
  const isSeconds = date instanceof GoInteger && integerTypes.includes(date.type.name);
  return (isSeconds ? timeOfUnix(date.value) : timeOfClock(now)).instant;
}

function durationSince(instant: Instant, { now }: GoContext): bigint {
  return durationBetween(timeOfClock(now).instant, instant);
}

/** A text that is no number counts as 0, and so do integers other than int64; too large a number is the largest. */
function secondsOf(seconds: GoValue): bigint {
  if (typeof seconds === "string") return readInt(seconds).value;
  return isInt64(seconds) ? seconds.value : 0n;
}

/** Of a duration's text, an int64 or a time, which stands for the time since then. */
function nanosecondsOf(duration: GoValue, context: GoContext): bigint {
  if (typeof duration === "string") return tryDuration(duration) ?? 0n;
  if (duration instanceof GoTime) return durationSince(duration.instant, context);
  return isInt64(duration) ? duration.value : 0n;
}

function isInt64(value: GoValue): value is GoInteger {
  return value instanceof GoInteger && value.type.name === "int64";
}

/** In Sprig's terms: years of 365 days, months of 30. */
const roundUnits: readonly (readonly [size: bigint, name: string])[] = [
  [365n * 24n * hour, "y"],
  [30n * 24n * hour, "mo"],
  [24n * hour, "d"],
  [hour, "h"],
  [minute, "m"],
  [second, "s"],
];

/** The size in the largest unit that it exceeds: an hour is still 60 minutes. */
function inLargestUnit(nanoseconds: bigint): string {
  const size = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  const unit = roundUnits.find(([unitSize]) => size > unitSize);
  return unit === undefined ? "0s" : `${size / unit[0]}${unit[1]}`;
}
