import { describe, expect, it } from "vitest";
import type { Source } from "../provenance/span.ts";
import { RenderBudget, type GoContext } from "./context.ts";
import { formatGo, printGo, printlnGo, printValue } from "./format.ts";
import { trackedFrom } from "./text.ts";
import { goTypes } from "./type.ts";
import { toBytes } from "./utf8.ts";
import {
  GoBytes,
  GoComplex,
  GoInteger,
  GoMap,
  GoStruct,
  int64Of,
  intOf,
  listOf,
  nilMap,
  nilSlice,
  stringsOf,
  type GoValue,
  type Text,
} from "./value.ts";

class Version extends GoStruct {
  constructor() {
    super({ name: "*semver.Version", kind: "ptr" }, [["Major", int64Of(1)]]);
  }

  override text(): string {
    return "1.2.3";
  }
}

const context: GoContext = {
  budget: new RenderBudget(),
  random: { bytes: (count) => new Uint8Array(count) },
  now: 0,
  tracking: false,
};
const byte = (value: number): GoInteger => new GoInteger(BigInt(value), goTypes.uint8);
const duration = new GoInteger(5_400_000_000_000n, goTypes.duration);
const point = new GoStruct({ name: "main.Point", kind: "struct" }, [
  ["X", intOf(1)],
  ["Name", "a"],
  ["Any", null],
]);
const pointer = new GoStruct({ name: "*main.Point", kind: "ptr" }, [["X", intOf(1)]]);
const map = new GoMap([
  ["b", "x y"],
  ["a", intOf(1)],
  ["n", null],
]);
const list = listOf([intOf(1), "two", 3.5, true, null]);
const stringMap = new GoMap([["k", "v"]], goTypes.stringMap);

const formats: readonly (readonly [format: string, args: readonly GoValue[], text: string])[] = [
  ["%v %v %v %v", ["s", intOf(-7), 1.5, true], "s -7 1.5 true"],
  ["%v", [null], "<nil>"],
  ["%s", [null], "%!s(<nil>)"],
  ["%d", [null], "%!d(<nil>)"],
  ["%5v|%-7v|", [null, null], "<nil>|<nil>  |"],
  ["%v", [list], "[1 two 3.5 true <nil>]"],
  ["%s", [list], "[%!s(int=1) two %!s(float64=3.5) %!s(bool=true) <nil>]"],
  ["%d", [list], "[1 %!d(string=two) %!d(float64=3.5) %!d(bool=true) <nil>]"],
  ["%#v", [list], '[]interface {}{1, "two", 3.5, true, interface {}(nil)}'],
  ["%q", [stringsOf(["a", 'b"'])], '["a" "b\\""]'],
  ["%5s|", [stringsOf(["a", "b"])], "[    a     b]|"],
  ["%v", [map], "map[a:1 b:x y n:<nil>]"],
  ["%#v", [map], 'map[string]interface {}{"a":1, "b":"x y", "n":interface {}(nil)}'],
  ["%#v", [stringMap], 'map[string]string{"k":"v"}'],
  ["%v %#v", [nilSlice(), nilMap()], "[] map[string]interface {}(nil)"],
  ["%d", [stringMap], "map[%!d(string=k):%!d(string=v)]"],
  ["%v %+v", [point, point], "{1 a <nil>} {X:1 Name:a Any:<nil>}"],
  ["%#v", [point], 'main.Point{X:1, Name:"a", Any:interface {}(nil)}'],
  ["%v %+v %#v", [pointer, pointer, pointer], "&{1} &{X:1} &main.Point{X:1}"],
  ["%v", [listOf([pointer])], "[0xc000010000]"],
  [
    "%s|%8v|%q|%x",
    [new Version(), new Version(), new Version(), new Version()],
    '1.2.3|   1.2.3|"1.2.3"|312e322e33',
  ],
  ["%d", [new Version()], "&{1}"],
  ["%v %s %d", [duration, duration, duration], "1h30m0s 1h30m0s 5400000000000"],
  ["%v", [listOf([duration])], "[1h30m0s]"],
  ["%t", [duration], "%!t(time.Duration=5400000000000)"],
  ["%T %T %T", [map, duration, null], "map[string]interface {} time.Duration <nil>"],
  ["%T|%12T|%.3T", ["", "", ""], "string|      string|str"],
  [
    "%v %s %x %d",
    [new GoBytes("hi"), new GoBytes("hi"), new GoBytes("hi"), new GoBytes("hi")],
    "[104 105] hi 6869 [104 105]",
  ],
  ["%#v %#v", [new GoBytes("h"), listOf([new GoBytes("h")])], "[]byte{0x68} []interface {}{[]uint8{0x68}}"],
  ["%v %.1f", [new GoComplex(1, -2), new GoComplex(1, -2)], "(1-2i) (1.0-2.0i)"],

  ["%d|%5d|%-5d|%05d|%+d|% d", Array(6).fill(intOf(42)), "42|   42|42   |00042|+42| 42"],
  ["%05d|%+05d|%-05d|", Array(3).fill(intOf(-42)), "-0042|-0042|-42  |"],
  ["%.5d|%8.5d|%08.5d|%.0d|", [intOf(42), intOf(42), intOf(42), intOf(0)], "00042|   00042|   00042||"],
  ["%b %o %O %x %X %#x %#o %#b", Array(8).fill(intOf(100)), "1100100 144 0o144 64 64 0x64 0144 0b1100100"],
  ["%x %X %#x", Array(3).fill(intOf(-255)), "-ff -FF -0xff"],
  ["%c|%q|%U|%#U", Array(4).fill(intOf(0x65e5)), toBytes("日|'日'|U+65E5|U+65E5 '日'")],
  ["%c %U", [intOf(-1), intOf(-1)], toBytes("\ufffd U+FFFFFFFFFFFFFFFF")],
  ["%+q %q %q", [intOf(0x65e5), intOf(10), intOf(39)], "'\\u65e5' '\\n' '\\''"],
  ["%v %#v %#v", [byte(5), byte(5), intOf(5)], "5 0x5 5"],
  ["%s %t %e", [intOf(5), intOf(5), intOf(5)], "%!s(int=5) %!t(int=5) %!e(int=5)"],

  ["%v %v %v %v", [1e6, 123456, 1e-5, 1e21], "1e+06 123456 1e-05 1e+21"],
  [
    "%f %.2f %8.3f| %-8.1f|%08.3f %+.1f",
    [1.005, 1.005, 2.34567, 2.25, -2.34567, 2],
    "1.005000 1.00    2.346| 2.2     |-002.346 +2.0",
  ],
  ["%.0f %.0f %.0f", [0.5, 1.5, 2.5], "0 2 2"],
  ["%e %E %.3e", [123456.789, 123456.789, 123456.789], "1.234568e+05 1.234568E+05 1.235e+05"],
  ["%g %G %.3g %#g %#.3g", [1e-7, 1e-7, 123456, 1, 1], "1e-07 1E-07 1.23e+05 1.00000 1.00"],
  ["%x %X %.2x %b", [1.5, -0.1, 1, 1], "0x1.8p+00 -0X1.999999999999AP-04 0x1.00p+00 4503599627370496p-52"],
  [
    "%v %5v|%-6v|%06f|%+f|% v",
    [NaN, Infinity, -Infinity, Infinity, NaN, Infinity],
    "NaN  +Inf|-Inf  |  +Inf|+NaN| Inf",
  ],
  ["%d %s", [1.5, 1.5], "%!d(float64=1.5) %!s(float64=1.5)"],

  ["%s|%5s|%-5s|%05s|%.2s|%5.1s|", Array(6).fill("abc"), "abc|  abc|abc  |00abc|ab|    a|"],
  ["%4s|%.1s|%-4s|", Array(3).fill(toBytes("日本")), toBytes("  日本|日|日本  |")],
  ["%q %+q %#q %#q", ["a\n", toBytes("é"), "raw", "b`"], '"a\\n" "\\u00e9" `raw` "b`"'],
  ["%x|%X|% x|%#x|%# x|%.1x|%6x", Array(7).fill("hi"), "6869|6869|68 69|0x6869|0x68 0x69|68|  6869"],
  ["%d %t", ["s", "s"], "%!d(string=s) %!t(string=s)"],
  ["%t %v %5t|%d", [true, false, true, true], "true false  true|%!d(bool=true)"],

  ["100%%|%5%|", [], "100%|%|"],
  ["%d %d", [intOf(1)], "1 %!d(MISSING)"],
  ["%d", [intOf(1), "x", null], "1%!(EXTRA string=x, <nil>)"],
  ["plain", [intOf(1)], "plain%!(EXTRA int=1)"],
  ["%", [], "%!(NOVERB)"],
  ["%-", ["a"], "%!(NOVERB)%!(EXTRA string=a)"],
  ["%z %!", [intOf(1), "a"], "%!z(int=1) %!!(string=a)"],
  ["%é", [intOf(1)], "%!\u00c3\u00a9(int=1)"],
  ["%w", ["a"], "%!w(string=a)"],
  ["%[2]s %[1]s", ["a", "b"], "b a"],
  ["%[2]*[1]d|", [intOf(7), intOf(4)], "   7|"],
  ["%[3]d %[0]d %[x]d", [intOf(1)], "%!d(BADINDEX) %!d(BADINDEX) %!d(BADINDEX)"],
  ["%[1]s %s", ["a", "b", "c"], "a b"],
  ["%*d|%-*d|%*d|", [intOf(4), intOf(1), intOf(4), intOf(2), intOf(-4), intOf(3)], "   1|2   |3   |"],
  ["%.*f %*d", [intOf(1), 2.25, "x", intOf(1)], "2.2 %!(BADWIDTH)1"],
  ["%.*d", [intOf(-1), intOf(5)], "%!(BADPREC)5"],
  ["%.", [intOf(5)], "%!.(int=5)"],
  ["%99999999d", [intOf(5)], "%!(NOVERB)%!(EXTRA int=5)"],
];

describe("formatGo", () => {
  it.each(formats)("%j", (format, args, text) => {
    expect(formatGo(toBytes(format), args, context)).toBe(text);
  });

  it("stops at the budget", () => {
    const small: GoContext = { ...context, budget: new RenderBudget({ maxBytes: 1000 }) };
    expect(() => formatGo("%1000000d", [intOf(1)], small)).toThrow(/more than 1000 bytes/u);
    expect(() => formatGo("%.1000000f", [1], small)).toThrow(/more than 1000 bytes/u);
  });

  it("does not print what contains itself for ever", () => {
    map.entries.set("self", map);
    expect(() => printValue(map)).toThrow(/nested more than 500 deep/u);
    map.entries.delete("self");
  });
});

describe("print", () => {
  it.each<readonly [name: string, args: readonly GoValue[], print: string, println: string]>([
    ["nothing", [], "", "\n"],
    ["strings", ["a", "b"], "ab", "a b\n"],
    ["numbers", [intOf(1), intOf(2), 1.5], "1 2 1.5", "1 2 1.5\n"],
    ["both", [intOf(1), "a", intOf(2), intOf(3)], "1a2 3", "1 a 2 3\n"],
    ["nil", [null, null, "a", null], "<nil> <nil>a<nil>", "<nil> <nil> a <nil>\n"],
  ])("%s", (_, args, print, println) => {
    expect(printGo(args)).toBe(print);
    expect(printlnGo(args)).toBe(println);
  });

  it("follows a pointer as actions do", () => {
    expect(printValue(pointer)).toBe("{1}");
    expect(printGo([pointer])).toBe("&{1}");
    expect(printValue(new Version())).toBe("1.2.3");
  });
});

const exact = (key: string): Source => ({ origins: [{ kind: "value", path: [key] }], exact: true });

/** The parts of a text that have spans, each with `=` where exact, else `~`, its first key and its offset. */
function spansOf(text: Text): string[] {
  if (typeof text === "string") return [];
  return text.spans.map(({ start, end, source, offset }) => {
    const [origin] = source.origins;
    const key = origin?.kind === "value" ? origin.path.join(".") : "";
    return `${text.value.slice(start, end)}${source.exact ? "=" : "~"}${key}+${offset}`;
  });
}

describe("with tracked values", () => {
  const repository = exact("repository");
  const tag = exact("tag");
  const image = trackedFrom("nginx", repository);
  it.each<
    readonly [name: string, format: string, args: readonly GoValue[], text: string, spans: readonly string[]]
  >([
    ["%s", "%s:%s", [image, trackedFrom("1.25", tag)], "nginx:1.25", ["nginx=repository+0", "1.25=tag+0"]],
    [
      "padding apart",
      "%8s|%-8s|",
      [image, image],
      "   nginx|nginx   |",
      ["nginx=repository+0", "nginx=repository+0"],
    ],
    ["cut off", "%.3s", [image], "ngi", ["ngi=repository+0"]],
    ["%q", "%q", [image], '"nginx"', ["nginx=repository+0"]],
    ["%q with an escape", "%q", [trackedFrom('a"b', tag)], '"a\\"b"', ["a=tag+0", '\\"~tag+0', "b=tag+2"]],
    [
      "%v of an integer",
      "%v|%d",
      [trackedFrom(intOf(8), tag), trackedFrom(intOf(8), tag)],
      "8|8",
      ["8=tag+0", "8=tag+0"],
    ],
    ["%v of a float", "%v", [trackedFrom(1.25, tag)], "1.25", ["1.25=tag+0"]],
    [
      "other spelling",
      "%.1f %x",
      [trackedFrom(1.5, tag), image],
      "1.5 6e67696e78",
      ["1.5=tag+0", "6e67696e78~repository+0"],
    ],
    ["other digits", "%.3f", [trackedFrom(1.5, tag)], "1.500", ["1.500~tag+0"]],
    ["inside lists", "%v", [listOf(["a", image])], "[a nginx]", ["nginx=repository+0"]],
    ["nil", "%s", [trackedFrom(null, tag)], "%!s(<nil>)", ["<nil>=tag+0"]],
    ["bad verb", "%d", [image], "%!d(string=nginx)", ["nginx=repository+0"]],
  ])("%s", (_, format, args, text, spans) => {
    const result = formatGo(format, args, context);
    expect(result).toMatchObject({ value: text });
    expect(spansOf(result)).toEqual(spans);
  });

  it("keeps the spans of the format", () => {
    const format = trackedFrom("docker.io/%s:%%x", repository) as Text;
    const result = formatGo(format, ["a"], context);
    expect(result).toMatchObject({ value: "docker.io/a:%x" });
    expect(spansOf(result)).toEqual(["docker.io/=repository+0", ":=repository+12", "%x=repository+14"]);
  });

  it("prints a scalar with its source", () => {
    expect(printValue(image)).toBe(image);
    expect(spansOf(printValue(trackedFrom(1.1, tag)))).toEqual(["1.1=tag+0"]);
    expect(spansOf(printValue(trackedFrom(true, tag)))).toEqual(["true=tag+0"]);
    expect(spansOf(printGo([image, trackedFrom(intOf(3), tag)]))).toEqual(["nginx=repository+0", "3=tag+0"]);
  });
});
