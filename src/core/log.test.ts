import { describe, expect, test } from "vitest";
import { createLogger, formatRecord, type LogFields, type LogFormat, type LogLevel } from "./log.ts";

function linesOf(level: LogLevel, format: LogFormat, fields: LogFields = {}): string[] {
  const lines: string[] = [];
  const log = createLogger({ level, format, write: (line) => lines.push(line), now: () => new Date(0) });
  log.debug("a step", fields);
  log.info("a fact", fields);
  log.warn("a doubt", fields);
  log.error("a fault", fields);
  return lines;
}

test.each([
  { level: "debug", lines: ["debug: a step", "info: a fact", "warn: a doubt", "error: a fault"] },
  { level: "warn", lines: ["warn: a doubt", "error: a fault"] },
  { level: "error", lines: ["error: a fault"] },
] as const)("$level and above", ({ level, lines }) => {
  expect(linesOf(level, "text")).toEqual(lines);
});

describe("fields", () => {
  const rows: readonly { name: string; value: string | number; text: string; json: string }[] = [
    { name: "a word", value: "shop", text: "shop", json: '"shop"' },
    { name: "a number", value: 3, text: "3", json: "3" },
    { name: "blanks", value: "a b", text: '"a b"', json: '"a b"' },
    { name: "a line end", value: "a\nb", text: String.raw`"a\nb"`, json: String.raw`"a\nb"` },
    {
      name: "an escape sequence",
      value: "\u001b[1m",
      text: String.raw`"\u001b[1m"`,
      json: String.raw`"\u001b[1m"`,
    },
    { name: "a C1 control", value: "\u009b1m", text: String.raw`"\x9b1m"`, json: String.raw`"\u009b1m"` },
    {
      name: "a turn of direction",
      value: "\u202ea",
      text: String.raw`"\u202ea"`,
      json: String.raw`"\u202ea"`,
    },
    {
      name: "a CI command",
      value: "##[group]",
      text: String.raw`#\x23[group]`,
      json: String.raw`"#\u0023[group]"`,
    },
  ];
  test.each(rows)("$name", ({ value, text, json }) => {
    expect(linesOf("error", "text", { field: value })).toEqual([`error: a fault field=${text}`]);
    const line = `{"time":"1970-01-01T00:00:00.000Z","level":"error","message":"a fault","field":${json}}`;
    expect(linesOf("error", "json", { field: value })).toEqual([line]);
    expect(JSON.parse(line)).toMatchObject({ field: value });
  });

  test("what is undefined is left out", () => {
    expect(linesOf("error", "text", { field: undefined })).toEqual(["error: a fault"]);
    expect(formatRecord({ a: 1, b: undefined })).toBe('{"a":1}');
  });
});
