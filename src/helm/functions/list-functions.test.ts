import { expect, test } from "vitest";
import { printed } from "../../../test/support/evaluate.ts";
import { RenderBudget } from "../go/context.ts";
import { intOf, listOf } from "../go/value.ts";
import { listFunctions } from "./list-functions.ts";
import { dictFunctions } from "./dict-functions.ts";
import { semverFunctions } from "./semver-functions.ts";

const functions = { ...listFunctions, ...dictFunctions, ...semverFunctions };
const values = { list: [1, "a", null], none: [], text: "x" };

/** What Go prints of each with `%#v`, or its error. */
const rows: readonly (readonly [expression: string, printed: string])[] = [
  ["list", "[]interface {}{}"],
  ['tuple 1 "a" nil 1.5 true', '[]interface {}{1, "a", interface {}(nil), 1.5, true}'],
  ["first (list)", "<nil>"],
  ["first .list", "1"],
  ['first "a"', "error calling first: Cannot find first on type string"],
  ["first nil", "error calling first: runtime error: invalid memory address or nil pointer dereference"],
  ["mustFirst 1", "error calling mustFirst: Cannot find first on type int"],
  ["last (until 3)", "2"],
  ["last 1.5", "error calling last: Cannot find last on type float64"],
  ["rest (list)", "[]interface {}(nil)"],
  ["rest (list 1 2)", "[]interface {}{2}"],
  ["rest (until 3)", "[]interface {}{1, 2}"],
  ["initial (list)", "[]interface {}(nil)"],
  ["initial (list 1 2)", "[]interface {}{1}"],
  ["initial true", "error calling initial: Cannot find initial on type bool"],
  ["append (list 1) nil", "[]interface {}{1, interface {}(nil)}"],
  ['append (until 1) "a"', '[]interface {}{0, "a"}'],
  ["push nil 1", "error calling push: runtime error: invalid memory address or nil pointer dereference"],
  ["append (dict) 1", "error calling append: Cannot push on type map"],
  ["prepend (list 1) (list 2)", "[]interface {}{[]interface {}{2}, 1}"],
  ['prepend "a" 1', "error calling prepend: Cannot prepend on type string"],
  ["concat", "[]interface {}(nil)"],
  ["concat (list)", "[]interface {}(nil)"],
  ["concat .none (list)", "[]interface {}(nil)"],
  ["concat (list 1) (until 1) .list", '[]interface {}{1, 0, 1, "a", interface {}(nil)}'],
  ['concat (list) "a"', "error calling concat: Cannot concat type string as list"],
  ["concat nil", "error calling concat: runtime error: invalid memory address or nil pointer dereference"],
  ["reverse (list 1 2 3)", "[]interface {}{3, 2, 1}"],
  ["reverse 1", "error calling reverse: Cannot find reverse on type int"],
  ['compact (list nil 0 1 "" "a" false (list) (dict) 0.0)', '[]interface {}{1, "a"}'],
  ['compact (semver "1.2.3")', "error calling compact: Cannot compact on type ptr"],
  [
    'uniq (list 1 1 1.0 "1" (list 1) (list 1) (until 1) nil nil)',
    '[]interface {}{1, 1, "1", []interface {}{1}, []int{0}, interface {}(nil)}',
  ],
  ["uniq .text", "error calling uniq: Cannot find uniq on type string"],
  ['without (list 1 2 1 (dict "a" 1)) 1 (dict "a" 1)', "[]interface {}{2}"],
  ["without (list 1.0 1) 1", "[]interface {}{1}"],
  ["without .list 1.0 nil", '[]interface {}{"a"}'],
  ["without 1 1", "error calling without: Cannot find without on type int"],
  ["has 1 .list", "false"],
  ["has 1.0 .list", "true"],
  ["has nil .list", "true"],
  ["has nil (list)", "false"],
  ['has "b" (list "a" "b")', "true"],
  ["has 1 nil", "false"],
  ['has 1 "1"', "error calling has: Cannot find has on type string"],
  ["has (list 1) (list (list 1))", "true"],
  ["has (until 1) (list (list 0))", "false"],
  ["slice (list 1 2 3)", "[]interface {}{1, 2, 3}"],
  ["slice (list 1 2 3) 1", "[]interface {}{2, 3}"],
  ["slice (list 1 2 3) 1 2", "[]interface {}{2}"],
  ['slice (until 3) "1" 2.9', "[]int{1}"],
  ["slice (list) 1 2", "<nil>"],
  ["slice (list 1) 2 1", "error calling slice: reflect.Value.Slice: slice index out of bounds"],
  ["slice (list 1) -1", "error calling slice: reflect.Value.Slice: slice index out of bounds"],
  ['slice "abc" 1', "error calling slice: list should be type of slice or array but string"],
  ["slice nil", "error calling slice: runtime error: invalid memory address or nil pointer dereference"],
  ["chunk 2 (list 1 2 3)", "[][]interface {}{[]interface {}{1, 2}, []interface {}{3}}"],
  ["chunk 2 (list)", "[][]interface {}{}"],
  ["chunk 0 (list 1)", "error calling chunk: runtime error: makeslice: len out of range"],
  ["chunk -2 (list 1)", "[][]interface {}{[]interface {}{1}}"],
  ["chunk -1 (list 1)", "error calling chunk: runtime error: makeslice: len out of range"],
  ['chunk 1 "a"', "error calling chunk: Cannot chunk type string"],
  ["until 3", "[]int{0, 1, 2}"],
  ["until -2", "[]int{0, -1}"],
  ["until 0", "[]int{}"],
  ["untilStep 0 5 2", "[]int{0, 2, 4}"],
  ["untilStep 5 0 -2", "[]int{5, 3, 1}"],
  ["untilStep 0 5 0", "[]int{}"],
  ["untilStep 5 0 1", "[]int{}"],
  ["seq", '""'],
  ["seq 3", '"1 2 3"'],
  ["seq 0", '"1 0"'],
  ["seq -1", '"1 0 -1"'],
  ["seq 2 4", '"2 3 4"'],
  ["seq 2 -1", '"2 1 0 -1"'],
  ["seq 0 2 5", '"0 2 4"'],
  ["seq 5 2 0", '""'],
  ["seq 5 -2 0", '"5 3 1"'],
  ["seq 0 0 5", '""'],
  ["seq 1 2 3 4", '""'],
  ["until 1.5", "expected integer; found 1.5"],
];

test.each(rows)("%s", (expression, wanted) => {
  expect(printed(functions, `{{ printf "%#v" (${expression}) }}`, values)).toBe(wanted);
});

test.each([
  ["until", [intOf(2n ** 40n)]],
  ["seq", [intOf(2n ** 62n)]],
  ["concat", Array.from({ length: 100 }, () => listOf(Array.from({ length: 1000 }, () => null)))],
])("%s does not make more than is allowed", (name, args) => {
  const context = {
    budget: new RenderBudget({ maxBytes: 100_000 }),
    random: { bytes: () => new Uint8Array() },
    now: 0,
    tracking: false,
  };
  expect(() => listFunctions[name]?.call(args, context)).toThrow("more than 100000 bytes");
});
