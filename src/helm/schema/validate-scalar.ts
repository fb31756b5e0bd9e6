import { describeCount, describeNumber, quoteSingle } from "./describe.ts";
import type { Evaluation } from "./evaluation.ts";

/** Checks what a schema says of strings; their length is counted in characters. */
export function checkText(evaluation: Evaluation, text: string): void {
  const { minLength, maxLength, pattern } = evaluation.schema;
  const length = minLength === undefined && maxLength === undefined ? 0 : Array.from(text).length;
  if (minLength !== undefined && length < minLength) {
    evaluation.fail(() => `minLength: got ${describeCount(length)}, want ${describeCount(minLength)}`);
  }
  if (maxLength !== undefined && length > maxLength) {
    evaluation.fail(() => `maxLength: got ${describeCount(length)}, want ${describeCount(maxLength)}`);
  }
  if (pattern !== undefined && !pattern.matches(text, evaluation.budget)) {
    evaluation.fail(() => `${quoteSingle(text)} does not match pattern ${quoteSingle(pattern.source)}`);
  }
}

/** Checks what a schema says of numbers. */
export function checkNumber(evaluation: Evaluation, value: number): void {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = evaluation.schema;
  const fail = (keyword: string, wanted: number): void =>
    evaluation.fail(() => `${keyword}: got ${describeNumber(value)}, want ${describeNumber(wanted)}`);
  if (minimum !== undefined && value < minimum) fail("minimum", minimum);
  if (maximum !== undefined && value > maximum) fail("maximum", maximum);
  if (exclusiveMinimum !== undefined && value <= exclusiveMinimum) fail("exclusiveMinimum", exclusiveMinimum);
  if (exclusiveMaximum !== undefined && value >= exclusiveMaximum) fail("exclusiveMaximum", exclusiveMaximum);
  if (multipleOf !== undefined && !isMultiple(value, multipleOf)) fail("multipleOf", multipleOf);
}

/** Whether a number is a multiple of another, as the decimal numbers that they are written as: 0.3 is of 0.1. */
function isMultiple(value: number, factor: number): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(factor) && factor !== 0)
    return value % factor === 0;
  const left = decimalOf(value);
  const right = decimalOf(factor);
  if (right.digits === 0n) return false;
  const shift = Math.max(0, -left.exponent, -right.exponent);
  const scaled = ({ digits, exponent }: Decimal): bigint => digits * 10n ** BigInt(exponent + shift);
  return scaled(left) % scaled(right) === 0n;
}

interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

function decimalOf(value: number): Decimal {
  const [mantissa = "0", power = "0"] = value.toExponential().split("e");
  const [whole = "0", fraction = ""] = mantissa.split(".");
  return { digits: BigInt(whole + fraction), exponent: Number(power) - fraction.length };
}
