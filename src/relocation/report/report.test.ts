import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { SurveyEntry } from "../result.ts";
import { reportKind, type ReportKind } from "./report-kind.ts";
import { formatReport } from "./report.ts";
import type { ReportContext } from "./report-context.ts";
import { createEntry, createImage, createResult, failedEntry } from "./testdata/survey.ts";

const context: ReportContext = { toolVersion: "0.1.0", generatedAt: new Date("2026-11-21T03:12:00Z") };
const kinds: readonly ReportKind[] = ["json", "junit", "sarif", "html"];

test.each([
  { file: "report.json", kind: "json" },
  { file: "out/REPORT.XML", kind: "junit" },
  { file: "results.sarif", kind: "sarif" },
  { file: "page.html", kind: "html" },
  { file: "page.htm", kind: "html" },
  { file: "report.yaml", kind: undefined },
  { file: "report", kind: undefined },
  { file: "json", kind: undefined },
  { file: "report.json.bak", kind: undefined },
])("$file asks for $kind", ({ file, kind }) => {
  expect(reportKind(file)).toBe(kind);
});

function hostileEntry(text: string): SurveyEntry {
  const image = createImage({
    source: text,
    status: "not-moved",
    reason: text,
    values: [{ file: text, line: 1, valuePath: text }],
  });
  return createEntry(
    createResult([image], {
      chart: { name: text, version: text, path: text },
      targetRegistry: text,
      diagnostics: [
        { code: "chart-oddity", severity: "warning", message: text, where: { file: text }, hint: text },
      ],
      override: text,
      projects: [{ host: text, kind: "project", name: text }],
    }),
  );
}

function hostileFailure(text: string): SurveyEntry {
  const error = { code: "render-failed", message: text, where: { file: text }, hint: text };
  return { failure: { chart: { path: text }, error, exitCode: 1 }, exitCode: 1, durationMs: 1 };
}

/** The characters of an HTML report that make tags and attributes. */
function skeleton(text: string): string {
  const report = formatReport("html", [hostileEntry(text), hostileFailure(text)], context);
  return report.replace(/[^<>"]/gu, "");
}

/** A strict reading of the XML that the reports use: no entity but the five, every element closed in order. */
function checkWellFormed(text: string): void {
  const body = text.replace(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n<!-- [^-]* -->\n/u, "");
  const open: string[] = [];
  const rest = body.replaceAll(
    /<(?<close>\/)?(?<name>[a-z]+)(?: [a-zA-Z]+="[^"<>]*")*(?<empty>\/)?>|[^<>]+/gu,
    (...match: readonly unknown[]) => {
      const { close, name, empty } = match.at(-1) as Readonly<Record<string, string | undefined>>;
      if (name === undefined) return "";
      if (close !== undefined) expect(open.pop()).toBe(name);
      else if (empty === undefined) open.push(name);
      return "";
    },
  );
  expect(rest).toBe("");
  expect(open).toEqual([]);
  expect(body.replaceAll(/&(?:amp|lt|gt|quot|#39);/gu, "")).not.toContain("&");
  expect(body).not.toMatch(/[^\n\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u);
}

describe("hostile text", () => {
  const rows: readonly (readonly [name: string, text: string])[] = [
    ["a script", `</script><script>alert(1)</script>`],
    ["an attribute's end", `" onclick="alert(1)" '`],
    ["an end of CDATA and a comment", `]]> --> <!--`],
    ["terminal escapes and line ends", "\u001b[31mred\r\n::error::\u0007"],
    ["what XML cannot hold", "\u0000\uffff\ud800\u000b"],
    ["a text that runs backwards", "\u202egnp.exe"],
  ];
  for (const [name, text] of rows) {
    test.each(kinds)(`${name} in a %s report`, (kind) => {
      const report = formatReport(kind, [hostileEntry(text)], context);
      expect(report).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/u);
      if (kind === "junit") checkWellFormed(report);
      if (kind === "html")
        expect(report.match(/<script|<\/script|onclick="/gu)).toEqual(["<script", "</script"]);
      if (kind === "json") expect(JSON.parse(report)).toMatchObject({ charts: [{ chart: { name: text } }] });
    });
  }

  const anyText = fc
    .array(
      fc.oneof(
        fc.constantFrom("<", ">", '"', "'", "&", "</script>", "<!--", "-->", "]]>", "&lt;", "\n"),
        fc.string({ unit: "binary", maxLength: 8 }),
      ),
      { maxLength: 8 },
    )
    .map((parts) => `x${parts.join("")}`);

  test("no text makes a tag or ends an attribute in HTML", () => {
    const expected = skeleton("x");
    fc.assert(
      fc.property(anyText, (text) => {
        expect(skeleton(text)).toBe(expected);
      }),
      { seed: 20261121, numRuns: 300 },
    );
  });

  test("XML stays well-formed over any text", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        checkWellFormed(formatReport("junit", [hostileEntry(text), hostileFailure(text)], context));
      }),
      { seed: 20261121, numRuns: 300 },
    );
  });
});

test.each(kinds)("a %s report without a time is the same twice, and without charts is whole", (kind) => {
  const quiet: ReportContext = { toolVersion: "0.1.0", generatedAt: undefined };
  const entries = [failedEntry, createEntry(createResult([createImage()]))];
  expect(formatReport(kind, entries, quiet)).toBe(formatReport(kind, entries, quiet));
  expect(formatReport(kind, [], quiet)).toMatch(/\n$/u);
});

test("a JSON report has an envelope, totals and each chart's whole result", () => {
  const missed = createImage({ status: "not-moved", reason: "hard-coded" });
  const entry = createEntry(createResult([createImage(), missed]));
  const report: unknown = JSON.parse(formatReport("json", [entry, failedEntry], context));
  expect(report).toMatchObject({
    tool: "fairlead",
    toolVersion: "0.1.0",
    schemaVersion: 1,
    generatedAt: "2026-11-21T03:12:00.000Z",
    totals: {
      charts: 2,
      chartsByStatus: { FAILED: 1, CRITICAL: 1, WARNING: 0, UNVERIFIED: 0, OK: 0 },
      chartsNotPassed: 2,
      images: 2,
      moved: 1,
      planned: 0,
      notMoved: 1,
      rate: 50,
    },
    charts: [
      { chart: { name: "shop" }, verdict: { status: "CRITICAL" }, exitCode: 4, durationMs: 250 },
      { chart: { path: "charts/broken" }, error: { code: "chart-invalid" }, exitCode: 3 },
    ],
  });
});
