import {
  durationIn,
  durationOf,
  hour,
  minute,
  parseDuration,
  roundDuration,
  second,
  truncateDuration,
} from "../go/duration.ts";
import { printValue } from "../go/format.ts";
import { define, parameters, type FunctionTable } from "../go/function.ts";
import { readFloat } from "../go/number.ts";
import { quoteGo } from "../go/quote.ts";
import { plainText } from "../go/text.ts";
import { goTypes } from "../go/type.ts";
import { fromBytes, toBytes } from "../go/utf8.ts";
import { GoError, GoInteger, int64Of, typeOf, type GoFunction, type GoValue } from "../go/value.ts";

/** The functions of durations that Helm 4 adds. */
export const helm4DurationFunctions: FunctionTable = {
  mustToDuration: define([parameters.any], ([value]) => durationOf(toDuration(value))),
  durationSeconds: inUnits((nanoseconds) => durationIn(nanoseconds, second)),
  durationMilliseconds: inUnits((nanoseconds) => int64Of(nanoseconds / 1_000_000n)),
  durationMicroseconds: inUnits((nanoseconds) => int64Of(nanoseconds / 1000n)),
  durationNanoseconds: inUnits((nanoseconds) => int64Of(nanoseconds)),
  durationMinutes: inUnits((nanoseconds) => durationIn(nanoseconds, minute)),
  durationHours: inUnits((nanoseconds) => durationIn(nanoseconds, hour)),
  durationDays: inUnits((nanoseconds) => durationIn(nanoseconds, hour) / 24),
  durationWeeks: inUnits((nanoseconds) => durationIn(nanoseconds, hour) / 24 / 7),
  durationRoundTo: toMultiple(roundDuration),
  durationTruncateTo: toMultiple(truncateDuration),
};

/** A value that is no duration counts as none. */
function inUnits(convert: (nanoseconds: bigint) => GoValue): GoFunction {
  return define([parameters.any], ([value]) => convert(tryToDuration(value) ?? 0n));
}

/** A multiple that is no duration leaves the value as it is. */
function toMultiple(round: (nanoseconds: bigint, multiple: bigint) => bigint): GoFunction {
  return define([parameters.any, parameters.any], ([value, multiple]) =>
    durationOf(round(tryToDuration(value) ?? 0n, tryToDuration(multiple) ?? 0n)),
  );
}

function tryToDuration(value: GoValue): bigint | undefined {
  try {
    return toDuration(value);
  } catch (error) {
    if (error instanceof GoError) return undefined;
    throw error;
  }
}

/**
 * The nanoseconds of a duration, of its text, or of a number of seconds.
 * @throws GoError where it is none of these, or too large
 */
function toDuration(value: GoValue): bigint {
  if (typeof value === "string") return durationOfText(value);
  if (typeof value === "number") return durationOfSeconds(value);
  if (value instanceof GoInteger) {
    return value.type.name === goTypes.duration.name ? value.value : durationOfWholeSeconds(value.value);
  }
  if (value === null) throw new GoError("invalid duration");
  throw new GoError(`unsupported duration type ${typeOf(value)?.name}`);
}

function durationOfText(text: string): bigint {
  const trimmed = toBytes(fromBytes(text).trim());
  if (trimmed === "") throw new GoError("empty duration");
  try {
    return parseDuration(trimmed);
  } catch (error) {
    if (!(error instanceof GoError)) throw error;
  }
  const seconds = readFloat(trimmed);
  if (seconds.error !== undefined) throw new GoError(`could not parse duration ${quoteGo(text)}`);
  return durationOfSeconds(seconds.value);
}

function durationOfWholeSeconds(seconds: bigint): bigint {
  const limit = ((1n << 63n) - 1n) / second;
  if (seconds > limit || seconds < -limit) throw new GoError(`duration seconds overflow: ${seconds}`);
  return seconds * second;
}

function durationOfSeconds(seconds: number): bigint {
  const text = plainText(printValue(seconds));
  if (!Number.isFinite(seconds)) throw new GoError(`invalid duration seconds: ${text}`);
  const limit = 2 ** 63 / 1e9;
  if (seconds > limit || seconds < -limit) throw new GoError(`duration seconds overflow: ${text}`);
  return BigInt.asIntN(64, BigInt(Math.trunc(seconds * 1e9)));
}
