import { expect, test } from "vitest";
import { formatPercent } from "./totals.ts";

test.each([
  [100, "100%"],
  [99.99, "99.9%"],
  [98.1699, "98.1%"],
  [66.666, "66.6%"],
  [0, "0%"],
])("%d reads as %s", (rate, text) => {
  expect(formatPercent(rate)).toBe(text);
});
