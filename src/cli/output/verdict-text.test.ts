import picocolors from "picocolors";
import { expect, test } from "vitest";
import type { Diagnostic } from "../../core/diagnostic.ts";
import { FairleadError } from "../../core/error.ts";
import { createImage, createPlannedImage, createResult } from "../../relocation/report/testdata/survey.ts";
import { describeError, describeResult } from "./verdict-text.ts";

const options = { colours: picocolors.createColors(false), verbose: false };
const missed = createImage({ source: "redis:7", status: "not-moved", reason: "it is hard-coded" });

test("a run ends with findings, misses, projects and the verdict", () => {
  const result = createResult([createImage(), createPlannedImage(), missed], {
    diagnostics: [
      {
        code: "duplicate-key",
        severity: "warning",
        message: "key a stands twice",
        where: { file: "values.yaml", line: 3 },
        hint: "Remove one",
      },
      { code: "side-setting-added", severity: "info", message: "a setting was added", where: {} },
    ],
  });
  expect(describeResult(result, options)).toEqual([
    "warning: key a stands twice",
    "  at values.yaml:3",
    "  hint: Remove one",
    "info: a setting was added",
    "error: redis:7 is not moved: it is hard-coded",
    "  at charts/shop/values.yaml:4 (web.image)",
    "Projects that must exist at harbor.example.com: dockerio",
    "Set for parts that nothing has rendered: 1",
    "CRITICAL: shop 1.2.3: 50.0% images matched (1/2 failed)",
    "Image Match Rate 50%, Chart Install passed",
  ]);
  expect(describeResult(result, { ...options, verbose: true })[0]).toMatch(/^moved: .* -> harbor/u);
});

test("projects stand under their registry, with what serves in their place", () => {
  const host = "ecr.example.com";
  const alternative = "a pull-through cache rule with the prefix hub";
  const projects = [
    { host, kind: "repository", name: "hub/a", alternative },
    { host, kind: "repository", name: "hub/b", alternative },
    { host: "harbor.example.com", kind: "project", name: "quayio" },
  ];
  expect(describeResult(createResult([createImage()], { projects }), options)).toEqual(
    expect.arrayContaining([
      "Projects that must exist at ecr.example.com: hub/a, hub/b",
      "  or a pull-through cache rule with the prefix hub",
      "Projects that must exist at harbor.example.com: quayio",
    ]),
  );
});

test("a run without an image in scope names the registries that there are", () => {
  const sourceSpec = { dockerImage: { registry: "quay.io", name: "a/b", tag: "1" } };
  const other = createImage({ source: "quay.io/a/b:1", sourceSpec, status: "out-of-scope" });
  const line = "No image comes from a source registry; they come from: quay.io";
  expect(describeResult(createResult([other, other]), options)).toContain(line);
  expect(describeResult(createResult([other, createImage()]), options)).not.toContain(line);
  expect(describeResult(createResult([]), options).join()).not.toContain("No image comes");
});

test("a miss is told once, by its diagnostic where there is one", () => {
  const own: Diagnostic = {
    code: "image-not-moved",
    severity: "error",
    message: "redis:7 in Deployment/web is not moved: it is hard-coded",
    where: { file: "charts/shop/templates/web.yaml", line: 9 },
    image: "redis:7",
  };
  expect(describeResult(createResult([missed], { diagnostics: [own], projects: [] }), options)).toEqual([
    "error: redis:7 in Deployment/web is not moved: it is hard-coded",
    "  at charts/shop/templates/web.yaml:9",
    "CRITICAL: shop 1.2.3: 0.0% images matched (1/1 failed)",
    "Image Match Rate 0%, Chart Install passed",
  ]);
});

test("a miss that no value holds is told with its template", () => {
  const result = createResult([{ ...missed, values: [] }], { projects: [] });
  expect(describeResult(result, options)[1]).toBe("  at shop/templates/web.yaml");
});

test("an override that nothing has rendered says how to prove it", () => {
  expect(describeResult(createResult([createPlannedImage()], { projects: [] }), options)).toEqual([
    "UNVERIFIED: shop 1.2.3: 100% images matched (1/1)",
    "Image Match Rate 100%, Chart Install not-run",
    "Nothing has proven this override.",
  ]);
});

test.each([
  [
    { objects: 2, fields: 3, hooks: 1 },
    [
      "Values do not reach 3 fields of 2 objects.",
      "Of these, 1 hook, which Helm 3 keeps from post-renderers; Helm 4 does not.",
    ],
  ],
  [{ objects: 1, fields: 1, hooks: 0 }, ["Values do not reach 1 field of 1 object."]],
  [{ objects: 0, fields: 0, hooks: 0 }, ["Values reach every field."]],
])("a residual plan is told after the verdict: %o", (counts, lines) => {
  const { verdict } = createResult([createImage()]);
  const told = describeResult(createResult([missed], { residual: { ...counts, verdict } }), options);
  expect(told.slice(-lines.length - 1)).toEqual([
    ...lines,
    "OK: override and residual plan together: 100% images matched (1/1), and nothing else changes",
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

test("a line without end is told by its start and its end", () => {
  const message = `${"a".repeat(100_000)}: nested too deeply`;
  const [line = ""] = describeError(new FairleadError("render-failed", message), options.colours);
  expect(line).toMatch(/^error: a{2000} … and 97019 more characters … a{981}: nested too deeply$/u);
});

test("a message of several lines is barred, and cut where it is endless", () => {
  const lines = describeError(
    new FairleadError("render-failed", `helm refuses:\n- a\r\n${"x\n".repeat(50)}`),
    options.colours,
  );
  expect(lines.slice(0, 3)).toEqual(["error: helm refuses:", "  | - a", "  | x"]);
  expect(lines.slice(-1)).toEqual(["  | … and 41 more lines"]);
});
