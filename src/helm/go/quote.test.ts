import { describe, expect, it } from "vitest";
import { isPrintable } from "./printable.ts";
import { canBackquote, quoteGo, quoteRune, quoteToAscii, unquoteCharacter, unquoteGo } from "./quote.ts";
import { toBytes } from "./utf8.ts";

describe("quoting", () => {
  it.each<readonly [name: string, text: string, quoted: string, ascii: string]>([
    ["plain", "nginx:1.25", '"nginx:1.25"', '"nginx:1.25"'],
    ["empty", "", '""', '""'],
    ["quotes", "a\"b'c`d", '"a\\"b\'c`d"', '"a\\"b\'c`d"'],
    [
      "controls",
      "\u0007\b\f\n\r\t\v\\\u0000\u001f\u007f",
      '"\\a\\b\\f\\n\\r\\t\\v\\\\\\x00\\x1f\\x7f"',
      '"\\a\\b\\f\\n\\r\\t\\v\\\\\\x00\\x1f\\x7f"',
    ],
    ["letters", "é日", '"é日"', '"\\u00e9\\u65e5"'],
    ["beyond the BMP", "😀", '"😀"', '"\\U0001f600"'],
    [
      "not printable",
      "\u00ad\u2028\ufeff\u{e0001}",
      '"\\u00ad\\u2028\\ufeff\\U000e0001"',
      '"\\u00ad\\u2028\\ufeff\\U000e0001"',
    ],
    ["other spaces", "\u00a0\u3000", '"\\u00a0\\u3000"', '"\\u00a0\\u3000"'],
    ["younger than Go's Unicode", "\u1c89\u{2ebf0}", '"\\u1c89\\U0002ebf0"', '"\\u1c89\\U0002ebf0"'],
    ["replacement character", "\ufffd", '"\ufffd"', '"\\ufffd"'],
  ])("%s", (_, text, quoted, ascii) => {
    expect(quoteGo(toBytes(text))).toBe(toBytes(quoted));
    expect(quoteToAscii(toBytes(text))).toBe(ascii);
    expect(unquoteGo(ascii)).toBe(toBytes(text));
  });

  it("shows bytes that are no UTF-8", () => {
    expect(quoteGo("\u00ff\u00c3\u00a9\u00e6\u0097")).toBe('"\\xff\u00c3\u00a9\\xe6\\x97"');
  });

  it("quotes runes", () => {
    expect([39, 34, 10, 0x110000, -1].map((code) => quoteRune(code))).toEqual(
      ["'\\''", "'\"'", "'\\n'", "'\ufffd'", "'\ufffd'"].map(toBytes),
    );
  });

  it("counts as many printable runes as Go", () => {
    let count = 0;
    for (let code = 0; code <= 0x10ffff; code++) if (isPrintable(code)) count += 1;
    expect(count).toBe(148_998);
  });

  it.each([
    ["a b\tc", true],
    ["a`b", false],
    ["a\nb", false],
    ["\u007f", false],
    [toBytes("é"), true],
    [toBytes("\ufeff"), false],
    ["\u00ff", false],
  ])("canBackquote %j", (text, can) => {
    expect(canBackquote(text)).toBe(can);
  });
});

describe("unquoteGo", () => {
  it.each<readonly [literal: string, text: string | undefined]>([
    ['"a\\tb"', "a\tb"],
    ['"\\x41\\101\\u0041\\U00000041"', "AAAA"],
    ['"\\xff"', "\u00ff"],
    ['"\\u00e9"', toBytes("é")],
    ['"\\377"', "\u00ff"],
    ['"\\400"', undefined],
    ['"\\ud800"', undefined],
    ['"\\U00110000"', undefined],
    ['"\\x4"', undefined],
    ['"\\q"', undefined],
    ['"\\\'"', undefined],
    ["'\\''", "'"],
    ["'\"'", '"'],
    ["'ab'", undefined],
    ["''", ""],
    ["'é'", toBytes("é")],
    ["`a\\n`", "a\\n"],
    ["`a\r\nb`", "a\nb"],
    ["`a`b`", undefined],
    ['"a\nb"', undefined],
    ['"a"b"', undefined],
    ['"a', undefined],
    ['"', undefined],
    ["a", undefined],
    ["", undefined],
    ["xax", undefined],
  ])("%j", (literal, text) => {
    expect(unquoteGo(toBytes(literal))).toBe(text);
  });

  it("reads one character", () => {
    expect(unquoteCharacter("\\x41b", "'")).toEqual({ code: 65, isRune: false, width: 4 });
    expect(unquoteCharacter(toBytes("aé"), "'", 1)).toEqual({ code: 0xe9, isRune: true, width: 2 });
    expect(unquoteCharacter("'", "'")).toBeUndefined();
  });
});
