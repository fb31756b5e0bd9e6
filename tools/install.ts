import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rename, rm } from "node:fs/promises";
import path from "node:path";
import { FairleadError, messageOf } from "../src/core/error.ts";
import { run } from "../src/core/process.ts";
import { isToolName, tools, toolNames, type Tool, type ToolName } from "./catalog.ts";
import { withFileLock } from "./lock.ts";

const toolsFolder: string = import.meta.dirname;
const installFolder: string = path.join(toolsFolder, "..", ".tools");
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
 * Builds a tool into `.tools/<name>-<hash>/` unless it is there. The hash covers go.mod, go.sum, the link flags
 * and the platform; Go checks the sources against go.sum. Safe when several processes ask at once.
 * @throws FairleadError `tool-missing` without Go, `tool-failed` when the build fails, `timeout` after 20 minutes.
 */
export async function installTool(name: ToolName): Promise<InstalledTool> {
  const tool = tools[name];
  const moduleFolder = path.join(toolsFolder, tool.module ?? name);
  const module = await readFile(path.join(moduleFolder, "go.mod"), "utf8");
  const sums = await readFile(path.join(moduleFolder, "go.sum"), "utf8");
  const flags = linkFlags(tool, module);
  const hash = createHash("sha256")
    .update(JSON.stringify([module, sums, flags, process.platform, process.arch]))
    .digest("hex")
    .slice(0, 16);
  const folder = path.join(installFolder, `${name}-${hash}`);
  const binary = path.join(folder, tool.binary + (process.platform === "win32" ? ".exe" : ""));
  if (existsSync(binary)) return { name, path: binary, hash, buildMs: undefined };
  return withFileLock(`${folder}.lock`, async () => {
    if (existsSync(binary)) return { name, path: binary, hash, buildMs: undefined };
    const startMs = Date.now();
    await build(name, tool, flags, folder);
    return { name, path: binary, hash, buildMs: Date.now() - startMs };
  });
}

/** Builds beside the final folder and renames, so that a half-built tool is never found. */
async function build(name: ToolName, tool: Tool, flags: string, folder: string): Promise<void> {
  await mkdir(installFolder, { recursive: true });
  const work = await mkdtemp(path.join(installFolder, `.${name}-`));
  try {
    const args = ["build", "-trimpath", "-buildvcs=false", "-mod=readonly", "-ldflags", flags];
    const result = await run("go", [...args, "-o", `${work}${path.sep}`, tool.package], {
      cwd: path.join(toolsFolder, tool.module ?? name),
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

function linkFlags(tool: Tool, module: string): string {
  const variables = tool.variables?.((name) => versionIn(module, name)) ?? {};
  return ["-s -w", ...Object.entries(variables).map(([name, value]) => `-X ${name}=${value}`)].join(" ");
}

function versionIn(module: string, name: string): string {
  const line = module.split("\n").find((text) => text.trim().startsWith(`${name} v`));
  if (line === undefined) throw new FairleadError("internal", `go.mod does not require ${name}`);
  return line.trim().split(" ")[1] ?? "";
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
