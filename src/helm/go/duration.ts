import { quoteForTime } from "./time-quote.ts";
import { goTypes } from "./type.ts";
import { GoError, GoInteger } from "./value.ts";

const microsecond = 1000n;
const millisecond = 1000n * microsecond;

/** Nanoseconds of the units that durations are counted in. */
export const second: bigint = 1000n * millisecond;
export const minute: bigint = 60n * second;
export const hour: bigint = 60n * minute;

const maxDuration = (1n << 63n) - 1n;
const minDuration = -(1n << 63n);

const units: ReadonlyMap<string, bigint> = new Map([
  ["ns", 1n],
  ["us", microsecond],
  // U+00B5 and U+03BC, as bytes.
  ["\u00c2\u00b5s", microsecond],
  ["\u00ce\u00bcs", microsecond],
  ["ms", millisecond],
  ["s", second],
  ["m", minute],
  ["h", hour],
]);

/** A time.Duration of so many nanoseconds, wrapped around where it does not fit. */
export function durationOf(nanoseconds: bigint): GoInteger {
  return new GoInteger(BigInt.asIntN(64, nanoseconds), goTypes.duration);
}

/** Nanoseconds brought into the range of a duration. */
export function saturateDuration(nanoseconds: bigint): bigint {
  return nanoseconds > maxDuration ? maxDuration : nanoseconds < minDuration ? minDuration : nanoseconds;
}

/**
 * Reads a duration such as `-1h15m30.5s` into nanoseconds (time.ParseDuration).
 * @throws GoError with Go's text where it is none
 */
export function parseDuration(text: string): bigint {
  const invalid = (what = "invalid duration"): GoError => new GoError(`time: ${what} ${quoteForTime(text)}`);
  const unsigned = /^[+-]/u.test(text) ? text.slice(1) : text;
  if (unsigned === "0") return 0n;
  if (unsigned === "") throw invalid();
  const part = /(\d*)(?:\.(\d*))?([^.\d]*)/y;
  const limit = 1n << 63n;
  let total = 0n;
  while (part.lastIndex < unsigned.length) {
    const [, whole = "", decimals = "", unitName = ""] = part.exec(unsigned) ?? [];
    const count = BigInt(whole);
    if ((whole === "" && decimals === "") || count > limit) throw invalid();
    if (unitName === "") throw invalid("missing unit in duration");
    const unit = units.get(unitName);
    if (unit === undefined) throw invalid(`unknown unit ${quoteForTime(unitName)} in duration`);
    if (count > limit / unit) throw invalid();
    const nanoseconds = count * unit + fractionOf(decimals, unit);
    // Two times the limit is nought in 64 bits, and Go takes it for that.
    total = BigInt.asUintN(64, total + nanoseconds);
    if (nanoseconds > limit || total > limit) throw invalid();
  }
  if (text.startsWith("-")) return -total;
  if (total === limit) throw invalid();
  return total;
}

/** The nanoseconds of the decimals of a unit, with the precision of a float64. */
function fractionOf(decimals: string, unit: bigint): bigint {
  let value = 0n;
  let scale = 1;
  for (const digit of decimals) {
    if (value > maxDuration / 10n) break;
    const next = value * 10n + BigInt(digit);
    if (next > 1n << 63n) break;
    value = next;
    scale *= 10;
  }
  return BigInt(Math.trunc(Number(value) * (Number(unit) / scale)));
}

/** Nanoseconds as Go prints a duration: `72h3m0.5s`, `1.5ms`, `0s`. */
export function formatDuration(nanoseconds: bigint): string {
  if (nanoseconds === 0n) return "0s";
  const sign = nanoseconds < 0n ? "-" : "";
  const size = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  if (size < microsecond) return `${sign}${size}ns`;
  if (size < millisecond) return `${sign}${decimal(size, 3)}\u00c2\u00b5s`;
  if (size < second) return `${sign}${decimal(size, 6)}ms`;
  const hours = size / hour;
  const minutes = (size / minute) % 60n;
  const hourText = hours > 0n ? `${hours}h` : "";
  const minuteText = size >= minute ? `${minutes}m` : "";
  return `${sign}${hourText}${minuteText}${decimal(size % minute, 9)}s`;
}

/** A number divided by a power of ten, without trailing zeros. */
function decimal(value: bigint, digits: number): string {
  const scale = 10n ** BigInt(digits);
  const fraction = String(value % scale)
    .padStart(digits, "0")
    .replace(/0+$/u, "");
  return fraction === "" ? `${value / scale}` : `${value / scale}.${fraction}`;
}

/** The nearest multiple, away from zero where two are equally near (Duration.Round). */
export function roundDuration(nanoseconds: bigint, multiple: bigint): bigint {
  if (multiple <= 0n) return nanoseconds;
  const size = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  const rest = size % multiple;
  const rounded = rest + rest < multiple ? size - rest : size - rest + multiple;
  return saturateDuration(nanoseconds < 0n ? -rounded : rounded);
}

/** The next multiple towards zero (Duration.Truncate). */
export function truncateDuration(nanoseconds: bigint, multiple: bigint): bigint {
  return multiple <= 0n ? nanoseconds : nanoseconds - (nanoseconds % multiple);
}

/** A duration in a unit as a float64, with whole units and the rest divided apart as Go does it. */
export function durationIn(nanoseconds: bigint, unit: bigint): number {
  return Number(nanoseconds / unit) + Number(nanoseconds % unit) / Number(unit);
}
