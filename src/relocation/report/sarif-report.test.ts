import sarifSchema from "@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json" with { type: "json" };
import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { Diagnostic } from "../../core/diagnostic.ts";
import type { ImageFinding, SurveyEntry } from "../result.ts";
import { formatSarifReport } from "./sarif-report.ts";
import { createEntry, createImage, createResult, failedEntry } from "./testdata/survey.ts";

interface SarifResult {
  readonly ruleId: string;
  readonly ruleIndex: number;
  readonly level: string;
  readonly message: { readonly text: string };
  readonly locations: readonly {
    readonly physicalLocation: {
      readonly artifactLocation: { readonly uri: string };
      readonly region?: { readonly startLine: number; readonly startColumn?: number };
    };
    readonly logicalLocations?: readonly { readonly fullyQualifiedName: string }[];
  }[];
}

interface SarifLog {
  readonly $schema: string;
  readonly version: string;
  readonly runs: readonly {
    readonly tool: {
      readonly driver: {
        readonly name: string;
        readonly rules: readonly {
          readonly id: string;
          readonly shortDescription: { readonly text: string };
        }[];
      };
    };
    readonly invocations: readonly { readonly executionSuccessful: boolean }[];
    readonly results: readonly SarifResult[];
  }[];
}

const schemaText = JSON.stringify(sarifSchema, (key, value: unknown) =>
  // Zod takes a relative URI for none; what we write for one is looked at below.
  key === "format" && value === "uri-reference" ? undefined : value,
);
const schema = z.fromJSONSchema(JSON.parse(schemaText) as Parameters<typeof z.fromJSONSchema>[0], {
  defaultTarget: "draft-4",
});

/** Reads a report back and holds it to the SARIF 2.1.0 schema, and to what no schema can say. */
function readSarif(entries: readonly SurveyEntry[]): readonly SarifResult[] {
  const text = formatSarifReport(entries, {
    toolVersion: "0.1.0",
    generatedAt: new Date("2026-11-21T03:12:00Z"),
  });
  const log = JSON.parse(text) as SarifLog;
  expect(schema.safeParse(log).error).toBeUndefined();
  expect(log.$schema).toMatch(/sarif-schema-2\.1\.0\.json$/u);
  const [run] = log.runs;
  if (run === undefined) throw new Error("a report has one run");
  const ids = run.tool.driver.rules.map((rule) => rule.id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const result of run.results) {
    expect(ids[result.ruleIndex]).toBe(result.ruleId);
    expect(result.message.text).not.toBe("");
    expect(result.locations.length).toBeGreaterThan(0);
    for (const { physicalLocation } of result.locations) {
      expect(physicalLocation.artifactLocation.uri).toMatch(/^(?:[\w.~!*'()%-]|\/|file:\/\/\/)+$/u);
      expect(physicalLocation.region?.startLine ?? 1).toBeGreaterThan(0);
    }
  }
  return run.results;
}

test("the schema refuses what is not SARIF", () => {
  const log = {
    version: "2.1.0",
    runs: [{ tool: { driver: { name: "x" } }, results: [{ level: "fatal" }] }],
  };
  expect(schema.safeParse(log).error?.issues.map(({ path }) => path.join("."))).toEqual([
    "runs.0.results.0.level",
    "runs.0.results.0.message",
  ]);
});

test("a miss is a result with its file, line and value path", () => {
  const missed = createImage({ status: "not-moved", reason: "its tag holds a template" });
  expect(readSarif([createEntry(createResult([createImage(), missed]))])).toMatchObject([
    {
      ruleId: "image-not-moved",
      level: "error",
      message: { text: "Image nginx:1.23 was not moved: its tag holds a template." },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: "charts/shop/values.yaml" },
            region: { startLine: 4 },
          },
          logicalLocations: [{ fullyQualifiedName: "web.image", kind: "property" }],
        },
      ],
      properties: { chart: "shop 1.2.3" },
    },
  ]);
});

test("a miss that no value holds points to its template, and one from nowhere to the chart", () => {
  const missed = createImage({ status: "not-moved", values: [] });
  const unreadable: ImageFinding = {
    source: "a b",
    status: "not-moved",
    values: [],
    places: [],
    enabled: true,
  };
  const uris = readSarif([createEntry(createResult([missed, unreadable]))]).map(
    (result) => result.locations[0]?.physicalLocation.artifactLocation.uri,
  );
  expect(uris).toEqual(["shop/templates/web.yaml", "charts/shop/Chart.yaml"]);
});

test("a chart that failed is a result under its error's code", () => {
  expect(readSarif([failedEntry])).toMatchObject([
    {
      ruleId: "chart-invalid",
      message: { text: "a mapping value is not allowed here. Check the indentation" },
      locations: [{ physicalLocation: { region: { startLine: 7, startColumn: 12 } } }],
    },
  ]);
});

describe("a miss and its diagnostic", () => {
  const own: Diagnostic = {
    code: "image-not-moved",
    severity: "error",
    message: "nginx:1.23 stands in a template",
    where: { file: "charts/shop/templates/_helpers.tpl", line: 68 },
    hint: "Use a post-renderer",
    image: "nginx:1.23",
  };
  const missed = createImage({ status: "not-moved", reason: "hard-coded" });

  test("are told once, with the hint and the diagnostic's place", () => {
    const results = readSarif([createEntry(createResult([missed], { diagnostics: [own] }))]);
    expect(results).toMatchObject([
      {
        message: { text: "Image nginx:1.23 was not moved: hard-coded. Use a post-renderer" },
        locations: [
          {
            physicalLocation: {
              artifactLocation: { uri: "charts/shop/templates/_helpers.tpl" },
              region: { startLine: 68 },
            },
          },
        ],
      },
    ]);
  });

  test.each(["nginx:1.23.1", undefined])("are two things where the diagnostic is of %s", (image) => {
    const { image: _, ...rest } = own;
    const other = image === undefined ? rest : { ...own, image };
    expect(readSarif([createEntry(createResult([missed], { diagnostics: [other] }))])).toHaveLength(2);
  });
});

test("a path becomes a URI, and a message cannot hold a link", () => {
  const diagnostic: Diagnostic = {
    code: "chart-oddity",
    severity: "info",
    message: "see [here](http://evil.example.com)",
    where: { file: "./my charts/a#b?.yaml" },
  };
  const absolute = { ...diagnostic, where: { file: "/tmp/x.yaml" } };
  const results = readSarif([createEntry(createResult([], { diagnostics: [diagnostic, absolute] }))]);
  expect(results.map((result) => result.locations[0]?.physicalLocation.artifactLocation.uri)).toEqual([
    "my%20charts/a%23b%3F.yaml",
    "file:///tmp/x.yaml",
  ]);
  expect(results[0]).toMatchObject({
    level: "note",
    message: { text: "see [here] (http://evil.example.com)." },
  });
});
