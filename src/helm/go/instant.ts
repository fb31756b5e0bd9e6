import { secondsPerDay, dayOfDate, type WallTime } from "./calendar.ts";
import { saturateDuration, second } from "./duration.ts";
import type { TimeZone } from "./time-zone.ts";

/** A point in time and the place whose clocks show it. */
export interface Instant {
  /** Since 1970, in 64 bits. */
  readonly unixSeconds: bigint;
  /** From 0 to 999,999,999. */
  readonly nanoseconds: number;
  readonly zone: TimeZone;
  /** Nanoseconds since the program began, which Go prints with times that come from the clock. */
  readonly monotonic?: bigint | undefined;
}

/** Go counts seconds from the year 1 and wraps around there. */
const unixToInternal = BigInt(719_162 * secondsPerDay);

/** Seconds since the year 1, in 64 bits: what Go compares. */
function internalSeconds({ unixSeconds }: Instant): bigint {
  return BigInt.asIntN(64, unixSeconds + unixToInternal);
}

/** The time of seconds since 1970 and, if wanted, nanoseconds. */
export function instantOf(unixSeconds: bigint, nanoseconds: number, zone: TimeZone): Instant {
  return { unixSeconds: BigInt.asIntN(64, unixSeconds), nanoseconds, zone };
}

/** The time at which the clocks of a zone show this (time.Date). */
export function instantOfWall(
  wall: Omit<WallTime, "yearDay" | "weekday">,
  nanoseconds: number,
  zone: TimeZone,
): Instant {
  const days = BigInt(dayOfDate(wall.year, wall.month, wall.day));
  const seconds = wall.hour * 3600 + wall.minute * 60 + wall.second;
  const local = days * BigInt(secondsPerDay) + BigInt(seconds);
  const first = zone.at(local).offset;
  // Near a change of the clocks the offset is the one at the time itself.
  const offset = first === 0 ? 0 : zone.at(local - BigInt(first)).offset;
  return instantOf(local - BigInt(offset), nanoseconds, zone);
}

/** Later by so many nanoseconds; at the end of what 64 bits of seconds hold time stands still. */
export function addDuration(instant: Instant, nanoseconds: bigint): Instant {
  const total = BigInt(instant.nanoseconds) + nanoseconds;
  const rest = ((total % second) + second) % second;
  const internal = saturateDuration(internalSeconds(instant) + (total - rest) / second);
  const monotonic = instant.monotonic === undefined ? undefined : instant.monotonic + nanoseconds;
  return {
    ...instantOf(internal - unixToInternal, Number(rest), instant.zone),
    ...(monotonic === undefined || monotonic !== saturateDuration(monotonic) ? {} : { monotonic }),
  };
}

/** Nanoseconds from the second time to the first, at most what a duration holds (Time.Sub). */
export function durationBetween(later: Instant, earlier: Instant): bigint {
  const seconds = internalSeconds(later) - internalSeconds(earlier);
  return saturateDuration(seconds * second + BigInt(later.nanoseconds - earlier.nanoseconds));
}

/** Negative, zero or positive as the first time is before, at or after the second. */
export function compareInstants(left: Instant, right: Instant): number {
  const difference = internalSeconds(left) - internalSeconds(right);
  if (difference !== 0n) return difference < 0n ? -1 : 1;
  return Math.sign(left.nanoseconds - right.nanoseconds);
}

/** Whether it is Go's zero time, the first of January of the year 1 in UTC. */
export function isZeroInstant(instant: Instant): boolean {
  return internalSeconds(instant) === 0n && instant.nanoseconds === 0;
}

/** Go's zero time. */
export function zeroInstant(zone: TimeZone): Instant {
  return instantOf(-unixToInternal, 0, zone);
}

/** Nanoseconds since the year 1, by which Time.Round and Time.Truncate count. */
export function sinceYearOne(instant: Instant): bigint {
  return internalSeconds(instant) * second + BigInt(instant.nanoseconds);
}
