import { describe, expect, it } from "vitest";
import { formatFloat, type FloatFormat } from "./float-format.ts";
import {
  atoi,
  parseGoFloat,
  parseGoInt,
  parseGoUint,
  readAtoi,
  readFloat,
  readInt,
  readUint,
} from "./number.ts";
import type { BitSize } from "./number.ts";

const maxInt64 = 2n ** 63n - 1n;

describe("formatFloat", () => {
  it.each<readonly [value: number, format: FloatFormat, precision: number, text: string]>([
    [0, "f", -1, "0"],
    [-0, "f", 2, "-0.00"],
    [1, "e", -1, "1e+00"],
    [0, "e", 3, "0.000e+00"],
    [123456789, "f", -1, "123456789"],
    [1e21, "f", -1, "1000000000000000000000"],
    [1e-7, "f", -1, "0.0000001"],
    [2.5, "f", 0, "2"],
    [3.5, "f", 0, "4"],
    [0.125, "f", 2, "0.12"],
    [0.375, "f", 2, "0.38"],
    [1.005, "f", 2, "1.00"],
    [9.995, "f", 2, "9.99"],
    [99.5, "f", 0, "100"],
    [0.00001, "f", 2, "0.00"],
    [0.1, "f", 20, "0.10000000000000000555"],
    [999.5, "e", 2, "1.00e+03"],
    [1e-5, "E", 1, "1.0E-05"],
    [5e-324, "e", -1, "5e-324"],
    [1.7976931348623157e308, "g", -1, "1.7976931348623157e+308"],
    [100000, "g", -1, "100000"],
    [1000000, "g", -1, "1e+06"],
    [1000000, "g", 10, "1000000"],
    [1234567, "g", 3, "1.23e+06"],
    [0.0001, "G", -1, "0.0001"],
    [0.00001, "G", -1, "1E-05"],
    [100, "g", 0, "1e+02"],
    [1, "x", -1, "0x1p+00"],
    [0, "x", -1, "0x0p+00"],
    [-1.5, "X", -1, "-0X1.8P+00"],
    [0.1, "x", 3, "0x1.99ap-04"],
    [1.96875, "x", 1, "0x1.0p+01"],
    [1, "b", -1, "4503599627370496p-52"],
    [Infinity, "f", 2, "+Inf"],
    [-Infinity, "x", 2, "-Inf"],
    [NaN, "e", 2, "NaN"],
  ])("%d %s %d", (value, format, precision, text) => {
    expect(formatFloat(value, format, precision)).toBe(text);
  });

  it.each<readonly [value: number, format: FloatFormat, precision: number, text: string]>([
    [0.1, "g", -1, "0.1"],
    [16777217, "f", -1, "16777216"],
    [0.1, "b", -1, "13421773p-27"],
    [0.1, "x", -1, "0x1.99999ap-04"],
    [1e-45, "e", -1, "1e-45"],
  ])("of 32 bits: %d %s %d", (value, format, precision, text) => {
    expect(formatFloat(value, format, precision, 32)).toBe(text);
  });
});

describe("integers", () => {
  it.each<readonly [text: string, base: number, bits: BitSize, value: bigint, problem: string]>([
    ["0", 10, 64, 0n, ""],
    ["-0", 10, 64, 0n, ""],
    ["+12", 10, 64, 12n, ""],
    ["007", 10, 64, 7n, ""],
    ["9223372036854775807", 10, 64, maxInt64, ""],
    ["9223372036854775808", 10, 64, maxInt64, "value out of range"],
    ["-9223372036854775808", 10, 64, -maxInt64 - 1n, ""],
    ["-9223372036854775809", 10, 64, -maxInt64 - 1n, "value out of range"],
    ["99999999999999999999x", 10, 64, maxInt64, "value out of range"],
    ["128", 10, 8, 127n, "value out of range"],
    ["-128", 10, 8, -128n, ""],
    ["", 10, 64, 0n, "invalid syntax"],
    ["-", 10, 64, 0n, "invalid syntax"],
    [" 1", 10, 64, 0n, "invalid syntax"],
    ["1.0", 10, 64, 0n, "invalid syntax"],
    ["1_0", 10, 64, 0n, "invalid syntax"],
    ["0x1", 10, 64, 0n, "invalid syntax"],
    ["zz", 36, 64, 1295n, ""],
    ["9", 8, 64, 0n, "invalid syntax"],
    ["1", 37, 64, 0n, "invalid base 37"],
    ["0x1F", 0, 64, 31n, ""],
    ["-0b101", 0, 64, -5n, ""],
    ["0o17", 0, 64, 15n, ""],
    ["017", 0, 64, 15n, ""],
    ["08", 0, 64, 0n, "invalid syntax"],
    ["0x", 0, 64, 0n, "invalid syntax"],
    ["1_000", 0, 64, 1000n, ""],
    ["0x_1F", 0, 64, 31n, ""],
    ["0_7", 0, 64, 7n, ""],
    ["1__0", 0, 64, 0n, "invalid syntax"],
    ["_1", 0, 64, 0n, "invalid syntax"],
    ["1_", 0, 64, 0n, "invalid syntax"],
    ["0x_", 0, 64, 0n, "invalid syntax"],
  ])("readInt %j in base %d of %d bits", (text, base, bits, value, problem) => {
    const error =
      problem === "" ? undefined : `strconv.ParseInt: parsing ${JSON.stringify(text)}: ${problem}`;
    expect(readInt(text, base, bits)).toEqual({ value, error });
  });

  it("reads unsigned integers without a sign", () => {
    expect(readUint("18446744073709551615")).toEqual({ value: 2n ** 64n - 1n, error: undefined });
    expect(readUint("-1").error).toBe('strconv.ParseUint: parsing "-1": invalid syntax');
    expect(readUint("256", 10, 8)).toMatchObject({ value: 255n });
  });

  it("names the function in errors", () => {
    expect(readAtoi("9223372036854775808").value).toBe(maxInt64);
    expect(() => atoi("a\nb")).toThrow('strconv.Atoi: parsing "a\\nb": invalid syntax');
    expect(() => parseGoInt("x")).toThrow('strconv.ParseInt: parsing "x": invalid syntax');
    expect(() => parseGoUint("x")).toThrow('strconv.ParseUint: parsing "x": invalid syntax');
    expect(() => parseGoFloat("1e999")).toThrow('strconv.ParseFloat: parsing "1e999": value out of range');
  });
});

describe("readFloat", () => {
  it.each<readonly [text: string, value: number, problem: string]>([
    ["1", 1, ""],
    ["-1.5e3", -1500, ""],
    [".5", 0.5, ""],
    ["5.", 5, ""],
    ["1E+2", 100, ""],
    ["-0", -0, ""],
    ["1_000.5", 1000.5, ""],
    ["0.1e-400", 0, ""],
    ["1e400", Infinity, "value out of range"],
    ["-1e400", -Infinity, "value out of range"],
    ["inf", Infinity, ""],
    ["-Infinity", -Infinity, ""],
    ["NaN", NaN, ""],
    ["0x1p-2", 0.25, ""],
    ["-0x.8p1", -1, ""],
    ["0X1.8P+1", 3, ""],
    ["0x_1p4", 16, ""],
    ["0x1.00000000000008p0", 1, ""],
    ["0x1.00000000000018p0", 1.0000000000000004, ""],
    ["0x1p-1074", 5e-324, ""],
    ["0x1p-1075", 0, ""],
    ["0x1.8p-1075", 5e-324, ""],
    ["0x1p1024", Infinity, "value out of range"],
    ["0x1", 0, "invalid syntax"],
    ["0xp1", 0, "invalid syntax"],
    ["", 0, "invalid syntax"],
    [".", 0, "invalid syntax"],
    ["1e", 0, "invalid syntax"],
    ["1 ", 0, "invalid syntax"],
    ["1__0", 0, "invalid syntax"],
    ["1_e5", 0, "invalid syntax"],
    ["+nan", 0, "invalid syntax"],
    ["infin", 0, "invalid syntax"],
  ])("%j", (text, value, problem) => {
    const error =
      problem === "" ? undefined : `strconv.ParseFloat: parsing ${JSON.stringify(text)}: ${problem}`;
    expect(readFloat(text)).toEqual({ value, error });
  });
});
