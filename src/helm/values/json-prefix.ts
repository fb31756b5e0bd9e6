import type { YamlValue } from "../../yaml/value.ts";
import { copyValue, type Draft } from "./draft.ts";

/** Everything between two brackets or strings; whether it is well formed is for JSON.parse to say. */
const filler = /[^{}[\]"]*/uy;
const stringPart = /[^"\\]*/uy;
const number = /-?(?:0|[1-9]\d*)(?<fraction>\.\d+)?(?<exponent>[eE][-+]?\d+)?/uy;
const literal = /true|false|null/uy;
const maxDepth = 1000;

/**
 * Reads the one JSON value that begins at an offset, whatever follows it, as Go's json.Decoder does.
 * @returns undefined where there is none, or where a number is too large or the nesting too deep (1,000)
 */
export function takeJson(
  text: string,
  start: number,
): { readonly value: Draft; readonly end: number } | undefined {
  const end = findEnd(text, start);
  if (end === undefined) return undefined;
  try {
    return { value: copyValue(JSON.parse(text.slice(start, end), checkScalar) as YamlValue), end };
  } catch {
    return undefined;
  }
}

/** Go refuses numbers that overflow and puts U+FFFD for half of a surrogate pair. */
function checkScalar(_key: string, value: unknown): unknown {
  if (typeof value === "number" && !Number.isFinite(value)) throw new RangeError("number out of range");
  return typeof value === "string" ? value.toWellFormed() : value;
}

function findEnd(text: string, start: number): number | undefined {
  const first = text.charAt(start);
  if (first !== "{" && first !== "[" && first !== '"') {
    return findNumberEnd(text, start) ?? matchEnd(literal, text, start);
  }
  let depth = 0;
  for (let position = start; position < text.length;) {
    const character = text.charAt(position);
    if (character === '"') {
      const end = findStringEnd(text, position);
      if (end === undefined) return undefined;
      position = end;
    } else {
      depth += character === "{" || character === "[" ? 1 : -1;
      position++;
    }
    if (depth === 0) return position;
    if (depth > maxDepth) return undefined;
    position = matchEnd(filler, text, position) ?? position;
  }
  return undefined;
}

/** Go goes on with a number at a dot or an `e` where one may stand, and refuses it if no digit follows. */
function findNumberEnd(text: string, start: number): number | undefined {
  number.lastIndex = start;
  const groups = number.exec(text)?.groups;
  if (groups === undefined) return undefined;
  const next = text.charAt(number.lastIndex);
  const lacksExponent = groups["exponent"] === undefined && (next === "e" || next === "E");
  const lacksFraction = groups["fraction"] === undefined && groups["exponent"] === undefined && next === ".";
  return lacksExponent || lacksFraction ? undefined : number.lastIndex;
}

function findStringEnd(text: string, start: number): number | undefined {
  for (let position = start + 1; position < text.length; position += 2) {
    position = matchEnd(stringPart, text, position) ?? position;
    if (text.charAt(position) === '"') return position + 1;
  }
  return undefined;
}

function matchEnd(pattern: RegExp, text: string, start: number): number | undefined {
  pattern.lastIndex = start;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
