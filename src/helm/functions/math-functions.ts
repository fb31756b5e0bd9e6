import { toFloat64, toInt64 } from "../go/cast.ts";
import { printValue } from "../go/format.ts";
import { define, defineVariadic, parameters, type FunctionTable } from "../go/function.ts";
import { readAtoi, readInt } from "../go/number.ts";
import { plainText } from "../go/text.ts";
import { GoError, int64Of, intOf, type GoFunction, type GoValue } from "../go/value.ts";
import {
  addDecimals,
  decimalOf,
  divideDecimals,
  floatOf,
  multiplyDecimals,
  subtractDecimals,
  type Decimal,
} from "./decimal.ts";
import { powerOfTen } from "./power.ts";

const { any, int, string, float64 } = parameters;

/** Sprig's arithmetic and conversions to numbers; what is no number counts as 0. */
export const mathFunctions: FunctionTable = {
  int: define([any], ([value]) => intOf(toInt64(value))),
  int64: define([any], ([value]) => int64Of(toInt64(value))),
  float64: define([any], ([value]) => toFloat64(value)),
  atoi: define([string], ([text]) => intOf(readAtoi(text).value)),
  toDecimal: define([any], ([value]) => {
    const { value: number, error } = readInt(plainText(printValue(value)), 8);
    return int64Of(error === undefined ? number : 0n);
  }),

  add: defineVariadic([], any, ([values]) => int64Of(sum(values.map(toInt64)))),
  add1: define([any], ([value]) => int64Of(toInt64(value) + 1n)),
  sub: onIntegers((left, right) => left - right),
  div: onIntegers((left, right) => left / nonZero(right)),
  mod: onIntegers((left, right) => left % nonZero(right)),
  mul: defineVariadic([any], any, ([first, rest]) =>
    int64Of(rest.reduce<bigint>(multiplyWrapping, toInt64(first))),
  ),
  max: onAllIntegers((left, right) => (right > left ? right : left)),
  biggest: onAllIntegers((left, right) => (right > left ? right : left)),
  min: onAllIntegers((left, right) => (right < left ? right : left)),

  addf: defineVariadic([], any, ([values]) => calculate(0, values, addDecimals)),
  add1f: define([any], ([value]) => calculate(value, [1], addDecimals)),
  subf: onAllDecimals(subtractDecimals),
  divf: onAllDecimals(divideDecimals),
  mulf: onAllDecimals(multiplyDecimals),
  maxf: onAllFloats((left, right) => (isEither(left, right, Infinity) ? Infinity : Math.max(left, right))),
  minf: onAllFloats((left, right) => (isEither(left, right, -Infinity) ? -Infinity : Math.min(left, right))),
  ceil: define([any], ([value]) => Math.ceil(toFloat64(value))),
  floor: define([any], ([value]) => Math.floor(toFloat64(value))),
  round: defineVariadic([any, int], float64, ([value, places, [threshold = 0.5]]) =>
    round(toFloat64(value), Number(places.value), threshold),
  ),
};

function onIntegers(operation: (left: bigint, right: bigint) => bigint): GoFunction {
  return define([any, any], ([left, right]) => int64Of(operation(toInt64(left), toInt64(right))));
}

function onAllIntegers(choose: (left: bigint, right: bigint) => bigint): GoFunction {
  return defineVariadic([any], any, ([first, rest]) =>
    int64Of(rest.map(toInt64).reduce(choose, toInt64(first))),
  );
}

function onAllFloats(choose: (left: number, right: number) => number): GoFunction {
  return defineVariadic([any], any, ([first, rest]) => rest.map(toFloat64).reduce(choose, toFloat64(first)));
}

function onAllDecimals(operation: (left: Decimal, right: Decimal) => Decimal): GoFunction {
  return defineVariadic([any], any, ([first, rest]) => calculate(first, rest, operation));
}

function calculate(
  first: GoValue,
  rest: readonly GoValue[],
  operation: (left: Decimal, right: Decimal) => Decimal,
): number {
  let result = decimalOf(toFloat64(first));
  for (const value of rest) result = operation(result, decimalOf(toFloat64(value)));
  return floatOf(result);
}

function multiplyWrapping(product: bigint, factor: GoValue): bigint {
  return BigInt.asIntN(64, product * toInt64(factor));
}

function sum(values: readonly bigint[]): bigint {
  return values.reduce((total, value) => total + value, 0n);
}

function nonZero(divisor: bigint): bigint {
  if (divisor === 0n) throw new GoError("runtime error: integer divide by zero");
  return divisor;
}

/** In Go an infinity wins over NaN. */
function isEither(left: number, right: number, infinity: number): boolean {
  return left === infinity || right === infinity;
}

/** Sprig rounds negative numbers down, since their fraction is below any threshold. */
function round(value: number, places: number, threshold: number): number {
  const power = powerOfTen(places);
  const scaled = power * value;
  const fraction = scaled - Math.trunc(scaled);
  return (fraction >= threshold ? Math.ceil(scaled) : Math.floor(scaled)) / power;
}
