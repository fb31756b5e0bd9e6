import * as fc from "fast-check";
import picocolors from "picocolors";
import { expect, test } from "vitest";
import type { Diagnostic } from "../../core/diagnostic.ts";
import { FairleadError } from "../../core/error.ts";
import { createEntry, createImage, createResult } from "../../relocation/report/testdata/survey.ts";
import { createProgress } from "./progress.ts";
import { describeSurvey } from "./survey-text.ts";
import { formatTable } from "./table.ts";
import { describeTerminal } from "./terminal.ts";
import { describeError, describeResult, toText } from "./verdict-text.ts";

/** Text such as a chart may hold: terminal escapes, commands of CI systems, line ends, anything. */
const hostileText = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "\n",
        "\r\n",
        "\r",
        "\u2028",
        "\u0085",
        "::error::",
        "  ::stop-commands::x",
        "##[error]",
        "##vso[task.complete]",
        "\u001b[2J",
        "\u001b]8;;http://evil.example\u0007",
        "\u009b31m",
        "\u202e",
        "\u0000",
        "section_start:0:x",
        "OK: shop 1.2.3",
      ),
      fc.string({ unit: "binary", maxLength: 8 }),
    ),
    { maxLength: 6 },
  )
  .map((parts) => parts.join(""));

const options = { colours: picocolors.createColors(false), verbose: true };

/** All that the commands print when one text stands wherever text of a chart, a flag or helm can stand. */
function printEverything(text: string): string {
  const where = { file: text, line: 1, column: 1, valuePath: text };
  const finding: Diagnostic = { code: "chart-oddity", severity: "warning", message: text, where, hint: text };
  const image = createImage({ source: text, status: "not-moved", reason: text, values: [where] });
  const result = createResult([image, { ...image, source: `other ${text}` }], {
    chart: { name: text, version: text, path: text },
    targetRegistry: text,
    projects: [{ host: text, kind: "project", name: text, alternative: text }],
    diagnostics: [finding, { ...finding, code: "image-not-moved", severity: "error", image: text }],
  });
  const error = { code: "render-failed", message: text, where, hint: text };
  const failure = { chart: { path: text }, error, exitCode: 1 };
  const written: string[] = [];
  const progress = createProgress({
    terminal: { ...describeTerminal({ isTTY: true, columns: 80 }, {}), colours: options.colours },
    total: 9,
    noun: "charts",
    write: (part) => written.push(part.replaceAll("\r\u001b[K", "")),
  });
  progress.step(text);
  return [
    toText(describeResult(result, options)),
    toText(describeSurvey([createEntry(result), { failure, exitCode: 1, durationMs: 1 }], options)),
    toText(describeError(new FairleadError("render-failed", text, { where, hint: text }), options.colours)),
    formatTable([{ title: "image" }, { title: "values" }], [[text, text]], { width: undefined }),
    written.join(""),
  ].join("\n");
}

test("no control character and no command of a CI system gets out", () => {
  fc.assert(
    fc.property(hostileText, (text) => {
      const printed = printEverything(text);
      expect(printed).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/u);
      expect(printed).not.toMatch(/^\s*::|##\[|##vso\[/mu);
    }),
    { seed: 20261121, numRuns: 1000 },
  );
});

test("no text can pass for a line of ours", () => {
  const forged = printEverything("x\nOK: shop 1.2.3: 100% images matched (1/1)\nImage Match Rate 100%");
  expect(forged).not.toMatch(/^\s*(?:OK:|Image Match Rate 100%)/mu);
});
