import { readFile, rm } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { escapeJson } from "../../src/core/escape.ts";
import type { RunResult } from "../../src/core/process.ts";
import { createRowRunner, hub } from "../support/cli-rows.ts";
import { runCommand, runInProcess } from "../support/cli.ts";

/** Texts that a terminal, a CI system or a browser would act on. */
const hostile: Readonly<Record<string, string>> = {
  "an escape sequence": "\u001b[31mred\u001b[0m\u001b]0;title\u0007",
  "a C1 control": "a\u009b31mb",
  "a GitHub command": "::error::boom",
  "a GitHub command on a line of its own": "a\n::error::boom\n ::warning::boom",
  "an older GitHub command": "##[error]boom",
  "an Azure command": "##vso[task.setvariable variable=x]y",
  "a carriage return": "done\rfaked",
  "a bidirectional override": "a\u202eb\u2066c",
  "an invisible character": "a\u200bb\ufeffc",
  HTML: '<img src=x onerror="alert(1)"></script><script>alert(1)</script>',
  XML: "]]><x>&amp;",
};

const rows = createRowRunner();

describe.each(Object.entries(hostile))("%s", (_name, text) => {
  // YAML takes neither C1 controls nor byte order marks as they are.
  const quoted = escapeJson(JSON.stringify(text));

  test("in a chart's name", async () => {
    const cwd = await rows.prepare({
      files: {
        "chart/Chart.yaml": `apiVersion: v2\nname: ${quoted}\nversion: 1.0.0\nappVersion: ${quoted}\n`,
      },
    });
    await expectHarmless(["override", "chart", ...hub, "--verbose", ...reports], cwd);
    await expectHarmless(["images", "chart"], cwd);
    await expectHarmless(["images", "chart", "--output=json"], cwd);
  });

  test("in keys, references and lists of the values", async () => {
    const values = [
      `${quoted}:\n  image: nginx:1\n`,
      `list:\n  - image: nginx:1\n    ${quoted}: ${quoted}\n    text: |\n      first\n      ::error::x\n      ##[error]x\n`,
      `bad:\n  image: ${quoted}\n`,
      `split:\n  image:\n    repository: ${quoted}\n    tag: 1\n`,
      `${quoted}: again\n`,
    ].join("");
    const cwd = await rows.prepare({ values });
    const flags = [...hub, "--threshold", "0", "--verbose"];
    const override = await expectHarmless(["override", "chart", ...flags, ...reports], cwd);
    const json = await expectHarmless(["override", "chart", ...flags, "--output-format=json"], cwd);
    expect(parse(override)).toEqual(JSON.parse(json));
    expect(parse(override)).toMatchObject({ list: [{ [text]: text }] });
    await expectHarmless(["images", "chart"], cwd);
  });

  test("in flags", async () => {
    const cwd = await rows.prepare();
    const chart = path.join(cwd, "chart");
    for (const args of [
      [text],
      ["override", text, ...hub],
      ["override", chart, `--${text}`],
      ["override", chart, "-t", text, "-s", "docker.io"],
      ["override", chart, "-t", "h.example.com", "-s", text],
      ["override", chart, ...hub, "-e", text],
      ["override", chart, ...hub, "--path-strategy", text],
      ["override", chart, ...hub, "--config", text],
      ["override", chart, ...hub, "-f", text],
      ["override", chart, ...hub, "--set", text],
      ["override", chart, ...hub, "--report", text],
      ["override", chart, ...hub, "-o", path.join(cwd, "none", text)],
      ["override", chart, ...hub, "--verify", "--helm", text],
      ["survey", text, ...hub, "--verbose"],
    ]) {
      expectHarmlessText(args, await runInProcess("fairlead", args));
      const json = [...args, "--log-format", "json"];
      expectHarmlessText(json, await runInProcess("fairlead", json));
    }
  });
});

const reports = ["r.json", "r.xml", "r.sarif", "r.html"].flatMap((name) => ["--report", name]);

/** Runs a command and gives its output, after a look at every line and report that it made. */
async function expectHarmless(args: readonly string[], cwd: string): Promise<string> {
  const result = await runCommand("fairlead", args, { cwd });
  expectHarmlessText(args, result);
  if (args.includes("r.html") && result.exitCode !== 3) {
    expect(await readFile(path.join(cwd, "r.html"), "utf8")).not.toMatch(/<img src=x|<script>alert/u);
    for (const name of ["r.json", "r.sarif"]) JSON.parse(await readFile(path.join(cwd, name), "utf8"));
    for (const name of ["r.json", "r.xml", "r.sarif", "r.html"]) await rm(path.join(cwd, name));
  }
  return result.stdout;
}

function expectHarmlessText(args: readonly string[], { exitCode, stdout, stderr }: RunResult): void {
  expect([0, 1, 2, 3, 4, 5]).toContain(exitCode);
  expect(stderr).not.toMatch(/^ +at .*\.[jt]s:\d+|"code":"internal"/mu);
  for (const line of [...stdout.split("\n"), ...stderr.split("\n")]) {
    expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/u);
    expect(line).not.toMatch(/^\s*::|##\[|##vso\[/u);
  }
  if (args.includes("json")) for (const line of stderr.trimEnd().split("\n")) JSON.parse(line);
}
