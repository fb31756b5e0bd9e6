import type { YamlValue } from "../../yaml/value.ts";
import { copyValue, type Draft } from "./draft.ts";

const token = /[ \t\n\r]*(?:[{}[\],:]|"(?:[^"\\]|\\.)*"|[^\s{}[\],:"]+)/uy;
/** The end of a number; a dot or an `e` that could go on it but does not makes it malformed, as for Go. */
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?(?![eE]|(?<![.eE]\d*)\.)/uy;
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
    return matchEnd(number, text, start) ?? matchEnd(literal, text, start);
  }
  let depth = 0;
  for (let position = start; ;) {
    const end = matchEnd(token, text, position);
    if (end === undefined) return undefined;
    const last = text.charAt(end - 1);
    const isBracket = !text.slice(position, end).trimStart().startsWith('"');
    if (isBracket && (last === "{" || last === "[")) depth++;
    if (isBracket && (last === "}" || last === "]")) depth--;
    if (depth === 0) return end;
    if (depth > maxDepth) return undefined;
    position = end;
  }
}

function matchEnd(pattern: RegExp, text: string, start: number): number | undefined {
  pattern.lastIndex = start;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
