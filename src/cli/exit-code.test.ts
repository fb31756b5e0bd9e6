import { describe, expect, test } from "vitest";
import type { Diagnostic } from "../core/diagnostic.ts";
import { type ErrorCode, FairleadError } from "../core/error.ts";
import type { ChartResult, Verdict } from "../relocation/result.ts";
import { exitCodeFor, exitCodeOf, worstExitCode } from "./exit-code.ts";

describe("an error's exit code", () => {
  const rows: readonly (readonly [ErrorCode, number])[] = [
    ["internal", 1],
    ["aborted", 1],
    ["timeout", 1],
    ["tool-missing", 1],
    ["tool-failed", 1],
    ["render-failed", 1],
    ["input-invalid", 2],
    ["input-unreadable", 2],
    ["config-invalid", 2],
    ["output-refused", 2],
    ["target-invalid", 2],
    ["value-path-invalid", 2],
    ["chart-invalid", 3],
    ["chart-unreadable", 3],
    ["dependency-missing", 3],
    ["values-invalid", 3],
    ["limit-exceeded", 3],
    ["reference-invalid", 4],
    ["digest-invalid", 4],
    ["target-collision", 4],
    ["residual-drift", 4],
  ];
  test.each(rows)("%s ends with %i", (code, exitCode) => {
    expect(exitCodeFor(new FairleadError(code, "a sentence"))).toBe(exitCode);
  });
});

function createResult(
  verdict: Partial<Verdict>,
  diagnostics: readonly Partial<Diagnostic>[] = [],
): ChartResult {
  return {
    chart: { name: "shop", version: "1.0.0", path: "shop" },
    targetRegistry: "harbor.example.com",
    verdict: {
      status: "OK",
      images: 10,
      moved: 10,
      rate: 100,
      threshold: 100,
      chartInstall: "passed",
      details: "",
      ...verdict,
    },
    images: [],
    diagnostics: diagnostics.map((diagnostic) =>
      Object.assign({ code: "chart-oddity", severity: "warning", message: "", where: {} }, diagnostic),
    ),
    override: "{}\n",
    projects: [],
  };
}

function withResidual(result: ChartResult, status: Verdict["status"]): ChartResult {
  const verdict = { ...result.verdict, status };
  return { ...result, residual: { objects: 1, fields: 1, hooks: 0, verdict } };
}

describe("a chart's exit code", () => {
  const unsupported: Partial<Diagnostic> = { code: "unsupported-structure", unsupported: true };
  const rows: readonly (readonly [string, ChartResult, boolean, number])[] = [
    ["all moved", createResult({}), false, 0],
    [
      "all planned, nothing rendered",
      createResult({ status: "UNVERIFIED", chartInstall: "not-run" }),
      true,
      0,
    ],
    ["WARNING is below the default threshold", createResult({ status: "WARNING", rate: 99 }), false, 4],
    ["a rate at the threshold", createResult({ status: "WARNING", rate: 98, threshold: 98 }), false, 0],
    ["a rate just below the threshold", createResult({ rate: 97.99, threshold: 98 }), false, 4],
    ["a chart that does not render", createResult({ chartInstall: "failed", threshold: 0 }), false, 4],
    ["unsupported without strict", createResult({}, [unsupported]), false, 0],
    ["unsupported under strict", createResult({}, [unsupported]), true, 5],
    ["unsupported before the rate", createResult({ rate: 10 }, [unsupported]), true, 5],
    ["a warning under strict", createResult({}, [{}]), true, 0],
    [
      "an unexpected change at full rate",
      createResult({}, [{ code: "unexpected-change", severity: "error" }]),
      false,
      4,
    ],
    [
      "a miss that the threshold forgives",
      createResult({ rate: 90, threshold: 90 }, [{ code: "image-not-moved", severity: "error" }]),
      false,
      0,
    ],
  ];
  const missed = createResult({ status: "CRITICAL", rate: 50 }, [
    { code: "image-not-moved", severity: "error" },
    { code: "image-misplaced", severity: "error" },
  ]);
  const changed = createResult({ rate: 50 }, [{ code: "unexpected-change", severity: "error" }]);
  const residualRows: readonly (readonly [string, ChartResult, boolean, number])[] = [
    ["a residual plan that moves the rest", withResidual(missed, "OK"), false, 0],
    ["one that does not", withResidual(missed, "CRITICAL"), false, 4],
    ["one that does not, beside a forgiving threshold", withResidual(createResult({}), "WARNING"), false, 4],
    ["one that moves the rest of an override that changes more", withResidual(changed, "OK"), false, 4],
    [
      "one beside what is unsupported, under strict",
      withResidual(createResult({}, [unsupported]), "OK"),
      true,
      5,
    ],
  ];
  test.each([...rows, ...residualRows])("%s", (_name, result, strict, exitCode) => {
    expect(exitCodeOf(result, { strict })).toBe(exitCode);
  });
});

test.each([
  { codes: [], worst: 0 },
  { codes: [0, 0], worst: 0 },
  { codes: [0, 1], worst: 1 },
  { codes: [1, 4], worst: 4 },
  { codes: [4, 5, 1], worst: 5 },
  { codes: [5, 3, 4], worst: 3 },
  { codes: [1, 2, 3, 4, 5, 0], worst: 2 },
  { codes: [0, 137], worst: 1 },
])("the worst of $codes is $worst", ({ codes, worst }) => {
  expect(worstExitCode(codes)).toBe(worst);
});
