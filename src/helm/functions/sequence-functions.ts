import type { GoContext } from "../go/context.ts";
import { define, defineVariadic, parameters, type FunctionTable } from "../go/function.ts";
import { goTypes } from "../go/type.ts";
import { GoSlice, intOf, type GoInteger } from "../go/value.ts";

const { int } = parameters;

/** What an integer takes here, about. */
const bytesOfInteger = 64;

/** Sprig's rows of integers. */
export const sequenceFunctions: FunctionTable = {
  until: define([int], ([count], context) =>
    intsOf(row(0n, count.value, count.value < 0n ? -1n : 1n, context)),
  ),
  untilStep: define([int, int, int], ([start, stop, step], context) =>
    intsOf(row(start.value, stop.value, step.value, context)),
  ),
  seq: defineVariadic([], int, ([bounds], context) => sequence(bounds, context).join(" ")),
};

function intsOf(values: readonly bigint[]): GoSlice {
  return new GoSlice(values.map(intOf), goTypes.intSlice);
}

/** The numbers as seq(1) prints them: 1 to the end, start to end, or start, step and end; the end included. */
function sequence(bounds: readonly GoInteger[], context: GoContext): readonly bigint[] {
  const [first = 0n, second = 0n, third = 0n] = bounds.map(({ value }) => value);
  switch (bounds.length) {
    case 1:
      return inclusiveRow(1n, first, first < 1n ? -1n : 1n, context);
    case 2:
      return inclusiveRow(first, second, second < first ? -1n : 1n, context);
    case 3:
      return third < first && second > 0n ? [] : inclusiveRow(first, third, second, context);
    default:
      return [];
  }
}

function inclusiveRow(start: bigint, end: bigint, step: bigint, context: GoContext): readonly bigint[] {
  const beyond = BigInt.asIntN(64, end + (end < start ? -1n : 1n));
  return row(start, beyond, step, context);
}

/** The numbers from start to before stop; none where the step leads away from it. */
function row(start: bigint, stop: bigint, step: bigint, { budget }: GoContext): readonly bigint[] {
  const distance = stop - start;
  if (step === 0n || distance === 0n || distance < 0n !== step < 0n) return [];
  const count = Number((distance - (step < 0n ? -1n : 1n)) / step) + 1;
  budget.spendBytes(bytesOfInteger * count);
  return Array.from({ length: count }, (_, index) => start + BigInt(index) * step);
}
