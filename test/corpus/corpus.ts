import { createHash } from "node:crypto";
import { mkdir, readFile, readdir, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { FairleadError, messageOf } from "../../src/core/error.ts";
import { mapConcurrent } from "../../src/core/pool.ts";
import { withFileLock } from "../../tools/lock.ts";
import { copyComplete, type Completion, type FindDependency } from "./complete.ts";
import { downloadModule, readModules, type CorpusModule } from "./modules.ts";
import { findCharts, type SourceChart } from "./source-chart.ts";

/** The ignored folder that holds everything the corpus downloads and makes. */
export const corpusFolder: string = path.join(import.meta.dirname, "../../.cache/corpus");

/** A chart of the corpus: a writable copy with its dependencies. */
export interface CorpusChart {
  /** Unique and fit for a file name: module and path. */
  readonly id: string;
  readonly module: string;
  readonly version: string;
  /** The chart's folder inside the module. */
  readonly path: string;
  readonly chartName: string;
  readonly chartVersion: string;
  /** Below {@link corpusFolder}. */
  readonly folder: string;
  readonly completed: readonly Completion[];
}

/** What was left out, and why. */
export interface Dropped {
  readonly what: string;
  readonly reason: string;
}

export interface Corpus {
  /** Changes with the list of modules and with how the corpus is made. */
  readonly key: string;
  readonly charts: readonly CorpusChart[];
  readonly dropped: readonly Dropped[];
}

/** Counts up when the way charts are found or completed changes. */
const layout = 1;
const downloadsAtOnce = 4;

/**
 * Downloads the listed modules, finds their charts and completes them from each other; kept in `.cache/corpus`
 * and found there next time, without the network. A module that cannot be had is dropped with its reason
 * and asked for again next time; with `CI=true` it is an error.
 * @throws FairleadError `tool-missing` without Go; `tool-failed` with `CI=true`.
 */
export async function prepareCorpus(log: (line: string) => void): Promise<Corpus> {
  return withFileLock(path.join(corpusFolder, "lock"), async () => {
    const modules = await readModules();
    const key = createHash("sha256")
      .update(JSON.stringify([layout, modules]))
      .digest("hex")
      .slice(0, 16);
    const kept = await tryReadIndex();
    return kept?.key === key ? kept : build(key, modules, log);
  });
}

async function tryReadIndex(): Promise<Corpus | undefined> {
  const text = await readFile(path.join(corpusFolder, "index.json"), "utf8").catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as Corpus);
}

async function build(
  key: string,
  modules: readonly CorpusModule[],
  log: (line: string) => void,
): Promise<Corpus> {
  const moduleCache = path.join(corpusFolder, "modules");
  const missing: Dropped[] = [];
  const found = await mapConcurrent(modules, downloadsAtOnce, async (module) => {
    try {
      const charts = await findCharts(module, await downloadModule(module, moduleCache));
      log(`${module.module}@${module.version}: ${charts.length} charts`);
      return charts;
    } catch (error) {
      if (process.env["CI"] === "true" || (error as FairleadError).code === "tool-missing") throw error;
      missing.push({ what: module.module, reason: messageOf(error) });
      return [];
    }
  });
  const sources = found.flat();
  const charts: CorpusChart[] = [];
  const dropped: Dropped[] = [...missing];
  await rm(path.join(corpusFolder, "charts"), { recursive: true, force: true });
  for (const source of sources.filter((chart) => !chart.isLibrary)) {
    const id = chartId(source);
    const folder = path.join("charts", id);
    try {
      const completed = await copyComplete(source, path.join(corpusFolder, folder), findIn(sources));
      charts.push(describe(source, id, folder, completed));
    } catch (error) {
      await rm(path.join(corpusFolder, folder), { recursive: true, force: true });
      dropped.push({ what: id, reason: messageOf(error) });
    }
  }
  const corpus: Corpus = { key: missing.length === 0 ? key : "incomplete", charts, dropped };
  await writeWhole(path.join(corpusFolder, "index.json"), corpus);
  await removeUnpacked(moduleCache);
  return corpus;
}

function describe(
  source: SourceChart,
  id: string,
  folder: string,
  completed: readonly Completion[],
): CorpusChart {
  const { module, version } = source.module;
  return {
    id,
    module,
    version,
    path: source.path,
    chartName: source.name,
    chartVersion: source.version,
    folder,
    completed,
  };
}

function chartId(chart: SourceChart): string {
  const name = `${chart.module.module}/${chart.path}`.replace(/^github\.com\//u, "");
  return name.replaceAll(/[^A-Za-z0-9.]+/gu, "-");
}

/** A declaration names a folder of its own repository (`file://`), or an address that a module publishes. */
function findIn(sources: readonly SourceChart[]): FindDependency {
  return (dependency, parent) => {
    const named = sources.filter((chart) => chart.name === dependency.name);
    const { repository } = dependency;
    if (repository === "" || repository.startsWith("file://")) {
      const folder = path.posix.join(parent.path, repository.slice("file://".length));
      const own = named.filter((chart) => chart.module === parent.module);
      return own.find((chart) => chart.path === folder) ?? own[0];
    }
    const address = repository.replace(/\/+$/u, "");
    return named.find((chart) => chart.module.publishes?.includes(address));
  };
}

/** The archives stay for the next change of the list; the unpacked sources are many times their size. */
async function removeUnpacked(moduleCache: string): Promise<void> {
  const entries = await readdir(moduleCache);
  for (const entry of entries.filter((name) => name !== "cache")) {
    await rm(path.join(moduleCache, entry), { recursive: true, force: true });
  }
}

/** Writes a file that other processes find either whole or not at all. */
export async function writeWhole(file: string, content: unknown): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  const part = `${file}.${process.pid}`;
  await writeFile(part, `${JSON.stringify(content, null, 2)}\n`);
  await rename(part, file);
}
