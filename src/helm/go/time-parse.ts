import { monthNames, weekdayNames } from "./calendar.ts";
import type { Instant } from "./instant.ts";
import { MismatchError, OutOfRangeError, signedInteger, TimeCursor } from "./time-cursor.ts";
import { TimeFields } from "./time-fields.ts";
import { isFraction, isOffset, parseLayout } from "./time-layout.ts";
import { quoteForTime } from "./time-quote.ts";
import { utc } from "./time-zone.ts";
import { GoError } from "./value.ts";

const shortMonthNames = monthNames.map((name) => name.slice(0, 3));
const shortWeekdayNames = weekdayNames.map((name) => name.slice(0, 3));

/**
 * Reads a time in a layout of Go's; without a zone it is local (time.ParseInLocation with time.Local).
 * @throws GoError with Go's text where it does not fit
 */
export function parseTime(layout: string, text: string): Instant {
  try {
    return readFields(layout, text).toInstant();
  } catch (error) {
    if (!(error instanceof OutOfRangeError)) throw error;
    throw new GoError(`parsing time ${quoteForTime(text)}: ${error.message}`);
  }
}

/** @throws GoError OutOfRangeError */
function readFields(layout: string, text: string): TimeFields {
  const cursor = new TimeCursor(text);
  const fields = new TimeFields();
  const cannotParse = (rest: string, element: string): GoError =>
    new GoError(
      `parsing time ${quoteForTime(text)} as ${quoteForTime(layout)}: ` +
        `cannot parse ${quoteForTime(rest)} as ${quoteForTime(element)}`,
    );
  const pieces = parseLayout(layout);
  for (const [index, { prefix, element }] of pieces.entries()) {
    if (!cursor.skip(prefix)) throw cannotParse(cursor.rest, prefix);
    const { rest } = cursor;
    try {
      readElement(element, cursor, fields, isFraction(pieces[index + 1]?.element ?? ""));
    } catch (error) {
      throw error instanceof MismatchError ? cannotParse(rest, element) : error;
    }
  }
  if (cursor.rest === "") return fields;
  throw new GoError(`parsing time ${quoteForTime(text)}: extra text: ${quoteForTime(cursor.rest)}`);
}

/** Reads what an element stands for; a fraction may follow seconds even if the layout has none there. */
function readElement(
  element: string,
  cursor: TimeCursor,
  fields: TimeFields,
  fractionFollows: boolean,
): void {
  if (isFraction(element)) {
    readFraction(element, cursor, fields);
  } else if (isOffset(element)) {
    readOffset(element, cursor, fields);
  } else if (element === "05" || element === "5") {
    fields.second = cursor.number(element, "second", 0, 59);
    const length = fractionFollows ? 0 : cursor.fractionLength();
    if (length > 0) fields.nanoseconds = cursor.nanoseconds(length);
  } else if (!readDate(element, cursor, fields)) {
    readClock(element, cursor, fields);
  }
}

/** Whether it is an element of the date, which has then been read. */
function readDate(element: string, cursor: TimeCursor, fields: TimeFields): boolean {
  switch (element) {
    case "06": {
      const year = signedInteger(cursor.take(2));
      fields.year = year + (year >= 69 ? 1900 : 2000);
      return true;
    }
    case "2006":
      if (!/^\d/u.test(cursor.rest)) throw new MismatchError();
      fields.year = signedInteger(cursor.take(4));
      return true;
    case "January":
      fields.month = cursor.name(monthNames) + 1;
      return true;
    case "Jan":
      fields.month = cursor.name(shortMonthNames) + 1;
      return true;
    case "01":
    case "1":
      fields.month = cursor.number(element, "month", 1, 12);
      return true;
    case "Monday":
      cursor.name(weekdayNames);
      return true;
    case "Mon":
      cursor.name(shortWeekdayNames);
      return true;
    case "_2":
    case "02":
    case "2":
      cursor.skipSpaces(element === "_2" ? 1 : 0);
      fields.day = cursor.digits(element === "02" ? 2 : 1, 2);
      return true;
    case "__2":
    case "002":
      cursor.skipSpaces(element === "__2" ? 2 : 0);
      fields.yearDay = cursor.digits(element === "002" ? 3 : 1, 3);
      return true;
    default:
      return false;
  }
}

function readClock(element: string, cursor: TimeCursor, fields: TimeFields): void {
  switch (element) {
    case "15":
      fields.hour = cursor.number(element, "hour", 0, 23);
      break;
    case "03":
    case "3":
      fields.hour = cursor.number(element, "hour", 0, 12);
      break;
    case "04":
    case "4":
      fields.minute = cursor.number(element, "minute", 0, 59);
      break;
    case "PM":
    case "pm":
      readHalf(cursor.take(2), element, fields);
      break;
    case "MST":
      if (cursor.rest.startsWith("UTC")) {
        cursor.take(3);
        fields.zone = utc;
      } else {
        fields.zoneName = cursor.zoneName();
      }
      break;
    default:
  }
}

function readHalf(half: string, element: "PM" | "pm", fields: TimeFields): void {
  if (half === element) fields.isAfternoon = true;
  else if (half === (element === "PM" ? "AM" : "am")) fields.isMorning = true;
  else throw new MismatchError();
}

/** `.000` asks for as many characters; `.999` takes any number of digits, or nothing. */
function readFraction(element: string, cursor: TimeCursor, fields: TimeFields): void {
  const length = element[1] === "9" ? cursor.fractionLength() : element.length;
  if (length > 0) fields.nanoseconds = cursor.nanoseconds(length);
}

function readOffset(element: string, cursor: TimeCursor, fields: TimeFields): void {
  if (element.startsWith("Z") && cursor.rest.startsWith("Z")) {
    cursor.take(1);
    fields.zone = utc;
    return;
  }
  const text = cursor.take(element.length);
  for (const { index } of element.matchAll(/:/gu)) {
    if (text[index] !== ":") throw new MismatchError();
  }
  const step = element.includes(":") ? 3 : 2;
  const numbers: number[] = [];
  for (let position = 1; position < element.length; position += step) {
    const digits = text.slice(position, position + 2);
    if (!/^\d\d$/u.test(digits)) break;
    numbers.push(Number(digits));
  }
  const [hour = 0, minute = 0, second = 0] = numbers;
  // Of several that are out of range, Go names the last.
  if (second > 60) throw new OutOfRangeError("time zone offset second out of range");
  if (minute > 60) throw new OutOfRangeError("time zone offset minute out of range");
  if (hour > 24) throw new OutOfRangeError("time zone offset hour out of range");
  const isWhole = numbers.length === Math.ceil((element.length - 1) / step);
  if (!isWhole || !/^[+-]/u.test(text)) throw new MismatchError();
  const size = (hour * 60 + minute) * 60 + second;
  fields.offset = text.startsWith("-") ? -size : size;
}
