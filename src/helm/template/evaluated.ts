import { Tracked, typeOf, type GoFunction, type GoValue } from "../go/value.ts";
import type { GoContext } from "../go/context.ts";
import type { Span } from "../provenance/span.ts";

/**
 * What an expression gives: a value, or Go's invalid reflect.Value, which is what nil becomes at the end of a
 * pipeline. A null is a nil inside an interface; templates meet the two with different errors.
 */
export type Evaluated = GoValue | Invalid;

/** Go's invalid reflect.Value. */
export class Invalid {
  /** Which empty value it stands for, where that is tracked. */
  readonly spans: readonly Span[];

  constructor(spans: readonly Span[]) {
    this.spans = spans;
  }
}

/** The invalid value of which nothing is known. */
export const invalid: Invalid = new Invalid([]);

/** What the evaluation needs of the templates around it. */
export interface Functions {
  readonly context: GoContext;
  findFunction(name: string): GoFunction | undefined;
}

/** A value taken out of its interface, as at the end of each command: nil becomes invalid. */
export function withoutInterface(value: Evaluated): Evaluated {
  if (value === null) return invalid;
  return value instanceof Tracked && value.value === null ? new Invalid(value.spans) : value;
}

/** An invalid value as an argument of a type that can be nil. */
export function asNil(value: Evaluated): GoValue {
  if (!(value instanceof Invalid)) return value;
  return value.spans.length === 0 ? null : new Tracked(null, value.spans);
}

/** The name of a value's type in errors; what comes out of a map or slice of interfaces has theirs. */
export function typeNameOf(value: GoValue, isInterface: boolean): string {
  return isInterface ? "interface {}" : (typeOf(value)?.name ?? "interface {}");
}
