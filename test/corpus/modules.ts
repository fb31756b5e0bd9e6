import { mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import { FairleadError } from "../../src/core/error.ts";
import { run } from "../../src/core/process.ts";

/** A chart repository as the Go module proxy serves it, pinned by version and checksum. */
export interface CorpusModule {
  readonly module: string;
  readonly version: string;
  /** Go's checksum of the module's files, `h1:…` as in go.sum. */
  readonly sum: string;
  /** The chart repository addresses under which others depend on this module's charts. */
  readonly publishes?: readonly string[];
}

const downloadTimeoutMs = 10 * 60_000;

export async function readModules(): Promise<readonly CorpusModule[]> {
  const text = await readFile(path.join(import.meta.dirname, "modules.json"), "utf8");
  return JSON.parse(text) as CorpusModule[];
}

/**
 * Unpacks one module into `cache` through the Go tool and gives its folder. Each module is asked for on its own:
 * in one go.mod, version selection would change the versions.
 * @throws FairleadError `tool-missing` without Go, `tool-failed` when it is not served or its checksum differs.
 */
export async function downloadModule(entry: CorpusModule, cache: string): Promise<string> {
  await mkdir(cache, { recursive: true });
  const result = await run("go", ["mod", "download", "-json", `${entry.module}@${entry.version}`], {
    cwd: cache,
    env: { ...process.env, GOMODCACHE: cache, GOFLAGS: "-modcacherw", GOWORK: "off" },
    timeoutMs: downloadTimeoutMs,
  });
  const answer = tryParseAnswer(result.stdout);
  if (answer.Dir === undefined) {
    const reason = answer.Error ?? result.stderr.trim().split("\n").at(-1) ?? "";
    throw new FairleadError("tool-failed", `${entry.module}@${entry.version}: ${reason}`);
  }
  if (answer.Sum !== entry.sum) {
    throw new FairleadError("tool-failed", `${entry.module}@${entry.version} has the checksum ${answer.Sum}`);
  }
  return answer.Dir;
}

interface DownloadAnswer {
  readonly Dir?: string;
  readonly Sum?: string;
  readonly Error?: string;
}

function tryParseAnswer(text: string): DownloadAnswer {
  try {
    return JSON.parse(text) as DownloadAnswer;
  } catch {
    return {};
  }
}
