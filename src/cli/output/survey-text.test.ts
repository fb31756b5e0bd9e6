import picocolors from "picocolors";
import { expect, test } from "vitest";
import type { Diagnostic } from "../../core/diagnostic.ts";
import {
  createEntry,
  createImage,
  createPlannedImage,
  createResult,
  failedEntry,
} from "../../relocation/report/testdata/survey.ts";
import { describeSurvey } from "./survey-text.ts";

const options = { colours: picocolors.createColors(false), verbose: false };
const missed = createImage({ source: "redis:7", status: "not-moved", reason: "it is hard-coded" });

test("charts that are in order are counted, and what is not is told, the worst last", () => {
  const entries = [
    failedEntry,
    createEntry(createResult([createImage()])),
    createEntry(createResult([missed, { ...missed, source: "alpine:3" }])),
  ];
  expect(describeSurvey(entries, options)).toEqual([
    "CRITICAL: shop 1.2.3: 0.0% images matched (2/2 failed)",
    "  not moved: it is hard-coded",
    "    redis:7",
    "      at charts/shop/values.yaml:4 (web.image)",
    "    alpine:3",
    "      at charts/shop/values.yaml:4 (web.image)",
    "FAILED: charts/broken",
    "  error: a mapping value is not allowed here",
    "  at charts/broken/values.yaml:7:12",
    "  hint: Check the indentation",
    "Charts: 3 (1 FAILED, 1 CRITICAL, 1 OK)",
    "Images: 3 in scope, 1 moved, 2 not moved",
    "Image Match Rate 33.3%",
  ]);
  expect(describeSurvey(entries, { ...options, verbose: true })[0]).toBe(
    "OK: shop 1.2.3: 100% images matched (1/1)",
  );
});

test("planned images and those of switched-off parts are counted where there are any", () => {
  const entries = [
    createEntry(createResult([createPlannedImage()])),
    createEntry(createResult([createImage(), createPlannedImage()])),
  ];
  expect(describeSurvey(entries, options)).toEqual([
    "Charts: 2 (1 UNVERIFIED, 1 OK)",
    "Images: 2 in scope, 1 moved, 1 planned, 0 not moved",
    "Set for parts that nothing has rendered: 1",
    "Image Match Rate 100%",
  ]);
});

test("an image in many places names the first of them", () => {
  const diagnostics = [1, 2, 3, 4, 5].map((line): Diagnostic => ({
    code: "image-not-moved",
    severity: "error",
    message: "not moved",
    where: { file: "a.yaml", line },
    image: "redis:7",
  }));
  const lines = describeSurvey([createEntry(createResult([missed], { diagnostics }))], options);
  expect(lines.slice(3, 7)).toEqual([
    "      at a.yaml:1",
    "      at a.yaml:2",
    "      at a.yaml:3",
    "      and at 2 more",
  ]);
});

test.each([
  {
    name: "an error that no rate shows",
    finding: { code: "unexpected-change", severity: "error", message: "Service/web changed", where: {} },
    exitCode: 4,
    line: "  error: Service/web changed",
  },
  {
    name: "what --strict refuses",
    finding: {
      code: "unsupported-structure",
      severity: "warning",
      message: "the tag is a number",
      where: {},
      unsupported: true,
    },
    exitCode: 5,
    line: "  warning: the tag is a number",
  },
] as const)("a chart whose images moved tells $name", ({ finding, exitCode, line }) => {
  const result = createResult([createImage()], { diagnostics: [finding] });
  expect(describeSurvey([{ result, exitCode, durationMs: 1 }], options).slice(0, 2)).toEqual([
    `OK: shop 1.2.3: 100% images matched (1/1), exit code ${exitCode}`,
    line,
  ]);
});

test("charts that all failed have no match rate, and one hint where they share it", () => {
  const error = {
    code: "tool-missing",
    message: "helm cannot be started",
    where: {},
    hint: "Put it on PATH",
  };
  const entries = ["a", "b", "c"].map((path) => ({
    failure: { chart: { path }, error, exitCode: 1 },
    exitCode: 1,
    durationMs: 1,
  }));
  expect(describeSurvey(entries, options)).toEqual([
    "FAILED: c",
    "  error: helm cannot be started",
    "FAILED: b",
    "  error: helm cannot be started",
    "FAILED: a",
    "  error: helm cannot be started",
    "  hint: Put it on PATH",
    "Charts: 3 (3 FAILED)",
    "Images: none in scope",
  ]);
});
