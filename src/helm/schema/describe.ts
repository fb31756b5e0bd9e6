import { formatGoFloat } from "../../yaml/go-number.ts";
import { quoteGo } from "../go/quote.ts";
import { fromBytes, toBytes } from "../go/utf8.ts";
import { isJsonList, isJsonObject, type JsonValue } from "./json.ts";
import type { AllowedValues } from "./schema-node.ts";

/** A text in single quotes, as messages have it: Go's escapes, but for double quotes. */
export function quoteSingle(text: string): string {
  const quoted = fromBytes(quoteGo(toBytes(text))).slice(1, -1);
  return `'${quoted.replaceAll(String.raw`\"`, '"').replaceAll("'", String.raw`\'`)}'`;
}

/** Texts in single quotes with commas between. */
export function quoteList(texts: readonly string[]): string {
  return texts.map(quoteSingle).join(", ");
}

/** A value as messages show it. */
export function describeValue(value: JsonValue, literal?: string): string {
  if (typeof value === "string") return quoteSingle(value);
  if (typeof value === "number") return literal ?? formatGoFloat(value);
  if (value === null) return "<nil>";
  return typeof value === "boolean" ? String(value) : "value";
}

/** @param literals what numbers look like in the schema, where JavaScript writes them otherwise */
export function describeAllowed(
  values: readonly JsonValue[],
  literals: readonly (string | undefined)[],
): AllowedValues {
  if (values.some((value) => isJsonList(value) || isJsonObject(value))) return { values, shown: undefined };
  const shown = values.map((value, index) =>
    describeValue(value, literals[index] ?? (typeof value === "number" ? String(value) : undefined)),
  );
  return { values, shown };
}

const superscripts = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** A number as English prints it (golang.org/x/text/message): `65,535`, `1.5×10²⁵`. */
export function describeNumber(value: number): string {
  const [mantissa = "", exponent] = formatGoFloat(value).split("e");
  const [whole = "", fraction] = mantissa.split(".");
  const grouped = whole.replaceAll(/\B(?=(?:\d{3})+$)/gu, ",");
  const digits = fraction === undefined ? grouped : `${grouped}.${fraction}`;
  if (exponent === undefined) return digits;
  const power = exponent.replace("+", "").replace("-", "⁻");
  return `${digits}×10${power.replaceAll(/\d/gu, (digit) => superscripts.charAt(Number(digit)))}`;
}

/** A count as English prints it. */
export function describeCount(count: number): string {
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/gu, ",");
}
