import { readFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { run, type RunResult } from "../../src/core/process.ts";
import type { ChartResult } from "../../src/relocation/result.ts";
import { buildCommands, runCommand } from "../support/cli.ts";
import { writeFiles } from "../support/chart-files.ts";
import { pushImage } from "../support/images.ts";
import { startRegistry, type Registry } from "../support/registry.ts";
import { createTempDir, type TempDir } from "../support/temp-dir.ts";
import { describeWithTools } from "../support/tools.ts";

await describeWithTools(["registry", "crane"], "a check of the target", (tools) => {
  let source: Registry;
  let target: Registry;
  let folder: TempDir;

  beforeAll(async () => {
    await buildCommands();
    folder = await createTempDir("check-target");
    source = await startRegistry(tools.registry);
    target = await startRegistry(tools.registry);
  });

  afterAll(async () => {
    await target.stop();
    await source.stop();
    await folder.remove();
  });

  const copy = async (name: string, as: string): Promise<void> => {
    const copied = await run(tools.crane, [
      "copy",
      "--insecure",
      `${source.host}/${name}`,
      `${target.host}/${as}`,
    ]);
    if (copied.exitCode !== 0) throw new Error(copied.stderr);
  };

  /** A chart that uses images of the source registry, or of one that does not answer. */
  const writeChart = async (name: string, images: readonly string[]): Promise<string> => {
    const chart = path.join(folder.path, name);
    const containers = images.map(
      (_, index) => `    - { name: c${index}, image: "{{ .Values.c${index}.image }}" }`,
    );
    await writeFiles(chart, {
      "Chart.yaml": `apiVersion: v2\nname: ${name}\nversion: 1.0.0\n`,
      "values.yaml": images.map((image, index) => `c${index}: { image: "${image}" }\n`).join(""),
      "templates/pod.yaml": `apiVersion: v1\nkind: Pod\nmetadata: { name: pod }\nspec:\n  containers:\n${containers.join("\n")}\n`,
    });
    return chart;
  };

  const check = async (
    command: "override" | "verify",
    chart: string,
    ...flags: readonly string[]
  ): Promise<RunResult & { readonly result: ChartResult }> => {
    const report = path.join(folder.path, "report.json");
    const args = [command, chart, "-t", target.host, "-s", "*", "--path-strategy", "flat", "--check-target"];
    const more = ["--report", report, "--force", "--log-level", "info", ...flags];
    const ended = await runCommand("fairlead", [...args, ...more], { env: { HOME: folder.path } });
    const written = JSON.parse(await readFile(report, "utf8")) as { readonly charts: readonly ChartResult[] };
    const [result] = written.charts;
    if (result === undefined) throw new Error("the report has no chart");
    return { ...ended, result };
  };

  test("passes where everything is there with the source's digest", async () => {
    const digest = await pushImage(tools.crane, `${source.host}/team/web:1`, "web");
    const pinned = await pushImage(tools.crane, `${source.host}/team/api:2`, "api");
    await copy("team/web:1", "team/web:1");
    await copy("team/api:2", "team/api:2");
    const images = [`${source.host}/team/web:1`, `${source.host}/team/api:2@${pinned}`];
    const { exitCode, stdout, stderr, result } = await check("override", await writeChart("same", images));
    expect(stderr).toContain("At the target: 2 of 2 images\n");
    expect(exitCode).toBe(0);
    expect(stdout).toContain(target.host);
    expect(result.targetCheck).toEqual({ checked: 2, same: 2, present: 0, missing: 0, different: 0 });
    expect(result.images.map(({ atTarget }) => atTarget)).toEqual([
      { status: "same", digest, sourceDigest: digest },
      { status: "same", digest: pinned },
    ]);
  });

  test("fails where images are missing or others", async () => {
    await pushImage(tools.crane, `${source.host}/team/gone:1`, "gone");
    await pushImage(tools.crane, `${source.host}/team/old:1`, "new content");
    const other = await pushImage(tools.crane, `${target.host}/team/old:1`, "old content");
    const images = [`${source.host}/team/gone:1`, `${source.host}/team/old:1`];
    const { exitCode, stdout, stderr, result } = await check("override", await writeChart("missing", images));
    expect(exitCode).toBe(4);
    expect(stdout).toBe("");
    expect(stderr).toContain(`error: the target does not have ${target.host}/team/gone:1\n`);
    expect(stderr).toContain(`error: the target has another image as ${target.host}/team/old:1\n`);
    expect(stderr).toContain("At the target: 0 of 2 images (1 missing, 1 with another digest)\n");
    expect(stderr).toContain("no override is written: the target does not have all the images");
    expect(result.diagnostics.map(({ code, severity }) => `${code} ${severity}`)).toEqual([
      "image-missing error",
      "image-missing error",
    ]);
    expect(result.images[1]?.atTarget).toMatchObject({ status: "different", digest: other });
  });

  test("fails where a digest is not there, whatever the tag is", async () => {
    await pushImage(tools.crane, `${target.host}/team/pinned:1`, "another");
    const digest = await pushImage(tools.crane, `${source.host}/team/pinned:1`, "pinned");
    const chart = await writeChart("pinned", [`${source.host}/team/pinned:1@${digest}`]);
    expect(await check("override", chart)).toMatchObject({ exitCode: 4 });
  });

  test("compares nothing with a source that does not answer, and says so", async () => {
    const absent = await startRegistry(tools.registry);
    const digest = await pushImage(tools.crane, `${target.host}/team/web:3`, "web");
    await pushImage(tools.crane, `${target.host}/team/api:3`, "api");
    await absent.stop();
    const chart = await writeChart("offline", [`${absent.host}/team/web:3`, `${absent.host}/team/api:3`]);
    const { exitCode, stderr, result } = await check("override", chart);
    expect(exitCode).toBe(0);
    expect(stderr).toContain(`info: 2 images of ${absent.host} could not be compared: `);
    expect(stderr).toContain("At the target: 2 of 2 images (2 not compared with the source)\n");
    expect(result.images[0]?.atTarget).toEqual({ status: "present", digest });
  });

  test("ends with an error where the target does not answer", async () => {
    const absent = await startRegistry(tools.registry);
    await absent.stop();
    const chart = await writeChart("no-target", [`${source.host}/team/web:1`]);
    const args = ["override", chart, "-t", absent.host, "-s", "*", "--check-target", "--timeout", "5s"];
    const ended = await runCommand("fairlead", args, { env: { HOME: folder.path } });
    expect(ended).toMatchObject({ exitCode: 1, stdout: "" });
  });

  test("is part of a proof too", async () => {
    const chart = await writeChart("proof", [`${source.host}/team/absent:1`]);
    const file = path.join(folder.path, "override.yaml");
    await writeFiles(folder.path, { "override.yaml": `c0: { image: "${target.host}/team/absent:1" }\n` });
    const { exitCode, result } = await check("verify", chart, "--override", file);
    expect(exitCode).toBe(4);
    expect(result.verdict).toMatchObject({ status: "OK", rate: 100 });
    expect(result.targetCheck).toMatchObject({ checked: 1, missing: 1 });
  });
});
