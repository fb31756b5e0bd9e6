import { expect, test } from "vitest";
import { callFunction, spelledSpans, valueText } from "../../../test/support/go-function.ts";
import { trackedFrom } from "../go/text.ts";
import { GoMap, GoSlice, listOf, untracked, type GoValue } from "../go/value.ts";
import { encodingFunctions } from "./encoding-functions.ts";

function valueOf(text: string): GoValue {
  return valueText(text, "v");
}

/** The strings in a value with their spans; other scalars are left out. */
function leavesOf(value: GoValue): string[] {
  if (value instanceof GoMap) return [...value.entries.values()].flatMap(leavesOf);
  if (value instanceof GoSlice) return value.items.flatMap(leavesOf);
  return typeof untracked(value) === "string" ? [spelledSpans(value)] : [];
}

const number = trackedFrom(8080, { origins: [{ kind: "value", path: ["port"] }], exact: true });

test.each<[name: string, argument: GoValue, wanted: string]>([
  ["toYaml", new GoMap([["image", valueOf("nginx:1.27")]]), "image: [v+0:nginx:1.27]"],
  ["toYaml", new GoMap([["port", number]]), "port: [port+0:8080]"],
  ["toYaml", valueOf("1.27"), '"[v+0:1.27]"'],
  ["toYaml", valueOf("a: 'b'"), "'[v+0:a: ][~v:''][v+4:b][~v:'']'"],
  ["toYaml", valueOf("a\tb"), String.raw`"[v+0:a][~v:\t][v+2:b]"`],
  ["toYaml", listOf([valueOf("a\n\nb\n")]), "- |\n  [v+0:a]\n\n  [v+3:b]"],
  [
    "toYaml",
    valueOf(`${"word ".repeat(20)}end`),
    `[v+0:${"word ".repeat(16)}word]\n  [v+85:word word word end]`,
  ],
  ["toYaml", valueOf("a\u0085b"), "[~v:a b]"],
  [
    "toJson",
    listOf([valueOf("nginx"), valueOf("a<b")]),
    String.raw`["[v+0:nginx]","[v+0:a][~v:\u003c][v+2:b]"]`,
  ],
  ["toJson", new GoMap([["p", number]]), '{"p":[port+0:8080]}'],
  ["toToml", new GoMap([["a", valueOf("x")]]), 'a = "[v+0:x]"\n'],
])("%s: %#", (name, argument, wanted) => {
  expect(spelledSpans(callFunction(encodingFunctions, name, [argument]))).toBe(wanted);
});

test.each<[name: string, text: string, wanted: readonly string[]]>([
  ["fromYaml", "a: nginx:1.27 # x", ["[v+3:nginx:1.27]"]],
  ["fromYaml", "a: 'x y'\nb: \"z\"", ["[v+4:x y]", "[v+13:z]"]],
  ["fromYaml", 'a: "x\\n"\nb: it\n  goes', ["[~v:x\n]", "[~v:it goes]"]],
  ["fromYaml", "a: |\n  x\n\n    y\nb: 1", ["[v+7:x]\n\n[v+12:  y]\n"]],
  ["fromYaml", "a: &x w\nb: *x\nc: [m]", ["[v+6:w]", "[v+6:w]", "[v+18:m]"]],
  ["fromYaml", "ä: ö\n😀: é", ["[v+4:ö]", "[v+13:é]"]],
  ["fromYaml", "a: {<<: {b: c}}", ["[v+12:c]"]],
  ["fromJson", String.raw`{"a": "x", "b": ["é\n"]}`, ["[v+7:x]", "[~v:é\n]"]],
])("%s of %j", (name, source, wanted) => {
  expect(leavesOf(callFunction(encodingFunctions, name, [valueOf(source)]))).toEqual(wanted);
});
