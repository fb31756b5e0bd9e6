import * as fc from "fast-check";
import { createYamlMap, type YamlMap, type YamlValue } from "../../src/yaml/value.ts";

/** Strings that some reader of YAML takes for something else, or that need care to be written. */
const trickyStrings = [
  ..."y n yes No ON off true False null ~ Null 0 1 -1 +1 007 08 0x1F 0o17 0b1 1_000 1.10 1. .5 -.5 1e3 1E+3 .inf -.Inf".split(
    " ",
  ),
  ...".nan NaN Infinity 1:30 12:30:45 190:20:30.15 2001-01-01 2001-1-1 2001-12-14t21:59:43.10-05:00 = << - -- --- ...".split(
    " ",
  ),
  ..."? : :a a: a:b a#b #a &a *a !a !!str |a >a 'a' \"a\" @a `a` %a [a] {a} , a, $a (a) 1.2.3 v1.2.3 7.2-alpine".split(
    " ",
  ),
  ..."docker.io/library/nginx:1.27 registry.example.com:5000/a/b@sha256:0123 {{a}} 10.0.0.0/8 ::1 50m 128Mi __proto__".split(
    " ",
  ),
  "",
  " ",
  " a",
  "a ",
  "a b",
  "a  b",
  "a #b",
  "a: b",
  "a :b",
  "- a",
  "? a",
  "2001-01-01 00:00:00",
  "a\nb",
  "a\nb\n",
  "a\nb\n\n",
  "\na",
  "a\n",
  "\n",
  "  a\nb",
  "a\n  b\n c",
  "a\n \nb",
  "a \nb",
  "a\n\n\nb",
  "#!/bin/sh\nset -e\n# c\n---\n",
  "a\tb",
  "\ta",
  "a\n\tb",
  "a\r\nb",
  "a\u0085b",
  "a\u2028b\nc",
  "\u00a0",
  "\ufeffa",
  "\u0000",
  "\u001b[0m",
  "\u007f",
  "é",
  "日本",
  "😀\n😀",
  "\\",
  "\\n",
  '"',
  "'",
  `{"a": "b"}`,
  "x".repeat(2000),
];

const key = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom("image", "repository", "tag", "global", "a-b", "a.b/c", "registry"),
  },
  { weight: 1, arbitrary: fc.constantFrom(...trickyStrings) },
  { weight: 1, arbitrary: fc.string({ unit: "binary" }).map((text) => text.toWellFormed()) },
);

const scalar: fc.Arbitrary<YamlValue> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...trickyStrings) },
  { weight: 1, arbitrary: fc.string({ unit: "grapheme" }) },
  { weight: 1, arbitrary: fc.string({ unit: "binary" }).map((text) => text.toWellFormed()) },
  { weight: 1, arbitrary: fc.constantFrom(null, true, false, 0, -0, 1.1, 1e21, 1e-7, 20240101, 5e-324) },
  { weight: 1, arbitrary: fc.integer() },
  { weight: 1, arbitrary: fc.double({ noNaN: true, noDefaultInfinity: true }) },
);

/** Any map that a values file can hold. */
export function arbitraryYamlMap(): fc.Arbitrary<YamlMap> {
  const { map } = fc.letrec<{ value: YamlValue; map: YamlMap }>((tie) => ({
    value: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      scalar,
      fc.array(tie("value"), { maxLength: 4 }),
      tie("map"),
    ),
    map: fc.array(fc.tuple(key, tie("value")), { maxLength: 5 }).map((entries) => createYamlMap(entries)),
  }));
  return map;
}
