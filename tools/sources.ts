import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { z } from "zod";
import { FairleadError } from "../src/core/error.ts";
import { run } from "../src/core/process.ts";
import type { Tool } from "./catalog.ts";

/** What pins a tool. */
export interface Pins {
  /** The folder of its go.mod. */
  readonly folder: string;
  readonly module: string;
  readonly sums: string;
}

const downloadTimeoutMs = 10 * 60_000;
const downloadAnswer = z.object({ Dir: z.string().optional(), Error: z.string().optional() });

/** Reads what pins a tool, given the name of its module's folder. */
export async function readPins(name: string): Promise<Pins> {
  const folder = path.join(import.meta.dirname, name);
  const module = await readFile(path.join(folder, "go.mod"), "utf8");
  return { folder, module, sums: await readFile(path.join(folder, "go.sum"), "utf8") };
}

/**
 * The version of a module that go.mod requires.
 * @throws FairleadError `internal` when it requires none
 */
export function pinnedVersion({ module }: Pins, name: string): string {
  const line = module.split("\n").find((text) => text.trim().startsWith(`${name} v`));
  if (line === undefined) throw new FairleadError("internal", `go.mod does not require ${name}`);
  return line.trim().split(" ")[1] ?? "";
}

/**
 * Gives `work` the folder whose go.mod a tool is built with: that of its pins, or a copy of the program's own module
 * with the files that it embeds, which is there until `work` is done.
 * @throws FairleadError `tool-failed` when the module cannot be had or go.sum has another checksum of it
 */
export async function withSources<Result>(
  { embeds }: Tool,
  pins: Pins,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  if (embeds === undefined) return work(pins.folder);
  const cache = await mkdtemp(path.join(tmpdir(), "fairlead-sources-"));
  try {
    const folder = await downloadModule(
      `${embeds.module}@${pinnedVersion(pins, embeds.module)}`,
      pins,
      cache,
    );
    for (const [name, text] of Object.entries(embeds.files)) {
      const file = path.join(folder, name);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, text);
    }
    return await work(folder);
  } finally {
    await rm(cache, { recursive: true, force: true });
  }
}

/** Go's usual cache is read-only, and it refuses to build what was changed there. */
async function downloadModule(module: string, pins: Pins, cache: string): Promise<string> {
  const { stdout, stderr } = await run("go", ["mod", "download", "-json", module], {
    cwd: pins.folder,
    env: { ...process.env, GOMODCACHE: cache, GOFLAGS: "-modcacherw", GOWORK: "off" },
    timeoutMs: downloadTimeoutMs,
  });
  const answer = downloadAnswer.parse(stdout === "" ? {} : JSON.parse(stdout));
  if (answer.Dir !== undefined) return answer.Dir;
  throw new FairleadError("tool-failed", `${module}: ${answer.Error ?? stderr.trim()}`);
}
