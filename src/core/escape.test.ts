import { describe, expect, test } from "vitest";
import { escapeControls, escapeJson, escapeLine, excerpt } from "./escape.ts";

describe("a line", () => {
  const rows: readonly { name: string; text: string; escaped: string }[] = [
    { name: "plain text", text: "docker.io/nginx:1 é 日本", escaped: "docker.io/nginx:1 é 日本" },
    { name: "line ends and tabs", text: "a\nb\r\tc", escaped: String.raw`a\nb\r\tc` },
    { name: "an escape sequence", text: "\u001b[31m", escaped: String.raw`\x1b[31m` },
    { name: "a C1 control", text: "\u009b31m", escaped: String.raw`\x9b31m` },
    { name: "a turn of direction", text: "a\u202eb\u2066c", escaped: String.raw`a\u202eb\u2066c` },
    { name: "invisible characters", text: "a\u200bb\ufeff", escaped: String.raw`a\u200bb\ufeff` },
    { name: "a GitHub command", text: "::error::x", escaped: String.raw`\x3a:error::x` },
    { name: "an indented GitHub command", text: "  ::error::x", escaped: String.raw`  \x3a:error::x` },
    { name: "colons within a line", text: "a ::b", escaped: "a ::b" },
    { name: "an older GitHub command", text: "a ##[error]x", escaped: String.raw`a #\x23[error]x` },
    { name: "an Azure command", text: "##vso[task]", escaped: String.raw`#\x23vso[task]` },
  ];
  test.each(rows)("$name", ({ text, escaped }) => {
    expect(escapeLine(text)).toBe(escaped);
  });
});

test("escaped JSON means the same", () => {
  const value = { "##[error]": "\u009b\u202e\u200b\ufeff ##vso[x] ## [ \u0001 \\" };
  const escaped = escapeJson(JSON.stringify(value));
  expect(JSON.parse(escaped)).toEqual(value);
  expect(escaped).toMatch(/^[ -~]*$/u);
  expect(escaped).not.toMatch(/##\[|##vso\[/u);
});

test("an excerpt is cut and marked", () => {
  expect(excerpt("abc", 3)).toBe("abc");
  expect(excerpt("abcd", 3)).toBe("abc…");
  expect(excerpt("a\nb")).toBe(escapeControls("a\nb"));
  expect(excerpt("ab😀", 3).isWellFormed()).toBe(true);
});
