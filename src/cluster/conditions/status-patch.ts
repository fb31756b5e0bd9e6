import { isDeepStrictEqual } from "node:util";

/** A value of JSON; what is undefined or null in an object is not there. */
export type Json = string | number | boolean | null | undefined | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [name: string]: Json;
}

/**
 * The smallest JSON merge patch (RFC 7386) that makes one status of another, or undefined where nothing is to be
 * written: the order of keys does not count. Lists are replaced whole.
 */
export function statusPatch(before: JsonObject, after: JsonObject): JsonObject | undefined {
  const changes: [string, Json][] = [];
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const was = ownValue(before, name);
    const is = ownValue(after, name);
    if (is === undefined) {
      if (was !== undefined) changes.push([name, null]);
    } else if (isObject(was) && isObject(is)) {
      const patch = statusPatch(was, is);
      if (patch !== undefined) changes.push([name, patch]);
    } else if (!isDeepStrictEqual(withoutAbsent(was), withoutAbsent(is))) {
      changes.push([name, withoutAbsent(is)]);
    }
  }
  return changes.length === 0 ? undefined : Object.fromEntries(changes);
}

function ownValue(object: JsonObject, name: string): Json {
  return Object.hasOwn(object, name) ? (object[name] ?? undefined) : undefined;
}

function isObject(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function withoutAbsent(value: Json): Json {
  if (Array.isArray(value)) return value.map((item: Json) => withoutAbsent(item));
  if (!isObject(value)) return value;
  const present = Object.entries(value).filter(([, member]) => member !== undefined && member !== null);
  return Object.fromEntries(present.map(([name, member]) => [name, withoutAbsent(member)]));
}
