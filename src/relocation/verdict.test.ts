import { describe, expect, test } from "vitest";
import type { ImageFinding, Verdict } from "./result.ts";
import { countedImages, judge, type VerdictInput } from "./verdict.ts";

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

describe("the images that a verdict counts", () => {
  const place = {
    apiVersion: "v1",
    kind: "Pod",
    namespace: "",
    name: "p",
    field: "image",
    form: "container",
  } as const;
  const sourceSpec = { dockerImage: { registry: "quay.io", name: "a" } };
  const image: ImageFinding = { source: "quay.io/a", status: "moved", values: [], places: [], enabled: true };

  test.each<[string, Partial<ImageFinding>, Verdict["chartInstall"], boolean]>([
    ["rendered", { sourceSpec, places: [place] }, "passed", true],
    ["not rendered by a chart that is", { sourceSpec, status: "planned" }, "passed", false],
    ["planned, where nothing is rendered", { sourceSpec, status: "planned" }, "not-run", true],
    ["out of scope", { sourceSpec, status: "out-of-scope", places: [place] }, "passed", false],
    ["excluded", { sourceSpec, status: "excluded" }, "not-run", false],
    ["at the target", { sourceSpec, status: "at-target" }, "not-run", false],
    ["no reference at all", { status: "not-moved" }, "passed", true],
  ])("%s", (_name, changes, chartInstall, expected) => {
    expect(countedImages([{ ...image, ...changes }], chartInstall)).toHaveLength(expected ? 1 : 0);
  });
});
