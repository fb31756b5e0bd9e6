import { expect, test } from "vitest";
import { printed } from "../../../test/support/evaluate.ts";
import { dictFunctions } from "./dict-functions.ts";
import { listFunctions } from "./list-functions.ts";
import { mathFunctions } from "./math-functions.ts";
import { reflectFunctions } from "./reflect-functions.ts";
import { semverFunctions } from "./semver-functions.ts";

const functions = {
  ...reflectFunctions,
  ...dictFunctions,
  ...listFunctions,
  ...mathFunctions,
  ...semverFunctions,
};
const values = { half: 1.5, map: { a: 1, b: { c: null, d: "" } } };

/** What Go prints of each. */
const rows: readonly (readonly [expression: string, printed: string])[] = [
  ["typeOf nil", "<nil>"],
  ["typeOf 1", "int"],
  ["typeOf .half", "float64"],
  ['typeOf "a"', "string"],
  ["typeOf true", "bool"],
  ["typeOf (list)", "[]interface {}"],
  ["typeOf (until 1)", "[]int"],
  ["typeOf (keys (dict))", "[]string"],
  ["typeOf (chunk 1 (list))", "[][]interface {}"],
  ["typeOf (dict)", "map[string]interface {}"],
  ["typeOf (int64 1)", "int64"],
  ["typeOf (add 1 1)", "int64"],
  ["typeOf (float64 1)", "float64"],
  ['typeOf (semver "1.2.3")', "*semver.Version"],
  ['typeOf (semver "1.2.3").Major', "uint64"],
  ["typeOf 1i", "complex128"],
  ["typeOf (seq 1)", "string"],
  ["typeOf (round 1 1)", "float64"],
  ['typeOf (atoi "1")', "int"],
  ["typeOf (toDecimal 1)", "int64"],
  ["kindOf nil", "invalid"],
  ["kindOf .missing", "invalid"],
  ["kindOf .map", "map"],
  ["kindOf (list)", "slice"],
  ['kindOf (semver "1.2.3")', "ptr"],
  ["kindOf 1.5", "float64"],
  ['kindIs "int" 1', "true"],
  ['kindIs "invalid" nil', "true"],
  ['typeIs "float64" .half', "true"],
  ['typeIs "*semver.Version" (semver "1.2.3")', "true"],
  ['typeIsLike "semver.Version" (semver "1.2.3")', "true"],
  ['typeIsLike "int" 1', "true"],
  ["deepEqual 1 1", "true"],
  ["deepEqual 1 1.0", "false"],
  ["deepEqual 1 (int64 1)", "false"],
  ["deepEqual nil nil", "true"],
  ['deepEqual nil ""', "false"],
  ["deepEqual (list) (rest (list))", "false"],
  ["deepEqual (list) (list)", "true"],
  ['deepEqual (list "a") (keys (dict "a" 1))', "false"],
  ['deepEqual (dict "a" (list 1 nil)) (dict "a" (list 1 nil))', "true"],
  ['deepEqual (dict "a" nil) (dict "b" nil)', "false"],
  ['deepEqual (dict) (dict "a" nil)', "false"],
  ['deepEqual (float64 "nan") (float64 "nan")', "false"],
  ["deepEqual -0.0 0.0", "true"],
  ['deepEqual (semver "1.2.3") (semver "1.2.3")', "true"],
  ['deepEqual (semver "1.2.3") (semver "1.2.4")', "false"],
  ["deepEqual .map (deepCopy .map)", "true"],
];

test.each(rows)("%s", (expression, wanted) => {
  expect(printed(functions, `{{ ${expression} }}`, values)).toBe(wanted);
});
