import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdir, readdir } from "node:fs/promises";
import { availableParallelism } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { run } from "../../src/core/process.ts";
import { all, createRowRunner, hub, oneOfTwo } from "../support/cli-rows.ts";
import { commandEnvironment, commandLine, runCommand } from "../support/cli.ts";

const rows = createRowRunner();

interface Stopped {
  readonly exitCode: number | null;
  readonly stderr: string;
  readonly tookMs: number;
}

/** Starts a command, waits until it has begun its work, sends a signal, and waits for the end. */
async function interrupt(
  args: readonly string[],
  cwd: string,
  signal: NodeJS.Signals,
  hasBegun: (stderr: string) => boolean,
): Promise<Stopped> {
  const [program = "", ...rest] = commandLine("fairlead", args);
  const env = commandEnvironment({ TMPDIR: path.join(cwd, "tmp"), HELM_BIN: path.join(cwd, "helm") });
  const child = spawn(program, rest, { cwd, env, stdio: ["ignore", "ignore", "pipe"] });
  let stderr = "";
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  while (!hasBegun(stderr)) await sleep(10);
  const startedMs = performance.now();
  child.kill(signal);
  return { exitCode: await ended, stderr, tookMs: performance.now() - startedMs };
}

/** What ends by itself would take four times as long. */
const soonMs = 5_000;

const hasBegun = (told: string): boolean => told.includes("chart is worked on");

describe("an interruption ends it soon and leaves no temporary folder", () => {
  const helms = [
    { name: "a helm that goes on", script: "#!/bin/sh\ntouch started\nexec sleep 20\n" },
    { name: "a helm with a program of its own", script: "#!/bin/sh\ntouch started\nsleep 20 &\nwait\n" },
    { name: "a helm that ignores it", script: "#!/bin/sh\ntrap '' INT TERM\ntouch started\nexec sleep 20\n" },
  ];
  const commands = [
    ["override", "chart", ...hub, "--renderer", "helm", "-o", "o.yaml", "--report", "r.json"],
    ["survey", "chart", "chart", ...hub, "--renderer", "helm", "--report", "r.json"],
  ];
  for (const { name, script } of helms) {
    for (const args of commands) {
      for (const signal of ["SIGINT", "SIGTERM"] as const) {
        test(`${args[0]}, ${name}, ${signal}`, async () => {
          const cwd = await rows.prepare({ files: { helm: script } });
          await chmod(path.join(cwd, "helm"), 0o755);
          await mkdir(path.join(cwd, "tmp"));
          const hasBegun = (): boolean => existsSync(path.join(cwd, "started"));
          const { exitCode, stderr, tookMs } = await interrupt(args, cwd, signal, hasBegun);
          expect(exitCode, stderr).toBe(1);
          expect(tookMs).toBeLessThan(soonMs);
          expect(stderr).toMatch(/^error: .* stopped\n$/u);
          expect(await readdir(path.join(cwd, "tmp"))).toEqual([]);
          expect((await readdir(cwd)).toSorted()).toEqual(["chart", "helm", "started", "tmp"]);
        });
      }
    }
  }
});

describe("an interruption ends a survey with the embedded engine soon", () => {
  const endless = "{{ range until 9999 }}{{ range until 9999 }}{{ add 1 2 }}{{ end }}{{ end }}";
  test.skipIf(availableParallelism() < 2).each(["SIGINT", "SIGTERM"] as const)("%s", async (signal) => {
    const cwd = await rows.prepare({ files: { "chart/templates/endless.yaml": endless } });
    const args = ["survey", "chart", "chart", "chart", ...hub, "--verbose", "--report", "r.json"];
    const { exitCode, stderr, tookMs } = await interrupt(args, cwd, signal, hasBegun);
    expect(exitCode, stderr).toBe(1);
    expect(tookMs).toBeLessThan(soonMs);
    expect(stderr).toMatch(/\nerror: .* stopped\n$/u);
    expect(await readdir(cwd)).toEqual(["chart"]);
  });
});

describe("a reader that goes away early", () => {
  const big = Array.from({ length: 3000 }, (_, index) => `a${index}:\n  image: nginx:${index}\n`).join("");
  const pipes = ["| head -1", "2>&1 | head -1", "| true", "2>&1 | true", ">&-", "2>&-"];
  test.each(pipes.flatMap((pipe) => [`override ${pipe}`, `images ${pipe}`]))("%s", async (row) => {
    const cwd = await rows.prepare({ values: big });
    const [command = "", ...pipe] = row.split(" ");
    const args = command === "override" ? ["override", "chart", ...all, "--verbose"] : ["images", "chart"];
    const line = commandLine("fairlead", args).map((word) => `'${word}'`);
    const result = await run("sh", ["-c", `${line.join(" ")} ${pipe.join(" ")}`], {
      cwd,
      env: commandEnvironment(),
    });
    expect(result.exitCode, result.stderr).toBe(0);
    expect(result.stderr).not.toMatch(/EPIPE|EBADF|node:|^ +at .*[jt]s:\d+/mu);
  });
});

test.skipIf(!existsSync("/dev/full"))("a full disk behind standard output is one clear line", async () => {
  const line = commandLine("fairlead", ["override", "examples/shop", ...all]).map((word) => `'${word}'`);
  const result = await run("sh", ["-c", `${line.join(" ")} > /dev/full`], { env: commandEnvironment() });
  expect(result.exitCode).toBe(1);
  expect(result.stderr).toMatch(/\nerror: cannot write to standard output: ENOSPC[^\n]*\n$/u);
  expect(result.stderr).not.toContain("node:");
});

describe("a system that it does not run on is told in one line", () => {
  const cases = [
    {
      name: "Windows",
      stub: "'platform', { value: 'win32' }",
      told: "error: fairlead runs on Linux and macOS, not on Windows; WSL works\n",
    },
    ...["20.20.2", "22.18.9", "18.0.0", "4.9.1"].map((version) => ({
      name: `Node ${version}`,
      stub: `'versions', { value: { ...process.versions, node: '${version}' } }`,
      told: `error: fairlead needs Node 22.19 or newer, this is ${version}\n`,
    })),
  ];
  for (const { name, stub, told } of cases) {
    test.each(["fairlead", "helm-image-override"] as const)(`${name}: %s`, async (command) => {
      const nodeArgs = ["--import", `data:text/javascript,Object.defineProperty(process, ${stub})`];
      const result = await runCommand(command, ["--help"], { nodeArgs });
      expect(result).toEqual({ exitCode: 2, stdout: "", stderr: told });
    });
  }

  test.each(["22.19.0", "24.0.0", "100.0.0"])("Node %s will do", async (version) => {
    const stub = `'versions', { value: { ...process.versions, node: '${version}' } }`;
    const nodeArgs = ["--import", `data:text/javascript,Object.defineProperty(process, ${stub})`];
    expect((await runCommand("fairlead", ["--version"], { nodeArgs })).exitCode).toBe(0);
  });
});

describe("colours on a pipe", () => {
  const cases: readonly {
    readonly name: string;
    readonly env: Readonly<Record<string, string>>;
    readonly coloured: boolean;
  }[] = [
    { name: "none by default", env: {}, coloured: false },
    { name: "FORCE_COLOR", env: { FORCE_COLOR: "1" }, coloured: true },
    { name: "FORCE_COLOR=0", env: { FORCE_COLOR: "0" }, coloured: false },
    { name: "NO_COLOR", env: { NO_COLOR: "1" }, coloured: false },
    { name: "FORCE_COLOR goes before NO_COLOR", env: { FORCE_COLOR: "1", NO_COLOR: "1" }, coloured: true },
  ];
  test.each(cases)("$name", async ({ env, coloured }) => {
    const cwd = await rows.prepare();
    const override = await runCommand("fairlead", ["override", "chart", ...hub], { cwd, env });
    expect(override.stderr.includes("\u001b[")).toBe(coloured);
    expect(override.stdout).not.toContain("\u001b");
    const images = await runCommand("fairlead", ["images", "chart"], { cwd, env });
    expect(images.stdout.includes("\u001b[")).toBe(coloured);
    const json = await runCommand("fairlead", ["override", "chart", ...hub, "--log-format", "json"], {
      cwd,
      env,
    });
    expect(json.stderr).not.toContain("\u001b");
  });
});

describe("--log-format json: every line on standard error is a record", () => {
  const cases: readonly {
    readonly name: string;
    readonly args: readonly string[];
    readonly records: readonly object[];
  }[] = [
    {
      name: "findings, misses and the verdict",
      args: ["override", "chart", ...hub, "--verbose"],
      records: [
        { level: "debug", message: "images are planned" },
        {
          level: "warn",
          code: "reference-unparsable",
          message: "Cannot parse image reference 'invalid::image': invalid format",
          file: "chart/values.yaml",
          line: 4,
          valuePath: "bad.image",
        },
        { level: "error", code: "reference-unparsable" },
        {
          level: "error",
          message: "verdict",
          status: "CRITICAL",
          images: 2,
          rate: 50,
          chartInstall: "not-run",
        },
      ],
    },
    {
      name: "a survey",
      args: ["survey", "chart", "none", ...hub, "--helm", "true"],
      records: [
        { level: "error", code: "input-unreadable", chart: "none" },
        { level: "info", message: "totals", charts: 2 },
      ],
    },
    {
      name: "an error",
      args: ["images", "none"],
      records: [{ level: "error", code: "input-unreadable", file: "none" }],
    },
    { name: "wrong flags", args: ["images", "--none"], records: [{ level: "error", code: "input-invalid" }] },
  ];
  test.each(cases)("$name", async ({ args, records }) => {
    const cwd = await rows.prepare({ values: oneOfTwo });
    const { stderr } = await runCommand("fairlead", [...args, "--log-format", "json"], { cwd });
    const told = stderr
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    for (const record of told)
      expect([typeof record["time"], typeof record["level"]]).toEqual(["string", "string"]);
    for (const record of records) expect(told).toContainEqual(expect.objectContaining(record));
  });
});
