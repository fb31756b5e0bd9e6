import { quoteGo } from "./quote.ts";
import { GoError } from "./value.ts";

/** A number and, as in Go, the error beside it: a number that is out of range is the nearest that is not. */
export interface ParsedNumber<Value> {
  readonly value: Value;
  readonly error: string | undefined;
}

/** The sizes of Go's integers; 0 is that of an int. */
export type BitSize = 0 | 8 | 16 | 32 | 64;

const invalidSyntax = "invalid syntax";
const outOfRange = "value out of range";

interface Scan {
  readonly value: bigint;
  readonly problem: string | undefined;
}

/**
 * An integer with an optional sign (strconv.ParseInt).
 * @param base 0 for what the prefix says, underscores between digits allowed
 * @param bits what the value has to fit into
 */
export function readInt(text: string, base = 10, bits: BitSize = 64): ParsedNumber<bigint> {
  return withError("ParseInt", text, scanInt(text, base, bits));
}

/** An integer without a sign (strconv.ParseUint). */
export function readUint(text: string, base = 10, bits: BitSize = 64): ParsedNumber<bigint> {
  return withError("ParseUint", text, scanUint(text, base, bits));
}

/** A decimal integer (strconv.Atoi). */
export function readAtoi(text: string): ParsedNumber<bigint> {
  return withError("Atoi", text, scanInt(text, 10, 64));
}

/** Like {@link readInt}. @throws GoError such as `strconv.ParseInt: parsing "x": invalid syntax` */
export function parseGoInt(text: string, base = 10, bits: BitSize = 64): bigint {
  return valueOrThrow(readInt(text, base, bits));
}

/** Like {@link readUint}. @throws GoError */
export function parseGoUint(text: string, base = 10, bits: BitSize = 64): bigint {
  return valueOrThrow(readUint(text, base, bits));
}

/** Like {@link readAtoi}. @throws GoError */
export function atoi(text: string): bigint {
  return valueOrThrow(readAtoi(text));
}

/** Like {@link readFloat}. @throws GoError */
export function parseGoFloat(text: string): number {
  return valueOrThrow(readFloat(text));
}

function valueOrThrow<Value>({ value, error }: ParsedNumber<Value>): Value {
  if (error !== undefined) throw new GoError(error);
  return value;
}

function withError(name: string, text: string, { value, problem }: Scan): ParsedNumber<bigint> {
  return { value, error: problem === undefined ? undefined : errorText(name, text, problem) };
}

function errorText(name: string, text: string, problem: string): string {
  return `strconv.${name}: parsing ${quoteGo(text)}: ${problem}`;
}

function scanInt(text: string, base: number, bits: BitSize): Scan {
  if (base === 10 && /^[+-]?[0-9]{1,9}$/u.test(text) && bits !== 8 && bits !== 16) {
    return { value: BigInt(Number(text)), problem: undefined };
  }
  const isNegative = text.startsWith("-");
  const digits = /^[+-]/u.test(text) ? text.slice(1) : text;
  const { value, problem } = scanUint(digits, base, bits);
  if (problem !== undefined && problem !== outOfRange) return { value: 0n, problem };
  const limit = 1n << BigInt((bits === 0 ? 64 : bits) - 1);
  if (isNegative) {
    return value > limit ? { value: -limit, problem: outOfRange } : { value: -value, problem: undefined };
  }
  return value >= limit ? { value: limit - 1n, problem: outOfRange } : { value, problem: undefined };
}

function scanUint(text: string, base: number, bits: BitSize): Scan {
  if (text === "") return failed(invalidSyntax);
  if (base !== 0 && (base < 2 || base > 36)) return failed(`invalid base ${base}`);
  const { radix, skip } = base === 0 ? baseOf(text) : { radix: base, skip: 0 };
  const largest = (1n << BigInt(bits === 0 ? 64 : bits)) - 1n;
  let value = 0n;
  for (const character of text.slice(skip)) {
    if (character === "_" && base === 0) continue;
    const digit = Number.parseInt(character, radix);
    if (Number.isNaN(digit)) return failed(invalidSyntax);
    value = value * BigInt(radix) + BigInt(digit);
    if (value > largest) return { value: largest, problem: outOfRange };
  }
  if (base === 0 && !hasGoodUnderscores(text)) return failed(invalidSyntax);
  return { value, problem: undefined };
}

function failed(problem: string): Scan {
  return { value: 0n, problem };
}

function baseOf(text: string): { readonly radix: number; readonly skip: number } {
  if (!text.startsWith("0")) return { radix: 10, skip: 0 };
  const radix = text.length < 3 ? undefined : { b: 2, o: 8, x: 16 }[text.charAt(1).toLowerCase()];
  return radix === undefined ? { radix: 8, skip: 1 } : { radix, skip: 2 };
}

/** Underscores stand between digits; a prefix such as `0x` counts as one. */
function hasGoodUnderscores(text: string): boolean {
  if (!text.includes("_")) return true;
  const digits = text.replace(/^([+-]?)0([box])/iu, (_, sign: string, letter: string) =>
    /x/iu.test(letter) ? `${sign}0` : `${sign}00`,
  );
  const isHexadecimal = /^[+-]?0x/iu.test(text);
  return !(isHexadecimal ? /(?<![0-9a-f])_|_(?![0-9a-f])/iu : /(?<![0-9])_|_(?![0-9])/u).test(digits);
}

const decimalFloat = /^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:e[+-]?[0-9]+)?$/iu;
const hexadecimalFloat =
  /^(?<sign>[+-]?)0x(?=\.?[0-9a-f])(?<whole>[0-9a-f]*)(?:\.(?<fraction>[0-9a-f]*))?p(?<power>[+-]?[0-9]+)$/iu;

/**
 * A float64 (strconv.ParseFloat with 64 bits): decimal, hexadecimal, `inf`, `infinity` or `nan` in any case,
 * underscores between digits allowed. Beyond the range it is infinite.
 */
export function readFloat(text: string): ParsedNumber<number> {
  if (/^nan$/iu.test(text)) return { value: NaN, error: undefined };
  const infinity = /^(?<sign>[+-]?)inf(?:inity)?$/iu.exec(text);
  if (infinity !== null)
    return { value: infinity.groups?.["sign"] === "-" ? -Infinity : Infinity, error: undefined };
  const value = hasGoodUnderscores(text) ? finiteFloat(text.replaceAll("_", "")) : undefined;
  if (value === undefined) return { value: 0, error: errorText("ParseFloat", text, invalidSyntax) };
  return { value, error: Number.isFinite(value) ? undefined : errorText("ParseFloat", text, outOfRange) };
}

function finiteFloat(text: string): number | undefined {
  if (decimalFloat.test(text)) return Number(text);
  const groups = hexadecimalFloat.exec(text)?.groups;
  if (groups === undefined) return undefined;
  const { sign, whole = "", fraction = "", power } = groups;
  const magnitude = binaryFloat(BigInt(`0x${whole}${fraction}`), Number(power) - 4 * fraction.length);
  return sign === "-" ? -magnitude : magnitude;
}

/** `mantissa * 2 ** exponent`, rounded to the nearest float64, halves to the even one. */
function binaryFloat(mantissa: bigint, exponent: number): number {
  const top = mantissa.toString(2).length + exponent;
  if (mantissa === 0n || top < -1074) return 0;
  if (top > 1024) return Infinity;
  const lowest = Math.max(top - 53, -1074);
  if (exponent >= lowest) return Number(mantissa) * 2 ** exponent;
  const shift = BigInt(lowest - exponent);
  const kept = mantissa >> shift;
  const rest = mantissa - (kept << shift);
  const half = 1n << (shift - 1n);
  const roundsUp = rest > half || (rest === half && kept % 2n === 1n);
  return Number(roundsUp ? kept + 1n : kept) * 2 ** lowest;
}
