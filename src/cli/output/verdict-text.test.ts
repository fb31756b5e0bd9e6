import picocolors from "picocolors";
import { describe, expect, test } from "vitest";
import { FairleadError } from "../../core/error.ts";
import {
  createEntry,
  createImage,
  createResult,
  failedEntry,
} from "../../relocation/report/testdata/survey.ts";
import { describeError, describeResult, describeSurvey } from "./verdict-text.ts";

const options = { colours: picocolors.createColors(false), verbose: false };
const missed = createImage({ source: "redis:7", status: "not-moved", reason: "it is hard-coded" });

test("a run ends with findings, misses, projects and the verdict", () => {
  const result = createResult([createImage(), missed], {
    diagnostics: [
      {
        code: "duplicate-key",
        severity: "warning",
        message: "key a stands twice",
        where: { file: "values.yaml", line: 3 },
        hint: "Remove one",
      },
      {
        code: "image-not-moved",
        severity: "error",
        message: "redis:7 was not moved",
        where: {},
        hint: "Use a post-renderer",
      },
      { code: "side-setting-added", severity: "info", message: "a setting was added", where: {} },
    ],
  });
  expect(describeResult(result, options)).toEqual([
    "warning: key a stands twice",
    "  at values.yaml:3",
    "  hint: Remove one",
    "not moved: redis:7: it is hard-coded",
    "  at charts/shop/values.yaml:4 (web.image)",
    "  hint: Use a post-renderer",
    "Projects that must exist at harbor.example.com: dockerio",
    "CRITICAL: shop 1.2.3: 50% images matched (1/2 failed)",
    "Image Match Rate 50%, Chart Install passed",
  ]);
  expect(describeResult(result, { ...options, verbose: true })).toContain("info: a setting was added");
});

test("a miss that no value holds is told with its place", () => {
  const result = createResult([{ ...missed, values: [] }], { projects: [] });
  expect(describeResult(result, options)[1]).toBe(
    "  Deployment/web spec.template.spec.containers[0].image (shop/templates/web.yaml)",
  );
});

test("a survey tells what is not in order, and the totals", () => {
  const entries = [
    createEntry(createResult([createImage()])),
    createEntry(createResult([missed])),
    failedEntry,
  ];
  expect(describeSurvey(entries, options)).toEqual([
    "CRITICAL: shop 1.2.3: 0% images matched (1/1 failed)",
    "  redis:7: it is hard-coded",
    "FAILED: charts/broken: a mapping value is not allowed here",
    "  at charts/broken/values.yaml:7:12",
    "Charts: 3 (1 FAILED, 1 CRITICAL, 1 OK)",
    "Images: 2 in scope, 1 moved, 0 planned, 1 not moved",
    "Image Match Rate 50%",
  ]);
});

test("an error tells its place and what to do", () => {
  const error = new FairleadError("chart-invalid", "a tab\tin YAML", {
    where: { file: "values.yaml", line: 2, column: 1 },
    hint: "Use spaces",
  });
  expect(describeError(error, options.colours)).toEqual([
    "error: a tab\\tin YAML",
    "  at values.yaml:2:1",
    "  hint: Use spaces",
  ]);
});

describe("hostile text", () => {
  test.each(["\u001b[2J", "a\n::set-output name=x::1", "\u202eexe", "\r\n##[error]"])(
    "%j cannot leave its line",
    (text) => {
      const result = createResult(
        [
          createImage({
            source: text,
            status: "not-moved",
            reason: text,
            values: [{ file: text, valuePath: text }],
          }),
        ],
        {
          chart: { name: text, version: text, path: text },
          targetRegistry: text,
          projects: [text],
          diagnostics: [
            { code: "chart-oddity", severity: "warning", message: text, where: { file: text }, hint: text },
          ],
        },
      );
      const lines = [...describeResult(result, options), ...describeSurvey([createEntry(result)], options)];
      expect(lines.filter((line) => /[\u0000-\u001f\u202e]|^\s*::|##\[/u.test(line))).toEqual([]);
    },
  );
});
