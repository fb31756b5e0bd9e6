import { isJsonArray, isJsonObject, JsonNumber, type JsonValue } from "./value.ts";

/** Writes a value without blanks, its numbers as they were read. */
export function formatJson(value: JsonValue): string {
  if (value instanceof JsonNumber) return value.text;
  if (isJsonArray(value)) return `[${value.map(formatJson).join(",")}]`;
  if (isJsonObject(value)) {
    return `{${Array.from(value, ([key, member]) => `${JSON.stringify(key)}:${formatJson(member)}`).join(",")}}`;
  }
  return JSON.stringify(value);
}
