import { FairleadError } from "../core/error.ts";
import { tryResolveScalar } from "./scalar.ts";
import type { ValuePath } from "./value-path.ts";
import { isYamlList, isYamlMap, type YamlMap, type YamlValue } from "./value.ts";

/** YAML finds the `:` of a key only within 1,024 characters, unless a `?` announces it. */
const maxImplicitKeyLength = 1000;

/**
 * Writes a map as block YAML that Helm, and any reader of YAML 1.1 or 1.2, reads back as the same value: keys
 * in the given order, two spaces a level, lists indented below their key, long strings on one line, text of
 * several lines as a literal block. A string that could be taken for anything else is double-quoted, also one in
 * which a CI system would see a command of its own.
 * @param commentAt one line to write behind the scalar at a path, on its line; default: none
 * @returns text that ends with a line end; `{}` for an empty map
 * @throws FairleadError `internal` for a number that YAML's readers in Go cannot hold
 */
export function dumpYaml(value: YamlMap, commentAt: CommentAt = () => undefined): string {
  const output: Output = { lines: [], commentAt };
  if (Object.keys(value).length === 0) return "{}\n";
  writeMap(output, value, [], "", "");
  return `${output.lines.join("\n")}\n`;
}

/** The comment of a scalar, without its `#`. */
export type CommentAt = (path: ValuePath) => string | undefined;

interface Output {
  readonly lines: string[];
  readonly commentAt: CommentAt;
}

/** @param first what stands before the first line's content instead of the indentation, such as `- ` */
function writeMap(output: Output, map: YamlMap, path: ValuePath, indent: string, first: string): void {
  let start = first;
  for (const [key, value] of Object.entries(map)) {
    const name = formatInline(key);
    if (name.length > maxImplicitKeyLength) {
      output.lines.push(`${start}? ${name}`);
      writeEntry(output, value, [...path, key], indent, `${indent}:`);
    } else writeEntry(output, value, [...path, key], indent, `${start}${name}:`);
    start = indent;
  }
}

function writeList(
  output: Output,
  list: readonly YamlValue[],
  path: ValuePath,
  indent: string,
  first: string,
): void {
  let start = first;
  for (const [index, item] of list.entries()) {
    const nested = `${indent}  `;
    const itemPath = [...path, index];
    if (isFilledMap(item)) writeMap(output, item, itemPath, nested, `${start}- `);
    else if (isFilledList(item)) writeList(output, item, itemPath, nested, `${start}- `);
    else writeScalar(output, item, itemPath, indent, `${start}-`);
    start = indent;
  }
}

function writeEntry(output: Output, value: YamlValue, path: ValuePath, indent: string, head: string): void {
  const nested = `${indent}  `;
  if (isFilledMap(value)) {
    output.lines.push(head);
    writeMap(output, value, path, nested, nested);
  } else if (isFilledList(value)) {
    output.lines.push(head);
    writeList(output, value, path, nested, nested);
  } else writeScalar(output, value, path, indent, head);
}

function isFilledMap(value: YamlValue): value is YamlMap {
  return isYamlMap(value) && Object.keys(value).length > 0;
}

function isFilledList(value: YamlValue): value is readonly YamlValue[] {
  return isYamlList(value) && value.length > 0;
}

/** Writes anything that has no lines of its own below it but a literal block's. */
function writeScalar(
  { lines, commentAt }: Output,
  value: YamlValue,
  path: ValuePath,
  indent: string,
  head: string,
): void {
  const comment = commentAt(path);
  const behind = comment === undefined ? "" : ` # ${comment}`;
  if (typeof value !== "string" || !isLiteral(value)) {
    lines.push(`${head} ${formatInline(value)}${behind}`);
    return;
  }
  const content = value.replace(/\n+$/u, "");
  const trailing = value.length - content.length;
  lines.push(`${head} ${trailing === 0 ? "|-" : trailing === 1 ? "|" : "|+"}${behind}`);
  for (const line of content.split("\n")) lines.push(line === "" ? "" : `${indent}  ${line}`);
  for (let blank = 1; blank < trailing; blank++) lines.push("");
}

function formatInline(value: YamlValue): string {
  if (typeof value === "string") return isPlainString(value) ? value : doubleQuoted(value);
  if (typeof value === "number") return formatNumber(value);
  if (isYamlList(value)) return "[]";
  return isYamlMap(value) ? "{}" : String(value);
}

/** The shortest digits that give the same number; JavaScript's choice of notation is what Go's JSON has too. */
function formatNumber(value: number): string {
  if (!Number.isFinite(value)) throw new FairleadError("internal", `${value} cannot be written as YAML`);
  // Go reads -0 as the integer 0.
  return Object.is(value, -0) ? "-0.0" : String(value);
}

/** Words and references without quotes: no character that means something to YAML, single spaces inside. */
const plain =
  /^[A-Za-z0-9_./$](?:[A-Za-z0-9_./$@+=~%()<>^;|*&!?-]|:(?=[A-Za-z0-9_./@+-])| (?=[A-Za-z0-9_./$(]))*$/u;
/** What some reader takes for a number, a date or a time: digits and their punctuation without letters. */
const numberLike = /^[.\d][\d_.:eE+-]*$/u;
const version = /^\d+(?:\.\d+){2,3}$/u;
const date = /^\d{4}-\d{1,2}-\d{1,2}(?:[Tt ]|$)/u;
const word = /^(?:y|n|yes|no|on|off|true|false|null|~|\.?nan|[-+]?\.?inf)$/iu;

/**
 * Whether a string can stand without quotes on one line in a block and be read as that string by any reader: no
 * number, date, time, word or indicator that YAML 1.1 or 1.2 knows.
 */
export function isPlainString(text: string): boolean {
  if (!plain.test(text) || word.test(text) || date.test(text)) return false;
  if (numberLike.test(text) && !version.test(text)) return false;
  return tryResolveScalar(text) === undefined;
}

/** A line that a CI system would take for a command of its own if it stood in a log as it is. */
const ciCommand = /^\s*::|##\[|##vso\[/mu;

/** Several lines of printable text without blanks that a reader or an editor could lose. */
function isLiteral(text: string): boolean {
  return (
    text.includes("\n") &&
    /^[^\s]/u.test(text) &&
    !/^\s*::|##(?:vso)?\[/mu.test(text) &&
    !/[^\t\n\u0020-\u007e\u00a1-\u1fff\u2030-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]/u.test(
      text,
    ) &&
    !/[ \t]$/mu.test(text) &&
    !/[\u2060-\u2069]/u.test(text) &&
    !ciCommand.test(text)
  );
}

/** A text as a scalar in double quotes, with every character escaped that a terminal would not show as it is. */
export function doubleQuoted(text: string): string {
  const escaped = JSON.stringify(text.toWellFormed()).replaceAll(
    /[\u007f-\u00a0\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufffe\uffff]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return escaped.replaceAll(/##(?=vso\[|\[)/gu, String.raw`#\x23`);
}
