/** What calendar and clock show. */
export interface WallTime {
  readonly year: number;
  /** From 1. */
  readonly month: number;
  readonly day: number;
  /** From 1. */
  readonly yearDay: number;
  /** From 0, Sunday. */
  readonly weekday: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

export const monthNames: readonly string[] = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

export const weekdayNames: readonly string[] = [
  "Sunday",
  "Monday",
  "Tuesday",
  "Wednesday",
  "Thursday",
  "Friday",
  "Saturday",
];

export const secondsPerDay = 86_400;

const daysPerEra = 146_097;
/** Days from the first of March of the year 0 to 1970. */
const daysToEpoch = 719_468;
/** Go counts from a year so far back that its seconds are never negative; a time before it wraps around. */
const daysFromGoOrigin = (292_277_022_400 / 400) * daysPerEra + 719_162 + 306;

/** Calendar and clock at a time in seconds since 1970, where clocks are so many seconds ahead of UTC. */
export function wallTime(unixSeconds: bigint, offset: number): WallTime {
  const origin = BigInt(daysFromGoOrigin) * BigInt(secondsPerDay);
  const absolute = BigInt.asUintN(64, unixSeconds + BigInt(offset) + origin);
  const days = Number(absolute / BigInt(secondsPerDay)) - daysFromGoOrigin;
  const seconds = Number(absolute % BigInt(secondsPerDay));
  const { year, month, day } = dateOfDay(days);
  return {
    year,
    month,
    day,
    yearDay: days - dayOfDate(year, 1, 1) + 1,
    weekday: (((days + 4) % 7) + 7) % 7,
    hour: Math.trunc(seconds / 3600),
    minute: Math.trunc(seconds / 60) % 60,
    second: seconds % 60,
  };
}

/** The date so many days after 1970 began, in the calendar that today's is, carried on into the past. */
function dateOfDay(daysSinceEpoch: number): { year: number; month: number; day: number } {
  // Years begin in March here, so that the leap day is the last of them.
  const days = daysSinceEpoch + daysToEpoch;
  const era = Math.floor(days / daysPerEra);
  const dayOfEra = days - era * daysPerEra;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1,
  };
}

/** Days from 1970 to a date. Months and days out of range run on into the next year or month, as in Go's time.Date. */
export function dayOfDate(year: number, month: number, day: number): number {
  const monthFromMarch = (((month - 3) % 12) + 12) % 12;
  const yearFromMarch = year + Math.floor((month - 3) / 12);
  const era = Math.floor(yearFromMarch / 400);
  const yearOfEra = yearFromMarch - era * 400;
  const dayOfEra =
    365 * yearOfEra +
    Math.floor(yearOfEra / 4) -
    Math.floor(yearOfEra / 100) +
    Math.floor((153 * monthFromMarch + 2) / 5) +
    day -
    1;
  return era * daysPerEra + dayOfEra - daysToEpoch;
}

/** Whether the year has a 29th of February. */
export function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

/** How many days a month has, from 1. */
export function daysInMonth(year: number, month: number): number {
  return dayOfDate(year, month + 1, 1) - dayOfDate(year, month, 1);
}
