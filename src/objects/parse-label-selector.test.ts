import { expect, test } from "vitest";
import { invalidLabelSelectors, validLabelSelectors } from "../../test/support/label-selectors.ts";
import { tryParseLabelSelector } from "./parse-label-selector.ts";

test.each(validLabelSelectors)("%j is a selector", (text) => {
  expect(tryParseLabelSelector(text)).toBeDefined();
});

test.each(invalidLabelSelectors)("%j is none", (text) => {
  expect(tryParseLabelSelector(text)).toBeUndefined();
});

test("a selector's requirements", () => {
  expect(tryParseLabelSelector("a, !b, c==d, e!=, f in (g, h,), i notin (j), k<7, l > 8")).toEqual([
    { key: "a", operator: "Exists", values: [] },
    { key: "b", operator: "DoesNotExist", values: [] },
    { key: "c", operator: "In", values: ["d"] },
    { key: "e", operator: "NotIn", values: [""] },
    { key: "f", operator: "In", values: ["g", "h", ""] },
    { key: "i", operator: "NotIn", values: ["j"] },
    { key: "k", operator: "Lt", values: ["7"] },
    { key: "l", operator: "Gt", values: ["8"] },
  ]);
});

test("a long text takes no longer than its length", () => {
  const begin = performance.now();
  for (const text of ["a ", "a,", "a= ", "a in (b ", "!", " "]) {
    tryParseLabelSelector(`${text}${text.slice(-1).repeat(100_000)}=`);
  }
  expect(performance.now() - begin).toBeLessThan(2000);
});
