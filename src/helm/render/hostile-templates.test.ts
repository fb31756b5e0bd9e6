import { describe, expect, test } from "vitest";
import { chartOf, templateName, world } from "../../../test/conformance/template/cases.ts";
import { hostileRows, prying, type HostileRow } from "../../../test/conformance/template/hostile.ts";
import { FairleadError } from "../../core/error.ts";
import type { RenderLimits } from "../go/context.ts";
import { plainText } from "../go/text.ts";
import { fromBytes } from "../go/utf8.ts";
import { renderChart } from "./render-chart.ts";

const limits: RenderLimits = { maxBytes: 4 * 1024 * 1024, maxSteps: 100_000 };
const longestMs = 20_000;

/** What the template prints, or the code and the message of the error. */
function outcomeOf(
  row: Pick<HostileRow, "template" | "partials">,
  given: RenderLimits,
  tracking = false,
): string {
  try {
    const options = { values: world.values, releaseName: "release", limits: given, tracking };
    const text = renderChart(chartOf(row), options).files.get(templateName) ?? "";
    return fromBytes(plainText(text));
  } catch (error) {
    if (!(error instanceof FairleadError)) throw error;
    return `${error.code}: ${error.message}`;
  }
}

describe.each([
  ["without tracking", false],
  ["with tracking", true],
])("a template that wants too much ends soon, %s", (_name, tracking) => {
  test.each(hostileRows)("$name", { timeout: 3 * longestMs }, (row) => {
    const startMs = performance.now();
    const outcome = outcomeOf(row, limits, tracking);
    const pattern = typeof row.ends === "string" ? new RegExp(`^${row.ends}: `, "u") : row.ends;
    expect(outcome).toMatch(pattern);
    expect(performance.now() - startMs).toBeLessThan(longestMs);
  });
});

describe("limits can be raised", () => {
  test.each<[string, string, RenderLimits]>([
    ["steps", "{{ range until 1000 }}{{ end }}", { maxSteps: 100 }],
    ["bytes", '{{ repeat 1000 "x" | len }}', { maxBytes: 100 }],
  ])("%s", (_name, template, low) => {
    expect(outcomeOf({ template }, low)).toMatch(/^limit-exceeded: /u);
    expect(outcomeOf({ template }, {})).not.toContain("limit-exceeded");
  });
});

describe("a template finds nothing but the chart", () => {
  test.each(prying)("$name", ({ template, ends }) => {
    expect(outcomeOf({ template }, {}).replace(/^render-failed: /u, "")).toMatch(ends);
  });
});
