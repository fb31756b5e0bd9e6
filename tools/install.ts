import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import path from "node:path";
import { FairleadError, messageOf } from "../src/core/error.ts";
import { run } from "../src/core/process.ts";
import { isToolName, tools, toolNames, type Tool, type ToolName } from "./catalog.ts";
import { withFileLock } from "./lock.ts";
import { pinnedVersion, readPins, withSources, type Pins } from "./sources.ts";

const installFolder: string = path.join(import.meta.dirname, "..", ".tools");
const buildTimeoutMs = 20 * 60_000;

export interface InstalledTool {
  readonly name: ToolName;
  /** The absolute path of the program. */
  readonly path: string;
  /** Changes whenever the program's sources, build settings or platform change. */
  readonly hash: string;
  /** How long the build took; undefined when the program was there. */
  readonly buildMs: number | undefined;
}

/**
 * Builds a tool into `.tools/<name>-<hash>/` unless it is there. The hash covers go.mod, go.sum, the link flags,
 * the files added and the platform; Go checks the sources against go.sum. Safe when several processes ask at once.
 * @throws FairleadError `tool-missing` without Go, `tool-failed` when the build fails, `timeout` after 20 minutes.
 */
export async function installTool(name: ToolName): Promise<InstalledTool> {
  const tool = tools[name];
  const pins = await readPins(tool.module ?? name);
  const flags = linkFlags(tool, pins);
  const { module, sums } = pins;
  const added = tool.embeds === undefined ? [] : [tool.embeds];
  const hash = createHash("sha256")
    .update(JSON.stringify([module, sums, flags, process.platform, process.arch, ...added]))
    .digest("hex")
    .slice(0, 16);
  const folder = path.join(installFolder, `${name}-${hash}`);
  const binary = path.join(folder, tool.binary + (process.platform === "win32" ? ".exe" : ""));
  if (existsSync(binary)) return { name, path: binary, hash, buildMs: undefined };
  return withFileLock(`${folder}.lock`, async () => {
    if (existsSync(binary)) return { name, path: binary, hash, buildMs: undefined };
    const startMs = Date.now();
    await withSources(tool, pins, (sources) => build({ name, tool, flags, sources }, folder));
    return { name, path: binary, hash, buildMs: Date.now() - startMs };
  });
}

interface Build {
  readonly name: ToolName;
  readonly tool: Tool;
  readonly flags: string;
  /** The folder of the go.mod. */
  readonly sources: string;
}

/** Builds beside the final folder and renames, so that a half-built tool is never found. */
async function build({ name, tool, flags, sources }: Build, folder: string): Promise<void> {
  await mkdir(installFolder, { recursive: true });
  const work = await mkdtemp(path.join(installFolder, `.${name}-`));
  try {
    const args = ["build", "-trimpath", "-buildvcs=false", "-mod=readonly", "-ldflags", flags];
    const result = await run("go", [...args, "-o", `${work}${path.sep}`, tool.package], {
      cwd: sources,
      env: { ...process.env, CGO_ENABLED: "0", GOWORK: "off", GOOS: "", GOARCH: "" },
      timeoutMs: buildTimeoutMs,
    });
    if (result.exitCode !== 0) {
      const reason = result.stderr.trim().split("\n").slice(-3).join("; ");
      throw new FairleadError("tool-failed", `go build of ${name} failed: ${reason}`);
    }
    await rename(work, folder);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

function linkFlags(tool: Tool, pins: Pins): string {
  const variables = tool.variables?.((name) => pinnedVersion(pins, name)) ?? {};
  return ["-s -w", ...Object.entries(variables).map(([name, value]) => `-X ${name}=${value}`)].join(" ");
}

async function main(names: readonly string[]): Promise<number> {
  const unknown = names.filter((name) => !isToolName(name));
  if (unknown.length > 0) {
    console.error(`unknown tool: ${unknown.join(", ")} (known: ${toolNames.join(", ")})`);
    return 2;
  }
  let exitCode = 0;
  for (const name of names.length === 0 ? toolNames : names.filter(isToolName)) {
    try {
      const tool = await installTool(name);
      const how = tool.buildMs === undefined ? "there" : `built in ${Math.round(tool.buildMs / 1000)} s`;
      console.log(`${name}: ${how}: ${path.relative(process.cwd(), tool.path)}`);
    } catch (error) {
      exitCode = 1;
      console.error(`${name}: left out: ${messageOf(error)}`);
    }
  }
  return exitCode;
}

if (import.meta.main) process.exitCode = await main(process.argv.slice(2));
