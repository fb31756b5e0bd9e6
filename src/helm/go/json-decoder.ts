import { JsonParser, refuseDepth, type DecodedJson } from "./json-parser.ts";
import { plainText } from "./text.ts";
import { fromBytes, toBytes } from "./utf8.ts";
import { GoMap, GoSlice, Tracked, untracked, type GoValue, type Text } from "./value.ts";

/**
 * Reads JSON as encoding/json does into an interface: numbers are float64, of equal keys the last one counts,
 * lone surrogates and bytes that are no UTF-8 are U+FFFD. Scalars of a tracked text know where they come from.
 * @throws GoError for what is no JSON, with encoding/json's text; FairleadError `limit-exceeded` where it is too
 *   deep for us
 */
export function decodeJson(text: Text): DecodedJson {
  return (text instanceof Tracked ? undefined : tryDecodeFast(text)) ?? new JsonParser(text).parse();
}

/** How encoding/json names what a value was in JSON. */
export function jsonKindOf(value: GoValue): "null" | "bool" | "number" | "string" | "array" | "object" {
  const plain = untracked(value);
  if (plain === null) return "null";
  if (plain instanceof GoMap) return "object";
  if (plain instanceof GoSlice) return "array";
  return typeof plain === "boolean" ? "bool" : typeof plain === "string" ? "string" : "number";
}

/** Undefined for what has to be read with care: malformed text, or a number that is too large. */
function tryDecodeFast(text: string): DecodedJson | undefined {
  let value: unknown;
  try {
    value = JSON.parse(fromBytes(plainText(text)));
  } catch {
    return undefined;
  }
  const converter = new Converter();
  const converted = converter.convert(value, 0);
  return converter.hasInfinity ? undefined : { value: converted };
}

class Converter {
  hasInfinity = false;

  convert(value: unknown, depth: number): GoValue {
    if (typeof value === "string") return toBytes(value);
    if (typeof value === "number") {
      if (!Number.isFinite(value)) this.hasInfinity = true;
      return value;
    }
    if (typeof value !== "object" || value === null) return value === true || value === false ? value : null;
    refuseDepth(depth + 1);
    if (Array.isArray(value)) return new GoSlice(value.map((item) => this.convert(item, depth + 1)));
    const map = new GoMap();
    for (const [key, item] of Object.entries(value)) {
      map.entries.set(toBytes(key), this.convert(item, depth + 1));
    }
    return map;
  }
}
