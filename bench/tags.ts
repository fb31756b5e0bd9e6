import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import { FairleadError } from "../src/core/error.ts";
import { withTempDir } from "../test/support/temp-dir.ts";
import { median, wallTimeMs } from "./process-pair.ts";
import { fairlead } from "./programs.ts";
import { formatMs, type BenchRow } from "./row.ts";

const tagCount = 100_000;
/** A cold process that scans and chooses takes at most this. */
const barMs = 1000;
/** A process that scans and does nothing else takes at most so much memory. */
const barBytes = 200e6;
const warmUps = 2;
const runs = 9;

/** Scans of a repository with 100,000 tags in pages of 1,000, from a server in Go that has nothing else to do. */
export async function benchTags(): Promise<readonly BenchRow[]> {
  return withTempDir(async (folder) => {
    const program = path.join(folder, "tag-pages");
    const source = path.join(import.meta.dirname, "../test/conformance/tag-pages");
    wallTimeMs({ program: "go", args: ["-C", source, "build", "-o", program, "."] });
    const server = spawn(program, ["-tags", String(tagCount)], { stdio: ["pipe", "pipe", "inherit"] });
    try {
      const image = `${await addressOf(server)}/app`;
      const objects = path.join(folder, "objects.yaml");
      await writeFile(objects, objectsOf(image));
      return [timeRow(objects), memoryRow(image)];
    } finally {
      server.kill();
    }
  });
}

async function addressOf({ stdout }: ChildProcess): Promise<string> {
  if (stdout === null) throw new FairleadError("internal", "the server has no output");
  const [line] = (await once(createInterface(stdout), "line")) as [string];
  return line;
}

function objectsOf(image: string): string {
  return `apiVersion: image.toolkit.fluxcd.io/v1
kind: ImageRepository
metadata: { name: app, namespace: apps }
spec: { image: ${image}, interval: 1m }
---
apiVersion: image.toolkit.fluxcd.io/v1
kind: ImagePolicy
metadata: { name: app, namespace: apps }
spec:
  imageRepositoryRef: { name: app }
  filterTags: { pattern: '^main-[a-f0-9]+-(?P<ts>[0-9]+)$', extract: $ts }
  policy: { numerical: { order: asc } }
`;
}

function timeRow(objects: string): BenchRow {
  const select = fairlead("policy", "select", "-f", objects);
  const times = Array.from({ length: warmUps + runs }, () => wallTimeMs(select));
  const ms = median(times.slice(warmUps));
  return {
    what: "cold scan and choice",
    chart: `${tagCount} tags`,
    fairlead: formatMs(ms),
    measured: formatMs(ms),
    bar: `≤ ${formatMs(barMs)}`,
    isMet: ms <= barMs,
  };
}

/** Tells on standard error, as a process ends, how many kilobytes it has held at most. */
const tellMemory = "process.on('exit', () => process.stderr.write(`${process.resourceUsage().maxRSS}\\n`))";

function memoryRow(image: string): BenchRow {
  const { program, args } = fairlead("tags", image);
  const preload = `data:text/javascript,${encodeURIComponent(tellMemory)}`;
  const { status, stderr } = spawnSync(program, ["--import", preload, ...args], {
    stdio: ["ignore", "ignore", "pipe"],
    encoding: "utf8",
  });
  if (status !== 0) throw new FairleadError("tool-failed", `fairlead tags failed: ${stderr}`);
  const bytes = Number(stderr.trim()) * 1024;
  return {
    what: "memory of a scan",
    chart: `${tagCount} tags`,
    fairlead: formatMegabytes(bytes),
    measured: formatMegabytes(bytes),
    bar: `≤ ${formatMegabytes(barBytes)}`,
    isMet: bytes <= barBytes,
  };
}

function formatMegabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(0)} MB`;
}
