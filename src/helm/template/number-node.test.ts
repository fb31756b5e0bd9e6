import { describe, expect, test } from "vitest";
import { toBytes } from "../go/utf8.ts";
import type { NumberReadings } from "./number-node.ts";
import { parseTemplate } from "./parser.ts";

function constantOf(text: string): unknown {
  const tree = parseTemplate({ name: "t", text: `{{${toBytes(text)}}}` }, () => false).get("t");
  const [action] = tree?.root.nodes ?? [];
  return action?.kind === "action" ? action.pipe.commands[0]?.args[0] : undefined;
}

describe("constants are of the types of which Go finds them", () => {
  const rows: readonly (readonly [text: string, readings: Partial<NumberReadings>])[] = [
    ["0", { int: 0n, uint: 0n, float: 0 }],
    ["1", { int: 1n, uint: 1n, float: 1 }],
    ["42", { int: 42n, uint: 42n, float: 42 }],
    ["-7", { int: -7n, float: -7 }],
    ["+5", { int: 5n, float: 5 }],
    ["-0", { int: 0n, uint: 0n, float: 0 }],
    ["1_000", { int: 1000n, uint: 1000n, float: 1000 }],
    ["0x1F", { int: 31n, uint: 31n, float: 31 }],
    ["-0x10", { int: -16n, float: -16 }],
    ["0X_f", { int: 15n, uint: 15n, float: 15 }],
    ["0b101", { int: 5n, uint: 5n, float: 5 }],
    ["0o17", { int: 15n, uint: 15n, float: 15 }],
    ["017", { int: 15n, uint: 15n, float: 15 }],
    ["9007199254740993", { int: 9007199254740993n, uint: 9007199254740993n, float: 9.007199254740992e15 }],
    [
      "9223372036854775807",
      { int: 9223372036854775807n, uint: 9223372036854775807n, float: 9.223372036854776e18 },
    ],
    ["9223372036854775808", { uint: 9223372036854775808n, float: 9.223372036854776e18 }],
    ["-9223372036854775808", { int: -9223372036854775808n, float: -9.223372036854776e18 }],
    ["18446744073709551615", { uint: 18446744073709551615n, float: 1.8446744073709552e19 }],
    ["1e3", { int: 1000n, uint: 1000n, float: 1000 }],
    ["1E+2", { int: 100n, uint: 100n, float: 100 }],
    ["1.5", { float: 1.5 }],
    ["-1.0", { int: -1n, float: -1 }],
    [".5", { float: 0.5 }],
    ["5.", { int: 5n, uint: 5n, float: 5 }],
    ["-0.0", { int: 0n, uint: 0n, float: -0 }],
    ["1_0.5", { float: 10.5 }],
    ["1e19", { uint: 10000000000000000000n, float: 1e19 }],
    ["1e20", { float: 1e20 }],
    ["9223372036854775808.0", { uint: 9223372036854775808n, float: 9.223372036854776e18 }],
    ["-9223372036854775808.0", { int: -9223372036854775808n, float: -9.223372036854776e18 }],
    ["0x1p4", { int: 16n, uint: 16n, float: 16 }],
    ["0x1p-1074", { float: 5e-324 }],
    ["0x1p-1075", { int: 0n, uint: 0n, float: 0 }],
    ["0x1.fffffffffffff8p0", { int: 2n, uint: 2n, float: 2 }],
    ["1i", { complex: { real: 0, imaginary: 1 } }],
    ["0i", { int: 0n, uint: 0n, float: 0, complex: { real: 0, imaginary: 0 } }],
    ["-2.5i", { complex: { real: 0, imaginary: -2.5 } }],
    ["1e3i", { complex: { real: 0, imaginary: 1000 } }],
    ["1+2i", { complex: { real: 1, imaginary: 2 } }],
    ["1+0i", { int: 1n, uint: 1n, float: 1, complex: { real: 1, imaginary: 0 } }],
    ["-1+0i", { int: -1n, float: -1, complex: { real: -1, imaginary: 0 } }],
    ["1e3-2.5e-1i", { complex: { real: 1000, imaginary: -0.25 } }],
    ["0x1p4+1i", { complex: { real: 16, imaginary: 1 } }],
    ["'a'", { int: 97n, uint: 97n, float: 97 }],
    [String.raw`'\n'`, { int: 10n, uint: 10n, float: 10 }],
    [String.raw`'\''`, { int: 39n, uint: 39n, float: 39 }],
    ["'é'", { int: 233n, uint: 233n, float: 233 }],
    [String.raw`'\x41'`, { int: 65n, uint: 65n, float: 65 }],
    [String.raw`'\377'`, { int: 255n, uint: 255n, float: 255 }],
    [String.raw`'\u00e9'`, { int: 233n, uint: 233n, float: 233 }],
    [String.raw`'\U0001F600'`, { int: 128512n, uint: 128512n, float: 128512 }],
  ];
  test.each(rows)("%s", (text, readings) => {
    const none = { int: undefined, uint: undefined, float: undefined, complex: undefined };
    const source = expect.anything() as unknown;
    expect(constantOf(text)).toStrictEqual({
      kind: "number",
      position: 2,
      source,
      text: toBytes(text),
      ...none,
      ...readings,
    });
  });
});

describe("what is no constant", () => {
  const rows: readonly (readonly [text: string, message: string])[] = [
    ["-9223372036854775809", 'integer overflow: "-9223372036854775809"'],
    ["18446744073709551616", 'integer overflow: "18446744073709551616"'],
    ["08", 'integer overflow: "08"'],
    ["1_", 'illegal number syntax: "1_"'],
    ["1__0", 'illegal number syntax: "1__0"'],
    ["1e", 'illegal number syntax: "1e"'],
    ["1e999", 'illegal number syntax: "1e999"'],
    ["1e999i", 'illegal number syntax: "1e999i"'],
    ["0x", 'illegal number syntax: "0x"'],
    ["0x1.5", 'illegal number syntax: "0x1.5"'],
    ["0b2", 'bad number syntax: "0b2"'],
    ["0x1p", 'illegal number syntax: "0x1p"'],
    ["1e+", 'illegal number syntax: "1e+"'],
    ["+.", 'illegal number syntax: "+."'],
    ["-i", 'illegal number syntax: "-i"'],
    ["1+i", "syntax error scanning complex number"],
    ["0b1+2i", "syntax error scanning complex number"],
    ["1e999+1i", 'strconv.ParseFloat: parsing "1e999": value out of range'],
    ["1+1e999i", 'strconv.ParseFloat: parsing "+1e999": value out of range'],
    ["0x1+2i", 'strconv.ParseFloat: parsing "0x1": invalid syntax'],
    ["''", "invalid syntax"],
    ["'ab'", "malformed character constant: 'ab'"],
    [String.raw`'\"'`, "invalid syntax"],
    [String.raw`'\q'`, "invalid syntax"],
    [String.raw`'\400'`, "invalid syntax"],
    [String.raw`'\ud800'`, "invalid syntax"],
  ];
  test.each(rows)("%s: %s", (text, message) => {
    expect(() => constantOf(text)).toThrow(`template: t:1: ${message}`);
  });
});
