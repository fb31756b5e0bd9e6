import { expect, test } from "vitest";
import { judge, type VerdictInput } from "./verdict.ts";

const proven = { threshold: 100, chartInstall: "passed", hasUnexpectedChange: false } as const;

test.each<{ name: string; input: Partial<VerdictInput>; status: string; details: string }>([
  { name: "all moved", input: { images: 4, moved: 4 }, status: "OK", details: "100% images matched (4/4)" },
  {
    name: "no image in scope",
    input: { images: 0, moved: 0 },
    status: "OK",
    details: "100% images matched (0/0)",
  },
  {
    name: "from 98 % a warning",
    input: { images: 306, moved: 303 },
    status: "WARNING",
    details: "99.0% images matched (3/306 failed)",
  },
  {
    name: "exactly 98 %",
    input: { images: 50, moved: 49 },
    status: "WARNING",
    details: "98.0% images matched (1/50 failed)",
  },
  {
    name: "below 98 %",
    input: { images: 300, moved: 293 },
    status: "CRITICAL",
    details: "97.6% images matched (7/300 failed)",
  },
  {
    name: "never rounded up to 100 %",
    input: { images: 10_000, moved: 9999 },
    status: "WARNING",
    details: "99.9% images matched (1/10000 failed)",
  },
  {
    name: "nothing rendered it",
    input: { images: 4, moved: 4, chartInstall: "not-run" },
    status: "UNVERIFIED",
    details: "100% images matched (4/4)",
  },
  {
    name: "helm refuses it",
    input: { images: 4, moved: 4, chartInstall: "failed" },
    status: "CRITICAL",
    details: "100% images matched (4/4)",
  },
  {
    name: "something else changed",
    input: { images: 4, moved: 4, hasUnexpectedChange: true },
    status: "CRITICAL",
    details: "100% images matched (4/4)",
  },
])("$name", ({ input, status, details }) => {
  expect(judge({ images: 0, moved: 0, ...proven, ...input })).toMatchObject({ status, details });
});
