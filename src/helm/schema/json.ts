/** A JSON value, of a schema as well as of what is validated. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: JsonValue;
}

export type JsonType = "null" | "boolean" | "number" | "integer" | "string" | "array" | "object";

/** Whether a value is an object (not a list, not null). */
export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a value is a list; `Array.isArray` does not narrow a readonly one. */
export function isJsonList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** The value of a key of an object's own; undefined where there is none. */
export function memberOf(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** The type of a value; a number is a `number`, whole or not. */
export function jsonTypeOf(value: JsonValue): Exclude<JsonType, "integer"> {
  if (value === null) return "null";
  if (isJsonList(value)) return "array";
  return typeof value as "boolean" | "number" | "string" | "object";
}

/** Whether two values are the same, whatever the order of keys. */
export function equalsJson(left: JsonValue, right: JsonValue): boolean {
  if (isJsonList(left)) {
    return (
      isJsonList(right) &&
      left.length === right.length &&
      left.every((item, index) => equalsJson(item, right[index] ?? null))
    );
  }
  if (!isJsonObject(left)) return left === right;
  if (!isJsonObject(right)) return false;
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && equalsJson(left[key] ?? null, right[key] ?? null))
  );
}

/** A JSON text with what its numbers look like. */
export interface JsonDocument {
  readonly value: JsonValue;
  /** Numbers that are written otherwise than JavaScript writes them, such as `1.0`, by their place. */
  readonly literals: WeakMap<object, ReadonlyMap<string, string>>;
}

/** Something that may be a number that JavaScript writes otherwise. */
const unusualNumber = /[0-9](?:\.[0-9]*0(?![0-9])|[eE][-+]?[0-9]|[0-9]{15})|-0/u;

/** Reads a JSON text. @throws SyntaxError */
export function parseJson(text: string): JsonDocument {
  const literals = new WeakMap<object, Map<string, string>>();
  // Looking at each number's source takes ten times as long.
  if (!unusualNumber.test(text)) return { value: JSON.parse(text) as JsonValue, literals };
  const revive = function (
    this: object,
    key: string,
    value: unknown,
    context?: { source?: string },
  ): unknown {
    const source = context?.source;
    if (typeof value === "number" && source !== undefined && source !== String(value)) {
      const known = literals.get(this);
      if (known === undefined) literals.set(this, new Map([[key, source]]));
      else known.set(key, source);
    }
    return value;
  };
  return { value: JSON.parse(text, revive) as JsonValue, literals };
}
