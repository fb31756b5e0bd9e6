import type { Origin, Span } from "../provenance/span.ts";
import type { GoContext } from "./context.ts";
import { goTypes, type GoType } from "./type.ts";

/**
 * A value as a Go template sees it. A string is Go's sequence of bytes: each UTF-16 unit is one byte, 0 to 255
 * (see utf8.ts). A JavaScript number is a float64. Null is nil.
 */
export type GoValue = null | boolean | number | string | GoComposite | Tracked;

/** The values that are objects of ours, each with its Go type. */
export type GoComposite = GoInteger | GoComplex | GoBytes | GoSlice | GoMap | GoStruct;

/** The values that have no parts of their own. */
export type GoScalar = null | boolean | number | string | GoInteger;

/** An integer of any Go type; named types such as time.Duration too. */
export class GoInteger {
  readonly value: bigint;
  readonly type: GoType;

  constructor(value: bigint, type: GoType = goTypes.int) {
    this.value = value;
    this.type = type;
  }
}

/** A complex128, which only constants of templates make. */
export class GoComplex {
  readonly type: GoType = goTypes.complex128;
  readonly real: number;
  readonly imaginary: number;

  constructor(real: number, imaginary: number) {
    this.real = real;
    this.imaginary = imaginary;
  }
}

/** A []byte. */
export class GoBytes {
  readonly type: GoType = goTypes.bytes;
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A slice; what is in it may be {@link Tracked}. */
export class GoSlice {
  readonly type: GoType;
  readonly items: GoValue[];
  /** Of named types, such as the version set of `.Capabilities.APIVersions`. */
  readonly methods: ReadonlyMap<string, GoFunction> | undefined = undefined;
  /** Whether it is Go's nil of this type: empty like any other, but encoders write null, and no `[]` equals it. */
  readonly isNil: boolean;

  constructor(items: GoValue[], type: GoType = goTypes.anySlice, isNil = false) {
    this.items = items;
    this.type = type;
    this.isNil = isNil;
  }
}

/** A map with string keys; what is in it may be {@link Tracked}. Functions such as `set` change it in place. */
export class GoMap {
  readonly type: GoType;
  readonly entries: Map<string, GoValue>;
  /** Of named types, such as `.Files`. */
  readonly methods: ReadonlyMap<string, GoFunction> | undefined = undefined;
  /** Where the map stands in the values: what says which path a missing key has. */
  readonly origin: Extract<Origin, { readonly kind: "value" }> | undefined;
  /** Whether it is Go's nil of this type: empty like any other, but encoders write null, and `set` fails. */
  readonly isNil: boolean;

  constructor(
    entries: Iterable<readonly [string, GoValue]> = [],
    type: GoType = goTypes.anyMap,
    origin?: Extract<Origin, { readonly kind: "value" }>,
    isNil = false,
  ) {
    this.entries = new Map(entries);
    this.type = type;
    this.origin = origin;
    this.isNil = isNil;
  }

  /** The same entries under another type: what is set in one map is seen in the other. */
  as(type: GoType): GoMap {
    return new MapView(this, type);
  }

  /** A map of the same type, and with the same methods, that holds something else. */
  withEntries(entries: Iterable<readonly [string, GoValue]>): GoMap {
    return new GoMap(entries, this.type, this.origin, this.isNil);
  }

  /** What `range` gives for a key: of maps whose keys are no strings in Go, what the text stands for. */
  keyValue(key: string): GoValue {
    return key;
  }

  /** The keys in the order in which Go's templates, printing and encoders visit them. */
  sortedKeys(): string[] {
    return [...this.entries.keys()].sort((left, right) => (left < right ? -1 : left > right ? 1 : 0));
  }
}

class MapView extends GoMap {
  override readonly entries: Map<string, GoValue>;

  constructor(map: GoMap, type: GoType) {
    super([], type, map.origin, map.isNil);
    this.entries = map.entries;
  }
}

/** A struct, or a named type with methods: `.Chart`, `.Capabilities`, `.Files`, a time, a version. */
export class GoStruct {
  readonly type: GoType;
  /** Exported fields in the order of their declaration. */
  readonly fields: ReadonlyMap<string, GoValue>;
  readonly methods: ReadonlyMap<string, GoFunction>;

  constructor(
    type: GoType,
    fields: Iterable<readonly [string, GoValue]>,
    methods: Iterable<readonly [string, GoFunction]> = [],
  ) {
    this.type = type;
    this.fields = new Map(fields);
    this.methods = new Map(methods);
  }

  /** The fields as they are declared: what is embedded is one field, whose own fields are in `fields` too. */
  declaredFields(): ReadonlyMap<string, GoValue> {
    return this.fields;
  }

  /** What an action prints where only pointers to the type have a `String()`. */
  pointerText(): string | undefined {
    return undefined;
  }

  /** What `String()` or `Error()` gives, for types that have it. */
  text(): string | undefined {
    return undefined;
  }

  /** What encoding/json sees: maps, slices and scalars. By default the exported fields by their Go names. */
  toJson(): GoValue {
    return new GoMap(this.fields);
  }
}

/**
 * A scalar with the spans of what it comes from. Only scalars are tracked; maps and slices hold tracked ones.
 * Of another scalar than a string, each span is 0 to 0 and stands for the whole.
 */
export class Tracked<Value extends GoScalar = GoScalar> {
  readonly value: Value;
  readonly spans: readonly Span[];

  constructor(value: Value, spans: readonly Span[]) {
    this.value = value;
    this.spans = spans;
  }
}

/** The value without what is known of its origin; what is inside maps and slices keeps it. */
export function untracked(value: GoValue): Exclude<GoValue, Tracked> {
  return value instanceof Tracked ? value.value : value;
}

/** The Go type of a value, undefined for nil. */
export function typeOf(value: GoValue): GoType | undefined {
  const plain = untracked(value);
  switch (typeof plain) {
    case "string":
      return goTypes.string;
    case "number":
      return goTypes.float64;
    case "boolean":
      return goTypes.bool;
    default:
      return plain === null ? undefined : plain.type;
  }
}

/** Whether `if` takes the value for true (text/template's IsTrue): not nil, false, zero, or empty. */
export function isTrue(value: GoValue): boolean {
  const plain = untracked(value);
  if (plain === null) return false;
  if (typeof plain === "boolean") return plain;
  if (typeof plain === "number") return plain !== 0;
  if (typeof plain === "string") return plain !== "";
  if (plain instanceof GoInteger) return plain.value !== 0n;
  if (plain instanceof GoSlice) return plain.items.length > 0;
  if (plain instanceof GoMap) return plain.entries.size > 0;
  if (plain instanceof GoBytes) return plain.text !== "";
  if (plain instanceof GoComplex) return plain.real !== 0 || plain.imaginary !== 0;
  return true;
}

/** A slice of Go's []interface{}. */
export function listOf(items: readonly GoValue[]): GoSlice {
  return new GoSlice([...items]);
}

/** A slice of Go's []string; the items are strings, tracked or not. */
export function stringsOf(items: readonly GoValue[]): GoSlice {
  return new GoSlice([...items], goTypes.stringSlice);
}

/** Go's nil slice, such as `rest` gives of an empty list. */
export function nilSlice(type: GoType = goTypes.anySlice): GoSlice {
  return new GoSlice([], type, true);
}

/** Go's nil map, such as a nil argument becomes where a map is asked for. */
export function nilMap(type: GoType = goTypes.anyMap): GoMap {
  return new GoMap([], type, undefined, true);
}

/** A Go int. */
export function intOf(value: number | bigint): GoInteger {
  return new GoInteger(BigInt(value), goTypes.int);
}

/** A Go int64, wrapped around as Go does where it does not fit. */
export function int64Of(value: number | bigint): GoInteger {
  return new GoInteger(BigInt.asIntN(64, BigInt(value)), goTypes.int64);
}

/** A Go string that may know where it comes from. */
export type Text = string | Tracked<string>;

/**
 * A parameter of a function that templates call. `type` is what Go's declaration says and what an argument is
 * checked against. A parameter that is not `tracked` gets its argument without its spans.
 */
export interface Parameter<Value> {
  readonly type: GoType;
  readonly tracked: boolean;
  /** Never set: carries the type of the argument. */
  readonly value?: Value;
}

/** A function or method that templates can call. */
export interface GoFunction {
  readonly parameters: readonly Parameter<unknown>[];
  /** The type of each further argument, `...T` in Go. */
  readonly variadic?: Parameter<unknown>;
  /** Whether the result itself tells what it comes from, so that the arguments' origins are not added to it. */
  readonly knowsOrigins?: true;
  /**
   * Arguments have been counted, checked and, where the parameter says so, untracked. A result that is not
   * tracked gets the union of the arguments' origins from the caller, unless {@link knowsOrigins}.
   * @throws GoError what the Go function returns as its error
   */
  call(args: readonly GoValue[], context: GoContext): GoValue;
}

/** The error that a Go function returns; a template wraps it with its place. */
export class GoError extends Error {
  override readonly name = "GoError";
}
