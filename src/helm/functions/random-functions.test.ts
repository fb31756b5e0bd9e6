import { expect, test } from "vitest";
import {
  callFunction,
  callRow,
  type RowArgument,
  type RowResult,
} from "../../../test/support/go-function.ts";
import { RenderBudget } from "../go/context.ts";
import { trackedFrom } from "../go/text.ts";
import { intOf } from "../go/value.ts";
import { networkFunctions } from "./network-functions.ts";
import { randomFunctions } from "./random-functions.ts";

const shapes: readonly [name: string, args: readonly RowArgument[], wanted: RegExp][] = [
  ["randAlpha", [500], /^[A-Za-z]{500}$/u],
  ["randNumeric", [500], /^[0-9]{500}$/u],
  ["randAlphaNum", [9000], /^[A-Za-z0-9]{9000}$/u],
  ["randAscii", [500], /^[ -~]{500}$/u],
  ["randAlpha", [0], /^$/u],
  ["randAlpha", [-1], /^$/u],
  ["randBytes", [4], /^[A-Za-z0-9+/]{6}==$/u],
  ["randBytes", [0], /^$/u],
  ["shuffle", ["éa"], /^(?:éa|aé)$/u],
];
test.each(shapes)("%s %j", (name, args, wanted) => {
  expect(callRow(randomFunctions, name, args)).toMatch(wanted);
});

const rows: readonly [name: string, args: readonly RowArgument[], wanted: RowResult][] = [
  ["randInt", [3, 4], 3],
  ["randInt", [-2, -1], -2],
  ["randInt", [3, 3], { error: "invalid argument to Intn" }],
  ["randBytes", [-1], { error: "runtime error: makeslice: len out of range" }],
];
test.each(rows)("%s %j", (name, args, wanted) => {
  expect(callRow(randomFunctions, name, args)).toEqual(wanted);
});

test("all characters come up", () => {
  expect(new Set(callRow(randomFunctions, "randAscii", [5000]) as string).size).toBe(95);
});

test("what is made out of nothing says so", () => {
  const source = { origins: [{ kind: "generated", function: "randInt" }], exact: false } as const;
  expect(callFunction(randomFunctions, "randInt", [intOf(1), intOf(2)], { tracking: true })).toEqual(
    trackedFrom(intOf(1), source),
  );
});

test("no more is made than the budget has", () => {
  for (const name of ["randAlpha", "randBytes"]) {
    const budget = new RenderBudget({ maxBytes: 1000 });
    expect(() => callFunction(randomFunctions, name, [intOf(2000)], { budget })).toThrow(
      expect.objectContaining({ code: "limit-exceeded" }),
    );
  }
});

test("no host has an address", () => {
  expect(callRow(networkFunctions, "getHostByName", ["example.com"])).toBe("");
});
