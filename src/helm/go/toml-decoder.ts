import { parse, TomlDate, TomlError, type TomlTable, type TomlValue } from "smol-toml";
import { instantOf } from "./instant.ts";
import { fixedZone, localZone, utc, type TimeZone } from "./time-zone.ts";
import { GoTime } from "./time.ts";
import { goTypes, type GoType } from "./type.ts";
import { fromBytes, toBytes } from "./utf8.ts";
import { GoError, GoMap, GoInteger, GoSlice, int64Of, type GoValue } from "./value.ts";
import { isWellFormed } from "./well-formed.ts";

/** What github.com/BurntSushi/toml makes of `[[headings]]`; other lists hold anything. */
const tablesType: GoType = { name: "[]map[string]interface {}", kind: "slice", element: goTypes.anyMap };

/**
 * Reads TOML as github.com/BurntSushi/toml does into a map: integers are int64, dates and times a time.Time.
 * Fractions of a second end with the millisecond.
 * @throws GoError for what is no TOML; its text tells the line as Go's does, and the problem in other words
 */
export function decodeToml(text: string): GoMap {
  if (!isWellFormed(text)) throw new GoError("toml: invalid UTF-8");
  const decoded = fromBytes(text);
  try {
    return convertTable(parse(decoded, { integersAsBigInt: true }), findHeadings(decoded));
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [, problem = error.message] = /^Invalid TOML document: (.*)/u.exec(error.message) ?? [];
    throw new GoError(`toml: line ${error.line}: ${toBytes(problem)}`);
  }
}

/** The tables that `[[headings]]` name: each list under a key that some heading has. */
interface Headings {
  readonly isList: boolean;
  readonly children: Map<string, Headings>;
}

function findHeadings(text: string): Headings {
  const root: Headings = { isList: false, children: new Map() };
  for (const [, heading = ""] of text.matchAll(/^[ \t]*(\[\[[^\n\r]*\]\])/gmu)) addHeading(root, heading);
  return root;
}

/** A line of a text of several lines may look like a heading: what cannot be read as one is none. */
function addHeading(root: Headings, heading: string): void {
  try {
    addTables(root, parse(heading));
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
  }
}

/** The tables of a single heading, one in the other. */
function addTables(headings: Headings, table: TomlTable): void {
  for (const [key, value] of Object.entries(table)) {
    const known = headings.children.get(key);
    const isList = Array.isArray(value) || known?.isList === true;
    const next: Headings = { isList, children: known?.children ?? new Map<string, Headings>() };
    headings.children.set(key, next);
    if (isTable(value)) addTables(next, value);
  }
}

function isTable(value: TomlValue | undefined): value is TomlTable {
  return typeof value === "object" && !Array.isArray(value) && !(value instanceof Date);
}

function convertTable(table: TomlTable, headings: Headings | undefined): GoMap {
  return new GoMap(
    Object.entries(table).map(([key, value]) => [toBytes(key), convert(value, headings?.children.get(key))]),
  );
}

function convert(value: TomlValue, headings: Headings | undefined): GoValue {
  if (typeof value === "string") return toBytes(value);
  if (typeof value === "bigint") return integerOf(value);
  if (typeof value !== "object") return value;
  if (value instanceof TomlDate) return timeOf(value);
  if (!Array.isArray(value)) return isTable(value) ? convertTable(value, headings) : null;
  const items = value.map((item) => convert(item, headings));
  return new GoSlice(items, headings?.isList === true ? tablesType : goTypes.anySlice);
}

function integerOf(value: bigint): GoInteger {
  if (BigInt.asIntN(64, value) !== value) throw new GoError(`toml: ${value} is out of range for int64`);
  return int64Of(value);
}

function timeOf(date: TomlDate): GoTime {
  const milliseconds = date.getTime();
  const seconds = Math.floor(milliseconds / 1000);
  const nanoseconds = (milliseconds - seconds * 1000) * 1_000_000;
  return new GoTime(instantOf(BigInt(seconds), nanoseconds, zoneOf(date)));
}

/** Go's zones of what has none have names of their own; their clocks are the machine's, which we take for UTC. */
function zoneOf(date: TomlDate): TimeZone {
  if (date.isDate()) return fixedZone("date-local", 0);
  if (date.isTime()) return fixedZone("time-local", 0);
  if (date.isLocal()) return fixedZone("datetime-local", 0);
  const [, sign, hours, minutes] = /([-+])(\d{2}):(\d{2})$/u.exec(date.toISOString()) ?? [];
  if (sign === undefined) return utc;
  const offset = (Number(hours) * 60 + Number(minutes)) * 60;
  return offset === 0 ? localZone : fixedZone("", sign === "-" ? -offset : offset);
}
