import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { run } from "../../src/core/process.ts";
import { chartYaml, writeFiles } from "../support/chart-files.ts";
import { runInProcess } from "../support/cli.ts";
import { repositoryRoot } from "../support/checkout.ts";
import { withTempDir } from "../support/temp-dir.ts";
import { describeWithTools } from "../support/tools.ts";
import { refusalCases, renderCases, type RenderCase } from "./charts/render-cases.ts";

const kubeVersion = ["--kube-version", "1.37.0"];

interface Outcome {
  readonly ok: boolean;
  /** The output, or what is wrong without what is logged before and advised after it. */
  readonly text: string;
}

for (const version of ["helm3", "helm4"] as const) {
  await describeWithTools([version], `render prints what ${version} template prints`, (tools) => {
    const helm = tools[version];

    async function renderWithHelm(chart: string, flags: readonly string[]): Promise<Outcome> {
      const { exitCode, stdout, stderr } = await run(helm, ["template", chart, ...kubeVersion, ...flags]);
      if (exitCode === 0) return { ok: true, text: stdout };
      const [, message = stderr] = /^Error: (.*)/msu.exec(stderr) ?? [];
      return { ok: false, text: message.replace(/\n\nUse --debug.*/su, "").trimEnd() };
    }

    async function renderOurselves(chart: string, flags: readonly string[]): Promise<Outcome> {
      const args = ["render", chart, "--compat", version, "--log-format", "json", ...kubeVersion, ...flags];
      const { exitCode, stdout, stderr } = await runInProcess("fairlead", args);
      if (exitCode === 0) return { ok: true, text: stdout };
      const last = stderr.trimEnd().split("\n").at(-1) ?? "";
      return { ok: false, text: (JSON.parse(last) as { readonly message: string }).message.trimEnd() };
    }

    async function expectSame({ files, chart, flags = [] }: RenderCase, ok: boolean): Promise<void> {
      await withTempDir(async (folder) => {
        await writeFiles(folder, { "app/Chart.yaml": chartYaml("app", chart), ...below("app", files) });
        const path = join(folder, "app");
        const expected = await renderWithHelm(path, flags);
        expect(expected.ok).toBe(ok);
        expect(await renderOurselves(path, flags)).toEqual(expected);
      });
    }

    describe("charts", () => {
      test.each(renderCases)("$name", (renderCase) => expectSame(renderCase, true));
    });

    describe("refusals", () => {
      test.each(refusalCases)("$name", (renderCase) => expectSame(renderCase, false));
    });

    test("the example", async () => {
      const chart = join(repositoryRoot, "examples/shop");
      const flags = ["--set", "search.enabled=true"];
      expect(await renderOurselves(chart, flags)).toEqual(await renderWithHelm(chart, flags));
    });
  });
}

function below(folder: string, files: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [`${folder}/${name}`, text]));
}
