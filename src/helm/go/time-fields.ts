import { dayOfDate, daysInMonth, isLeapYear } from "./calendar.ts";
import { second } from "./duration.ts";
import { addDuration, instantOfWall, type Instant } from "./instant.ts";
import { OutOfRangeError } from "./time-cursor.ts";
import { fixedZone, localZone, utc, type TimeZone } from "./time-zone.ts";

/** Go's mark for an offset that the text does not have; an offset of one second to the west counts as that too. */
const noOffset = -1;

/** What a text says of a time, field by field. */
export class TimeFields {
  year = 0;
  month: number | undefined;
  day: number | undefined;
  yearDay: number | undefined;
  hour = 0;
  minute = 0;
  second = 0;
  nanoseconds = 0;
  isMorning = false;
  isAfternoon = false;
  zone: TimeZone | undefined;
  /** Seconds east of Greenwich. */
  offset: number = noOffset;
  zoneName = "";

  /** The time; without a zone it is local. @throws OutOfRangeError where the fields do not make a date */
  toInstant(): Instant {
    const { month, day } = this.#date();
    if (day < 1 || day > daysInMonth(this.year, month)) throw new OutOfRangeError("day out of range");
    const { year, minute } = this;
    const wall = { year, month, day, hour: this.#hourOfDay(), minute, second: this.second };
    const instantIn = (zone: TimeZone): Instant => instantOfWall(wall, this.nanoseconds, zone);
    if (this.zone !== undefined) return instantIn(this.zone);
    if (this.offset !== noOffset) {
      const isLocal = this.offset === 0 && this.zoneName === "";
      return {
        ...addDuration(instantIn(utc), BigInt(-this.offset) * second),
        zone: isLocal ? localZone : fixedZone(this.zoneName, this.offset),
      };
    }
    if (this.zoneName === "") return instantIn(localZone);
    // The name says what to print; only GMT with a number says how far away it is.
    const hours = this.zoneName.startsWith("GMT") ? Number(this.zoneName.slice(3)) : 0;
    return { ...instantIn(utc), zone: fixedZone(this.zoneName, hours * 3600) };
  }

  #hourOfDay(): number {
    if (this.isAfternoon && this.hour < 12) return this.hour + 12;
    return this.isMorning && this.hour === 12 ? 0 : this.hour;
  }

  /** Month and day, which must agree with the day of the year if there is one. */
  #date(): { month: number; day: number } {
    const { year, yearDay } = this;
    if (yearDay === undefined) return { month: this.month ?? 1, day: this.day ?? 1 };
    if (yearDay < 1 || yearDay > (isLeapYear(year) ? 366 : 365)) {
      throw new OutOfRangeError("day-of-year out of range");
    }
    const daysBefore = (month: number): number => dayOfDate(year, month, 1) - dayOfDate(year, 1, 1);
    let month = 12;
    while (daysBefore(month) >= yearDay) month -= 1;
    const day = yearDay - daysBefore(month);
    if (this.month !== undefined && this.month !== month) {
      throw new OutOfRangeError("day-of-year does not match month");
    }
    if (this.day !== undefined && this.day !== day) {
      throw new OutOfRangeError("day-of-year does not match day");
    }
    return { month, day };
  }
}
