import { expect, test } from "vitest";
import { createResult } from "../../relocation/report/testdata/survey.ts";
import type { ChartResult, Verdict } from "../../relocation/result.ts";
import { refusalOf } from "./refusal.ts";

const proven: Verdict = {
  status: "CRITICAL",
  images: 3,
  moved: 2,
  rate: 200 / 3,
  threshold: 100,
  chartInstall: "passed",
  details: "66.6% images matched (1/3 failed)",
};

function resultWith(verdict: Partial<Verdict>): ChartResult {
  return { ...createResult([]), verdict: { ...proven, ...verdict } };
}

test("nothing for a run that passed", () => {
  expect(refusalOf(resultWith({ rate: 100 }), 0)).toBeUndefined();
});

test("a residual plan that leaves something goes before the threshold", () => {
  const residual = { objects: 1, fields: 1, hooks: 0, verdict: { ...proven, rate: 75 } };
  const refusal = refusalOf({ ...resultWith({}), residual }, 4);
  expect(refusal?.message).toContain("with the residual plan too, 75% of the images move");
});

test.each([
  [
    "a missed threshold",
    {},
    4,
    "66.6% of the images moved, and the threshold is 100%",
    "--threshold 66.6 accepts",
  ],
  ["a strict run", { rate: 100 }, 5, "--strict refuses", "without --strict"],
  ["another change", { rate: 100 }, 4, "more, or less, than move", "--dry-run prints"],
] as const)("%s", (_name, verdict, exitCode, message, hint) => {
  const refusal = refusalOf(resultWith(verdict), exitCode);
  expect(refusal?.message).toContain(message);
  expect(refusal?.hint).toContain(hint);
});
