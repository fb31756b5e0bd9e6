import { monthNames, wallTime, weekdayNames, type WallTime } from "./calendar.ts";
import type { Instant } from "./instant.ts";
import { isFraction, isOffset, parseLayout } from "./time-layout.ts";
import type { ZoneTime } from "./time-zone.ts";

/** A time in a layout of Go's, such as `2006-01-02T15:04:05Z07:00` (time.Format). */
export function formatTime(instant: Instant, layout: string): string {
  const zone = instant.zone.at(instant.unixSeconds);
  const wall = wallTime(instant.unixSeconds, zone.offset);
  return parseLayout(layout)
    .map(({ prefix, element }) => prefix + formatElement(element, wall, zone, instant.nanoseconds))
    .join("");
}

function formatElement(element: string, wall: WallTime, zone: ZoneTime, nanoseconds: number): string {
  if (isFraction(element)) return formatFraction(element, nanoseconds);
  if (isOffset(element)) return formatOffset(element, zone.offset);
  switch (element) {
    case "2006":
      return padded(wall.year, 4);
    case "06":
      return padded(Math.abs(wall.year) % 100, 2);
    case "January":
      return monthNames[wall.month - 1] ?? "";
    case "Jan":
      return monthNames[wall.month - 1]?.slice(0, 3) ?? "";
    case "01":
      return padded(wall.month, 2);
    case "1":
      return String(wall.month);
    case "Monday":
      return weekdayNames[wall.weekday] ?? "";
    case "Mon":
      return weekdayNames[wall.weekday]?.slice(0, 3) ?? "";
    case "02":
      return padded(wall.day, 2);
    case "_2":
      return String(wall.day).padStart(2);
    case "2":
      return String(wall.day);
    case "002":
      return padded(wall.yearDay, 3);
    case "__2":
      return String(wall.yearDay).padStart(3);
    case "15":
      return padded(wall.hour, 2);
    case "03":
      return padded(hourOfTwelve(wall.hour), 2);
    case "3":
      return String(hourOfTwelve(wall.hour));
    case "04":
      return padded(wall.minute, 2);
    case "4":
      return String(wall.minute);
    case "05":
      return padded(wall.second, 2);
    case "5":
      return String(wall.second);
    case "PM":
      return wall.hour >= 12 ? "PM" : "AM";
    case "pm":
      return wall.hour >= 12 ? "pm" : "am";
    case "MST":
      return zone.abbreviation === "" ? signedOffset(zone.offset, "") : zone.abbreviation;
    default:
      return "";
  }
}

function padded(value: number, width: number): string {
  const digits = String(Math.abs(value)).padStart(width, "0");
  return value < 0 ? `-${digits}` : digits;
}

function hourOfTwelve(hour: number): number {
  return hour % 12 === 0 ? 12 : hour % 12;
}

/** `.000` always has its digits, `.999` drops zeros at the end. */
function formatFraction(element: string, nanoseconds: number): string {
  const isTrimmed = element[1] === "9";
  const digits = padded(nanoseconds, 9).slice(0, element.length - 1);
  const kept = isTrimmed ? digits.replace(/0+$/u, "") : digits;
  return kept === "" ? "" : `${element.slice(0, 1)}${kept}`;
}

/** `Z` in place of the sign asks for a bare Z in UTC. */
function formatOffset(element: string, offset: number): string {
  if (offset === 0 && element.startsWith("Z")) return "Z";
  const colon = element.includes(":") ? ":" : "";
  if (element.length === 3) return signedOffset(offset, colon).slice(0, 3);
  const seconds = element.length >= 7 ? colon + padded(sizeOf(offset) % 60, 2) : "";
  return signedOffset(offset, colon) + seconds;
}

function signedOffset(offset: number, colon: string): string {
  const minutes = Math.trunc(Math.abs(offset) / 60);
  const sign = offset <= -60 ? "-" : "+";
  return `${sign}${padded(Math.trunc(minutes / 60), 2)}${colon}${padded(minutes % 60, 2)}`;
}

/** Go leaves the sign on seconds alone. */
function sizeOf(offset: number): number {
  return offset <= -60 ? -offset : offset;
}
