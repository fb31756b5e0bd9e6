import { createReadStream, statSync } from "node:fs";
import { open } from "node:fs/promises";
import type { Diagnostic } from "../../core/diagnostic.ts";
import { FairleadError, messageOf } from "../../core/error.ts";
import { isGzip, readArchive } from "./archive.ts";
import { assembleChart, chartFileNames } from "./assemble.ts";
import { createBudget, type Budget, type BudgetOptions } from "./budget.ts";
import type { Chart, ChartFile } from "./chart.ts";
import { readDirectory } from "./directory.ts";

export interface LoadedChart {
  readonly chart: Chart;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Loads a chart with everything in its charts/ folder, from a folder or from an archive (told by its content).
 * @param path a chart's folder or `.tgz`; messages and locations begin with it as given
 * @throws FairleadError `input-unreadable` when the path cannot be read, `input-invalid` when there is no
 *   chart, `chart-invalid` and `values-invalid` with file and line for a broken one, `chart-unreadable` when
 *   a part of it cannot be read, `aborted`.
 */
export async function loadChart(path: string, options: BudgetOptions = {}): Promise<LoadedChart> {
  const budget = createBudget(options);
  budget.check();
  const location = path.length > 1 ? path.replace(/\/+$/u, "") : path;
  return assemble(await readChartFiles(path, location, budget), location, budget);
}

/**
 * {@link loadChart}, from an archive in memory.
 * @param location where it came from; messages and locations begin with it
 */
export async function loadChartArchive(
  archive: Uint8Array,
  location: string,
  options: BudgetOptions = {},
): Promise<LoadedChart> {
  const budget = createBudget(options);
  budget.check();
  if (!isGzip(archive)) throw notGzipped(location);
  return assemble(await readArchive(archive, location, budget), location, budget);
}

async function assemble(files: readonly ChartFile[], location: string, budget: Budget): Promise<LoadedChart> {
  if (!files.some(({ name }) => name === chartFileNames.metadata)) {
    throw new FairleadError("input-invalid", "there is no chart here: Chart.yaml is missing", {
      where: { file: location },
      hint: "name the folder that holds Chart.yaml",
    });
  }
  const diagnostics: Diagnostic[] = [];
  const chart = await assembleChart(files, location, { budget, diagnostics });
  return { chart, diagnostics };
}

async function readChartFiles(path: string, location: string, budget: Budget): Promise<ChartFile[]> {
  const info = await attempt(location, async () => statSync(path));
  if (info.isDirectory()) return readDirectory(location, budget);
  if (!info.isFile()) {
    throw new FairleadError("input-invalid", "the chart is neither a folder nor a file", {
      where: { file: location },
    });
  }
  if (!isGzip(await attempt(location, () => readHead(path)))) {
    throw notGzipped(location);
  }
  return readArchive(createReadStream(path), location, budget);
}

function notGzipped(location: string): FairleadError {
  return new FairleadError("input-invalid", "the file is not a gzipped chart archive", {
    where: { file: location },
    hint: "name a chart's folder, or an archive as helm package makes it",
  });
}

async function readHead(path: string): Promise<Uint8Array> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(3), 0, 3, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

async function attempt<Result>(file: string, read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (cause) {
    const missing = cause instanceof Error && "code" in cause && cause.code === "ENOENT";
    const problem = missing ? "there is no such file or folder" : messageOf(cause);
    throw new FairleadError("input-unreadable", `cannot read the chart: ${problem}`, {
      where: { file },
      hint: missing
        ? "a chart of a repository is named with --repo URL, one of a registry by oci://HOST/PATH"
        : undefined,
      cause,
    });
  }
}
