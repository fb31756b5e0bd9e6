import { FairleadError } from "../core/error.ts";

/**
 * Reads a body as a JSON object.
 * @param source where it came from, for the message
 * @throws FairleadError `registry-failed` for anything else
 */
export function parseJsonObject(bytes: Uint8Array, source: string): Readonly<Record<string, unknown>> {
  const object = tryParseJsonObject(bytes);
  if (object === undefined) throw new FairleadError("registry-failed", `${source} sends no JSON object`);
  return object;
}

/** {@link parseJsonObject}, with undefined for what is no JSON object in UTF-8. */
export function tryParseJsonObject(bytes: Uint8Array): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a value read from JSON is an object, and no list. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
