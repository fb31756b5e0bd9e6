import { parseTime } from "../go/time-parse.ts";
import { fromBytes, toBytes } from "../go/utf8.ts";
import { GoError } from "../go/value.ts";

/** The formats for dates, times and spans of time (jsonschema/v6, format.go). */
export const timeFormats: Readonly<Record<string, (text: string) => string | undefined>> = {
  date: dateProblem,
  time: timeProblem,
  "date-time": dateTimeProblem,
  duration: durationProblem,
  period: periodProblem,
};

function dateProblem(text: string): string | undefined {
  try {
    parseTime("2006-01-02", toBytes(text));
    return undefined;
  } catch (error) {
    if (error instanceof GoError) return fromBytes(error.message);
    throw error;
  }
}

/** RFC 3339; a leap second is one at the end of a day in UTC. */
function timeProblem(text: string): string | undefined {
  if (toBytes(text).length < 9) return "less than 9 characters long";
  if (text[2] !== ":" || text[5] !== ":") return "missing colon in correct place";
  const [hour = 0, minute = 0, second = 0] = text.slice(0, 8).split(":").map(toInteger);
  if ([hour, minute, second].some(Number.isNaN)) return "invalid hour/min/sec";
  if (Math.min(hour, minute, second) < 0) return "non-positive hour/min/sec";
  if (hour > 23 || minute > 59 || second > 60) return "hour/min/sec out of range";
  let zone = text.slice(8);
  if (zone.startsWith(".")) {
    const digits = /^\.([0-9]*)/u.exec(zone)?.[1] ?? "";
    if (digits === "") return "no digits in second fraction";
    zone = zone.slice(1 + digits.length);
  }
  const offset = readOffset(zone);
  if (typeof offset === "string") return offset;
  const minuteOfDay = (hour * 60 + minute - offset + 24 * 60) % (24 * 60);
  return second === 60 && minuteOfDay !== 23 * 60 + 59 ? "invalid leap second" : undefined;
}

/** Minutes east of UTC, or what is wrong. */
function readOffset(zone: string): number | string {
  if (zone === "z" || zone === "Z") return 0;
  if (zone.length !== 6) return "offset must be 6 characters long";
  if (!/^[-+]/u.test(zone)) return "offset must begin with plus/minus";
  if (zone[3] !== ":") return "missing colon in offset in correct place";
  const [hours, minutes] = [toInteger(zone.slice(1, 3)), toInteger(zone.slice(4))];
  if (Number.isNaN(hours) || Number.isNaN(minutes)) return "invalid hour/min in offset";
  if (Math.min(hours, minutes) < 0) return "non-positive hour/min in offset";
  if (hours > 23 || minutes > 59) return "hour/min in offset out of range";
  return (zone.startsWith("-") ? -1 : 1) * (hours * 60 + minutes);
}

function dateTimeProblem(text: string): string | undefined {
  if (toBytes(text).length < 20) return "less than 20 characters long";
  if (text[10] !== "t" && text[10] !== "T") return "11th character must be t or T";
  return (
    within("date element", dateProblem(text.slice(0, 10))) ??
    within("time element", timeProblem(text.slice(11)))
  );
}

function durationProblem(text: string): string | undefined {
  if (!text.startsWith("P")) return "must start with P";
  const rest = text.slice(1);
  if (rest === "") return "nothing after P";
  if (rest.endsWith("W")) {
    const weeks = rest.slice(0, -1);
    if (weeks === "") return "no number in week";
    return /^[0-9]+$/u.test(weeks) ? undefined : "invalid week";
  }
  const [days = "", hours, ...others] = rest.split("T");
  const problem = unitsProblem(days, "YMD");
  if (problem !== undefined || hours === undefined) return problem;
  if (hours === "") return "no time elements";
  return unitsProblem(hours, "HMS") ?? (others.length > 0 ? afterSecondMark(others[0] ?? "") : undefined);
}

function afterSecondMark(part: string): string {
  return part === "" ? "no time elements" : "more than one T";
}

/** Numbers with their units, which come in order and once each. */
function unitsProblem(text: string, units: string): string | undefined {
  let rest = text;
  let next = 0;
  while (rest !== "") {
    const digits = /^[0-9]*/u.exec(rest)?.[0] ?? "";
    if (digits === "") return "missing number";
    const unit = rest.charAt(digits.length);
    if (unit === "") return "missing unit";
    const found = units.indexOf(unit, next);
    if (found === -1) {
      return units.includes(unit) ? `unit '${unit}' out of order` : `invalid unit '${unit}'`;
    }
    next = found + 1;
    rest = rest.slice(digits.length + 1);
  }
  return undefined;
}

function periodProblem(text: string): string | undefined {
  const slash = text.indexOf("/");
  if (slash === -1) return "missing slash";
  const [start, end] = [text.slice(0, slash), text.slice(slash + 1)];
  if (start.startsWith("P")) {
    return within("start duration", durationProblem(start)) ?? within("end date-time", dateTimeProblem(end));
  }
  const first = within("start date-time", dateTimeProblem(start));
  if (first !== undefined) return first;
  return end.startsWith("P")
    ? within("end duration", durationProblem(end))
    : within("end date-time", dateTimeProblem(end));
}

function within(part: string, problem: string | undefined): string | undefined {
  return problem === undefined ? undefined : `invalid ${part}: ${problem}`;
}

function toInteger(text: string): number {
  return /^[-+]?[0-9]+$/u.test(text) ? Number(text) : Number.NaN;
}
