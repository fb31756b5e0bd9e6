import type { GoContext } from "./context.ts";
import { goTypes } from "./type.ts";
import type { GoFunction, GoInteger, GoMap, GoSlice, GoValue, Parameter, Text, Tracked } from "./value.ts";

/** Parameters by their Go types. */
export const parameters = {
  /** `string`, without spans. */
  string: { type: goTypes.string, tracked: false } as Parameter<string>,
  /** `string`, with its spans where it has some: for functions that keep them. */
  text: { type: goTypes.string, tracked: true } as Parameter<Text>,
  bool: { type: goTypes.bool, tracked: false } as Parameter<boolean>,
  int: { type: goTypes.int, tracked: false } as Parameter<GoInteger>,
  int64: { type: goTypes.int64, tracked: false } as Parameter<GoInteger>,
  float64: { type: goTypes.float64, tracked: false } as Parameter<number>,
  /** `interface{}`; what is inside maps and slices may still be tracked. */
  any: { type: goTypes.any, tracked: false } as Parameter<Exclude<GoValue, Tracked>>,
  /** `interface{}`, tracked where it is: for functions that hand it on, or keep its spans. */
  value: { type: goTypes.any, tracked: true } as Parameter<GoValue>,
  map: { type: goTypes.anyMap, tracked: false } as Parameter<GoMap>,
  list: { type: goTypes.anySlice, tracked: false } as Parameter<GoSlice>,
  strings: { type: goTypes.stringSlice, tracked: false } as Parameter<GoSlice>,
} as const;

/** Functions by the name that templates call them by. */
export type FunctionTable = Readonly<Record<string, GoFunction>>;

type ArgumentsOf<Parameters extends readonly Parameter<unknown>[]> = {
  readonly [Index in keyof Parameters]: Parameters[Index] extends Parameter<infer Value> ? Value : never;
};

/** Declares a function with a fixed number of parameters. */
export function define<const Parameters extends readonly Parameter<unknown>[]>(
  parameters: Parameters,
  call: (args: ArgumentsOf<Parameters>, context: GoContext) => GoValue,
): GoFunction {
  return { parameters, call: call as GoFunction["call"] };
}

/** A function whose result itself tells what it comes from: its arguments may be all the values there are. */
export function knowingOrigins(declared: GoFunction): GoFunction {
  return { ...declared, knowsOrigins: true };
}

/** Declares a function whose last parameter takes any number of arguments; they are the last element of `args`. */
export function defineVariadic<const Parameters extends readonly Parameter<unknown>[], Rest>(
  parameters: Parameters,
  variadic: Parameter<Rest>,
  call: (args: readonly [...ArgumentsOf<Parameters>, readonly Rest[]], context: GoContext) => GoValue,
): GoFunction {
  const count = parameters.length;
  const callWithRest = call as (args: readonly unknown[], context: GoContext) => GoValue;
  return {
    parameters,
    variadic,
    call: (args, context) => callWithRest([...args.slice(0, count), args.slice(count)], context),
  };
}
