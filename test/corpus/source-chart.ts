import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { isMap, isScalar, isSeq, parseDocument, type Document } from "yaml";
import type { CorpusModule } from "./modules.ts";

/** A dependency as a chart declares it. */
export interface Dependency {
  readonly name: string;
  readonly version: string;
  readonly repository: string;
  readonly condition: string;
  /** Where the version stands in {@link ChartFile.text}: start and end. */
  readonly versionRange: readonly [number, number] | undefined;
}

/** The file that declares dependencies: Chart.yaml, or requirements.yaml in charts of version 1. */
export interface ChartFile {
  readonly path: string;
  readonly text: string;
  readonly dependencies: readonly Dependency[];
}

/** A chart where its repository keeps it. */
export interface SourceChart {
  readonly module: CorpusModule;
  /** The chart's folder inside the module, with `/`. */
  readonly path: string;
  /** The same folder on disk. */
  readonly folder: string;
  readonly name: string;
  readonly version: string;
  readonly isLibrary: boolean;
}

const notProducts = /(^|\/)(testdata|tests?|ci|e2e|fixtures?|examples?|samples?|sample-charts)(\/|$)/iu;

/** Every chart of an unpacked module that stands on its own: no test fixtures, no vendored subcharts. */
export async function findCharts(module: CorpusModule, root: string): Promise<SourceChart[]> {
  const files = await readdir(root, { recursive: true, withFileTypes: true });
  const folders = files
    .filter((entry) => entry.isFile() && entry.name === "Chart.yaml")
    .map((entry) => path.relative(root, entry.parentPath).split(path.sep).join("/"))
    .filter((folder) => !notProducts.test(folder))
    .sort();
  const charts = await Promise.all(
    folders
      .filter((folder) => !isVendored(folder, root))
      .map((folder) => tryReadChart(module, folder, path.join(root, folder))),
  );
  return charts.filter((chart) => chart !== undefined);
}

async function tryReadChart(
  module: CorpusModule,
  chartPath: string,
  folder: string,
): Promise<SourceChart | undefined> {
  const document = await parseFile(path.join(folder, "Chart.yaml"));
  const name = text(document.get("name"));
  const version = text(document.get("version"));
  if (document.errors.length > 0 || name === "" || version === "") return undefined;
  return { module, path: chartPath, folder, name, version, isLibrary: document.get("type") === "library" };
}

/** A subchart lies in the `charts` folder of a folder that is itself a chart. */
function isVendored(folder: string, root: string): boolean {
  const parts = folder.split("/");
  return parts.some(
    (part, index) => part === "charts" && existsSync(path.join(root, ...parts.slice(0, index), "Chart.yaml")),
  );
}

/** Reads what a chart on disk declares, from whichever file declares it. */
export async function readDependencies(folder: string): Promise<ChartFile> {
  const requirements = path.join(folder, "requirements.yaml");
  const file = existsSync(requirements) ? requirements : path.join(folder, "Chart.yaml");
  const document = await parseFile(file);
  const list = document.get("dependencies", true);
  const items = isSeq(list) ? list.items.filter((item) => isMap(item)) : [];
  const dependencies = items.map((item): Dependency => {
    const version = item.get("version", true);
    const range = isScalar(version) ? version.range : undefined;
    return {
      name: text(item.get("name")),
      version: text(item.get("version")),
      repository: text(item.get("repository")),
      condition: text(item.get("condition")),
      versionRange: range ? [range[0], range[1]] : undefined,
    };
  });
  return { path: file, text: await readFile(file, "utf8"), dependencies };
}

/** Whether a chart's own values leave the dependency out (Helm: the first path that is a boolean decides). */
export async function isDisabled(folder: string, dependency: Dependency): Promise<boolean> {
  const file = path.join(folder, "values.yaml");
  if (dependency.condition === "" || !existsSync(file)) return false;
  const values = await parseFile(file);
  const settings = dependency.condition.split(",").map((key) => values.getIn(key.trim().split(".")));
  return settings.find((setting) => typeof setting === "boolean") === false;
}

async function parseFile(file: string): Promise<Document> {
  return parseDocument(await readFile(file, "utf8"), { uniqueKeys: false, version: "1.1" });
}

function text(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}
