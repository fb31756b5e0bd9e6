import { formatGoFloat } from "../../yaml/go-number.ts";
import { monthNames, weekdayNames } from "./calendar.ts";
import { formatDuration } from "./duration.ts";
import { GoInteger, GoStruct, type GoScalar, type GoValue } from "./value.ts";

/** What `String()` gives, undefined for values without it. */
export function textOf(value: GoValue): string | undefined {
  if (value instanceof GoStruct) return value.text();
  return value instanceof GoInteger && value.type.named === true ? namedIntegerText(value) : undefined;
}

function namedIntegerText({ value, type }: GoInteger): string | undefined {
  switch (type.name) {
    case "time.Duration":
      return formatDuration(value);
    case "time.Month":
      return monthNames[Number(value) - 1] ?? `%!Month(${value})`;
    case "time.Weekday":
      return weekdayNames[Number(value)] ?? `%!Weekday(${value})`;
    default:
      return undefined;
  }
}

/** What a scalar prints, without its spans. */
export function printScalar(value: GoScalar): string {
  if (typeof value === "string") return value;
  if (typeof value === "number") return formatGoFloat(value);
  if (value === null) return "<nil>";
  if (typeof value === "boolean") return value ? "true" : "false";
  return textOf(value) ?? value.value.toString();
}
