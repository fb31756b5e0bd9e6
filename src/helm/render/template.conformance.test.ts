import { Buffer } from "node:buffer";
import { describe, expect, test } from "vitest";
import {
  chartOf,
  readExceptions,
  readThemes,
  templateName,
  world,
  type TemplateCase,
} from "../../../test/conformance/template/cases.ts";
import { FairleadError } from "../../core/error.ts";
import type { HelmVersion } from "../chart/chart.ts";
import { plainText } from "../go/text.ts";
import { bytesOf, fromBytes, toBytes } from "../go/utf8.ts";
import { renderChart } from "./render-chart.ts";

// The cases come from the Go program in test/conformance/template, which runs Helm's own engine.

/** What a template prints, as bytes, or the message with which it is refused. */
type Outcome = { readonly output: string } | { readonly error: string };

function render(row: TemplateCase, helm: HelmVersion, tracking: boolean): Outcome {
  try {
    const rendered = renderChart(chartOf(row), {
      values: row.values ?? world.values,
      helm,
      releaseName: "release",
      kubeVersion: "v1.35.0",
      tracking,
    });
    return { output: plainText(rendered.files.get(templateName) ?? "") };
  } catch (error) {
    if (error instanceof FairleadError) return { error: error.message };
    throw error;
  }
}

function expectedOf({ output = "", outputBase64, error, errorBase64 }: TemplateCase): Outcome {
  if (errorBase64 !== undefined) return { error: fromBytes(bytesOf(Buffer.from(errorBase64, "base64"))) };
  if (error !== undefined) return { error };
  return {
    output: outputBase64 === undefined ? toBytes(output) : bytesOf(Buffer.from(outputBase64, "base64")),
  };
}

const themes = readThemes();
const exceptions = readExceptions();

test("there are enough cases, and few exceptions", () => {
  const count = themes.reduce((total, { cases }) => total + cases.length, 0);
  expect(count).toBeGreaterThan(16_000);
  expect(exceptions.size).toBeLessThan(count / 400);
});

describe.each([
  ["without tracking", false],
  ["with tracking", true],
])("Helm prints the same, %s", (_name, tracking) => {
  // Making keys takes long, and they have no spans.
  const tested = themes.filter(({ name }) => !(tracking && name === "crypto"));

  test.each(tested)("$name", { timeout: 120_000 }, ({ cases, helm }) => {
    const rows = cases.filter(({ template }) => !exceptions.has(template ?? ""));
    const wrong = rows.flatMap((row) => {
      const [actual, expected] = [render(row, helm, tracking), expectedOf(row)];
      return JSON.stringify(actual) === JSON.stringify(expected) ? [] : [{ row, actual, expected }];
    });
    expect(wrong).toEqual([]);
  });
});

test("each exception is still one", { timeout: 120_000 }, () => {
  const rows = themes.flatMap(({ cases, helm }) => cases.map((row) => ({ row, helm })));
  const unneeded = [...exceptions].filter((template) =>
    rows
      .filter(({ row }) => row.template === template)
      .every(({ row, helm }) => {
        return JSON.stringify(render(row, helm, false)) === JSON.stringify(expectedOf(row));
      }),
  );
  expect(unneeded).toEqual([]);
});
