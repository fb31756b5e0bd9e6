/**
 * A JSON value that loses nothing of what was written but its blanks: numbers keep their digits (an int64 is no
 * float64) and objects the order of their keys, `__proto__` being a key like any other.
 */
export type JsonValue = null | boolean | string | JsonNumber | JsonArray | JsonObject;
export type JsonArray = JsonValue[];
export type JsonObject = Map<string, JsonValue>;

/** A number as it is written. */
export class JsonNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Whether a value is an object. */
export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return value instanceof Map;
}

/** Whether a value is an array. */
export function isJsonArray(value: JsonValue | undefined): value is JsonArray {
  return Array.isArray(value);
}

/** The member at a path of keys; undefined where a part of the path is missing or no object. */
export function memberAt(value: JsonValue | undefined, path: readonly string[]): JsonValue | undefined {
  let member = value;
  for (const key of path) {
    if (!isJsonObject(member)) return undefined;
    member = member.get(key);
  }
  return member;
}

/** The object at a path of keys, made where it is missing or null. Undefined where something else is in its way. */
export function objectAt(value: JsonObject, path: readonly string[]): JsonObject | undefined {
  let object = value;
  for (const key of path) {
    const member = object.get(key);
    if (isJsonObject(member)) {
      object = member;
    } else if (member === undefined || member === null) {
      const made: JsonObject = new Map();
      object.set(key, made);
      object = made;
    } else {
      return undefined;
    }
  }
  return object;
}

/** A copy that shares nothing with the value. */
export function cloneJson(value: JsonValue): JsonValue {
  if (isJsonObject(value)) return cloneObject(value);
  return isJsonArray(value) ? value.map(cloneJson) : value;
}

/** A copy of an object that shares nothing with it. */
export function cloneObject(object: JsonObject): JsonObject {
  return new Map(Array.from(object, ([key, member]) => [key, cloneJson(member)]));
}

/** Whether two values are equal by RFC 6902, section 4.6; numbers by their value. */
export function equalJson(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  if (left === right) return true;
  if (left instanceof JsonNumber) return right instanceof JsonNumber && equalNumbers(left.text, right.text);
  if (isJsonArray(left)) {
    return (
      isJsonArray(right) &&
      left.length === right.length &&
      left.every((item, index) => equalJson(item, right[index]))
    );
  }
  if (!isJsonObject(left) || !isJsonObject(right) || left.size !== right.size) return false;
  for (const [key, member] of left) {
    if (!right.has(key) || !equalJson(member, right.get(key))) return false;
  }
  return true;
}

function equalNumbers(left: string, right: string): boolean {
  if (left === right) return true;
  // Integers beyond 2^53 differ where their digits do.
  if (/^-?\d{16,}$/u.test(left) && /^-?\d{16,}$/u.test(right)) return false;
  return Number(left) === Number(right);
}

/** The value as plain objects and numbers, for small parts whose numbers do not matter. */
export function toPlain(value: JsonValue | undefined): unknown {
  if (value instanceof JsonNumber) return Number(value.text);
  if (isJsonArray(value)) return value.map(toPlain);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Array.from(value, ([key, member]) => [key, toPlain(member)]));
}

/** A value from plain objects; members that are undefined are left out. */
export function fromPlain(value: unknown): JsonValue {
  if (typeof value === "number") return new JsonNumber(JSON.stringify(value));
  if (Array.isArray(value)) return value.map(fromPlain);
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    return new Map(members.map(([key, member]) => [key, fromPlain(member)]));
  }
  return typeof value === "string" || typeof value === "boolean" ? value : null;
}
