import { expect, test } from "vitest";
import { printed } from "../../../test/support/evaluate.ts";
import { RenderBudget } from "../go/context.ts";
import { GoMap, nilMap } from "../go/value.ts";
import { dictFunctions } from "./dict-functions.ts";
import { listFunctions } from "./list-functions.ts";
import { semverFunctions } from "./semver-functions.ts";

const functions = { ...dictFunctions, ...listFunctions, ...semverFunctions };
const values = { list: [1], map: { a: 1, b: { c: null, d: "" } }, text: "x" };

/** What Go prints of each with `%#v`, or its error. */
const rows: readonly (readonly [expression: string, printed: string])[] = [
  ["dict", "map[string]interface {}{}"],
  ['dict "a"', 'map[string]interface {}{"a":""}'],
  ['dict "a" 1 "a" 2', 'map[string]interface {}{"a":2}'],
  [
    'dict 1 1 nil 2 (list "x" 1) 3 1.5 4 true',
    'map[string]interface {}{"1":1, "1.5":4, "<nil>":2, "[x 1]":3, "true":""}',
  ],
  ['get .map "a"', "1"],
  ['get .map "zz"', '""'],
  ['get .map.b "c"', "<nil>"],
  ['get nil "a"', '""'],
  ['get .text "a"', "wrong type for value; expected map[string]interface {}; got string"],
  ['hasKey .map "a"', "true"],
  ['hasKey .map "zz"', "false"],
  ['hasKey .map.b "c"', "true"],
  ['set (dict) "a" nil', 'map[string]interface {}{"a":interface {}(nil)}'],
  ['unset (dict "a" 1 "b" 2) "a"', 'map[string]interface {}{"b":2}'],
  ['unset (dict) "a"', "map[string]interface {}{}"],
  ['pluck "a" .map (dict) (dict "a" nil)', "[]interface {}{1, interface {}(nil)}"],
  [
    'pick .map "b" "zz"',
    'map[string]interface {}{"b":map[string]interface {}{"c":interface {}(nil), "d":""}}',
  ],
  ['omit .map "b" "zz"', 'map[string]interface {}{"a":1}'],
  ['keys (dict "a" 1)', '[]string{"a"}'],
  ["keys", "[]string{}"],
  ['values (dict "a" (list 1))', "[]interface {}{[]interface {}{1}}"],
  ['dig "a" 0 .map', "1"],
  ['dig "b" "c" 0 .map', "<nil>"],
  ['dig "b" "zz" 0 .map', "0"],
  ['dig "zz" "b" 0 .map', "0"],
  [
    'dig "a" "b" 0 .map',
    "error calling dig: interface conversion: interface {} is float64, not map[string]interface {}",
  ],
  [
    'dig "b" "c" "d" 0 .map',
    "error calling dig: interface conversion: interface {} is nil, not map[string]interface {}",
  ],
  [
    'dig "a" 0 .list',
    "error calling dig: interface conversion: interface {} is []interface {}, not map[string]interface {}",
  ],
  [
    'dig "a" 0 nil',
    "error calling dig: interface conversion: interface {} is nil, not map[string]interface {}",
  ],
  ["dig 1 0 .map", "error calling dig: interface conversion: interface {} is int, not string"],
  ['dig "a" .map', "error calling dig: dig needs at least three arguments"],
  [
    "deepCopy .map",
    'map[string]interface {}{"a":1, "b":map[string]interface {}{"c":interface {}(nil), "d":""}}',
  ],
  [
    'deepCopy (list nil (list (dict "a" (rest (list)))))',
    '[]interface {}{interface {}(nil), []interface {}{map[string]interface {}{"a":[]interface {}(nil)}}}',
  ],
  ["deepCopy nil", "error calling deepCopy: reflect: call of reflect.Value.Type on zero Value"],
  ["deepCopy 1", "1"],
  [
    'merge (dict "a" "" "b" 0 "c" nil "d" (list) "e" "kept") (dict "a" 1 "b" 2 "c" 3 "d" (list 4) "e" 5)',
    'map[string]interface {}{"a":1, "b":2, "c":3, "d":[]interface {}{4}, "e":"kept"}',
  ],
  [
    'merge (dict "m" (dict "a" 1 "n" (dict))) (dict "m" (dict "a" 2 "n" (dict "b" 3))) (dict "m" (dict "z" nil "y" ""))',
    'map[string]interface {}{"m":map[string]interface {}{"a":1, "n":map[string]interface {}{"b":3}, "y":""}}',
  ],
  [
    'merge (dict "a" (dict "x" 1)) (dict "a" "text")',
    'map[string]interface {}{"a":map[string]interface {}{"x":1}}',
  ],
  ['merge (dict "a" "text") (dict "a" (dict "x" 1))', 'map[string]interface {}{"a":"text"}'],
  ['merge (dict "a" (list 1)) (dict "a" (list 2 3))', 'map[string]interface {}{"a":[]interface {}{1}}'],
  ['merge (dict "v" (semver "1.2.3")) (dict "v" (dict))', '""'],
  [
    'mustMerge (dict "v" (semver "1.2.3")) (dict "v" (dict))',
    "error calling mustMerge: src and dst must be of same type",
  ],
  [
    'mergeOverwrite (dict "a" 1 "b" 1 "c" 1 "d" (list 1) "e" (dict "x" 1)) (dict "a" "" "b" nil "c" false "d" (list) "e" (dict))',
    'map[string]interface {}{"a":"", "b":interface {}(nil), "c":false, "d":[]interface {}{}, "e":map[string]interface {}{"x":1}}',
  ],
  [
    'mergeOverwrite (dict "a" (dict "x" 1)) (dict "a" (dict "y" 2)) (dict "a" "text")',
    'map[string]interface {}{"a":"text"}',
  ],
  ['mergeOverwrite (dict "a" (dict "x" 1)) (dict "a" nil)', 'map[string]interface {}{"a":interface {}(nil)}'],
  [
    "merge nil .map",
    'map[string]interface {}{"a":1, "b":map[string]interface {}{"c":interface {}(nil), "d":""}}',
  ],
  [
    "merge .map nil",
    'map[string]interface {}{"a":1, "b":map[string]interface {}{"c":interface {}(nil), "d":""}}',
  ],
  ["merge .text .map", "wrong type for value; expected map[string]interface {}; got string"],
];

test.each(rows)("%s", (expression, wanted) => {
  expect(printed(functions, `{{ printf "%#v" (${expression}) }}`, values)).toBe(wanted);
});

/** Who sees a change of whose map. */
const sharing: readonly (readonly [template: string, printed: string])[] = [
  [
    '{{ $inner := dict "x" 1 }}{{ $target := dict }}{{ $source := dict "inner" $inner }}{{ $_ := merge $target $source }}{{ $_ = set $inner "x" 2 }}{{ $target }}',
    "map[inner:map[x:2]]",
  ],
  [
    '{{ $empty := dict }}{{ $target := dict "m" $empty }}{{ $_ := merge $target (dict "m" (dict "x" 1)) }}{{ $empty }}',
    "map[x:1]",
  ],
  [
    '{{ $target := dict "m" (dict "x" 1) }}{{ $source := dict "m" (dict "y" 2) }}{{ $_ := merge $target $source }}{{ $target }}{{ $source }}',
    "map[m:map[x:1 y:2]]map[m:map[y:2]]",
  ],
  ['{{ $copy := deepCopy .map }}{{ $_ := set .map.b "c" 1 }}{{ $copy }}', "map[a:1 b:map[c:<nil> d:]]"],
  ['{{ $same := .map }}{{ $_ := set .map "a" 2 }}{{ $_ = unset .map "b" }}{{ $same }}', "map[a:2]"],
  ["{{ $short := list 1 }}{{ $long := append $short 2 }}{{ $short }}{{ $long }}", "[1][1 2]"],
];

test.each(sharing)("%s", (template, wanted) => {
  expect(printed(functions, template, values)).toBe(wanted);
});

test("keys and values come in the order of the keys", () => {
  expect(
    printed(functions, '{{ keys (dict "b" 1 "a" 2) (dict "c" 3) }}{{ values (dict "b" 1 "a" 2) }}'),
  ).toBe("[a b c][2 1]");
});

test.each([
  ["deepCopy $map", "limit-exceeded"],
  ["merge $map (deepCopy $map)", "limit-exceeded"],
])("%s of a map within itself ends", (expression) => {
  const template = `{{ $map := dict }}{{ $_ := set $map "self" $map }}{{ ${expression} }}`;
  expect(printed(functions, template)).toContain("nest deeper than 1000 levels");
});

test("a nil map cannot be changed, and gives way to a map of its own", () => {
  const random = { bytes: () => new Uint8Array() };
  const context = { budget: new RenderBudget(), random, now: 0, tracking: false };
  expect(() => dictFunctions["set"]?.call([nilMap(), "a", 1], context)).toThrow(
    "assignment to entry in nil map",
  );
  const source = new GoMap([["a", 1]]);
  expect(dictFunctions["merge"]?.call([nilMap(), nilMap(), source], context)).toEqual(source);
  expect(dictFunctions["merge"]?.call([nilMap(), nilMap()], context)).toEqual(nilMap());
});
