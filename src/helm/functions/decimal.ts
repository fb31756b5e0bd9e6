import { formatGoFloat } from "../../yaml/go-number.ts";
import { GoError } from "../go/value.ts";

/** A decimal number of any length: `coefficient * 10 ** exponent`. */
export interface Decimal {
  readonly coefficient: bigint;
  readonly exponent: number;
}

const divisionDigits = 16;

/** The decimal that a float prints as. @throws GoError for what is no number, or infinite */
export function decimalOf(value: number): Decimal {
  if (!Number.isFinite(value)) {
    throw new GoError(`Cannot create a Decimal from ${formatGoFloat(value)}`);
  }
  if (value === 0) return { coefficient: 0n, exponent: 0 };
  const [mantissa = "", power = ""] = value.toExponential().split("e");
  const point = mantissa.indexOf(".");
  const fractionDigits = point === -1 ? 0 : mantissa.length - point - 1;
  return { coefficient: BigInt(mantissa.replace(".", "")), exponent: Number(power) - fractionDigits };
}

/** The nearest float. */
export function floatOf({ coefficient, exponent }: Decimal): number {
  return Number(`${coefficient}e${exponent}`);
}

/** The sum, with all its digits. */
export function addDecimals(left: Decimal, right: Decimal): Decimal {
  const exponent = Math.min(left.exponent, right.exponent);
  return { coefficient: scaleTo(left, exponent) + scaleTo(right, exponent), exponent };
}

/** The difference, with all its digits. */
export function subtractDecimals(left: Decimal, right: Decimal): Decimal {
  return addDecimals(left, { coefficient: -right.coefficient, exponent: right.exponent });
}

/** The product, with all its digits. */
export function multiplyDecimals(left: Decimal, right: Decimal): Decimal {
  return {
    coefficient: left.coefficient * right.coefficient,
    exponent: left.exponent + right.exponent,
  };
}

/** The quotient with 16 digits after the point, halves rounded away from zero. @throws GoError for zero */
export function divideDecimals(left: Decimal, right: Decimal): Decimal {
  if (right.coefficient === 0n) throw new GoError("decimal division by 0");
  const shift = left.exponent - right.exponent + divisionDigits;
  const dividend = left.coefficient * 10n ** BigInt(Math.max(shift, 0));
  const divisor = right.coefficient * 10n ** BigInt(Math.max(-shift, 0));
  const quotient = dividend / divisor;
  const remainder = dividend % divisor;
  const isHalf = 2n * magnitude(remainder) >= magnitude(divisor);
  const away = dividend < 0n !== divisor < 0n ? -1n : 1n;
  return { coefficient: isHalf ? quotient + away : quotient, exponent: -divisionDigits };
}

function scaleTo({ coefficient, exponent }: Decimal, smaller: number): bigint {
  return coefficient * 10n ** BigInt(exponent - smaller);
}

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value;
}
