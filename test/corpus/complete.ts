import { chmod, copyFile, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { parse } from "yaml";
import { FairleadError } from "../../src/core/error.ts";
import { isDisabled, readDependencies, type Dependency, type SourceChart } from "./source-chart.ts";

/** A dependency that the repository does not carry and that was put into the copy. */
export interface Completion {
  /** The chart inside the copy that declares it, with `/`; empty for the chart itself. */
  readonly inside: string;
  readonly name: string;
  /** The version or range the chart declares. */
  readonly declared: string;
  /** The version that was put in; the copy's declaration is changed to it, so that Helm takes it. */
  readonly used: string;
  /** The module it comes from; `empty` for an empty chart in place of one that is disabled by default. */
  readonly from: string;
}

const maxDepth = 8;

/** Finds the chart a declaration means; undefined when no module publishes it. */
export type FindDependency = (dependency: Dependency, parent: SourceChart) => SourceChart | undefined;

/**
 * Copies a chart to `folder`, writable, and puts the charts it depends on into `charts/`, at any depth.
 * @throws FairleadError `dependency-missing` naming what cannot be had.
 */
export async function copyComplete(
  chart: SourceChart,
  folder: string,
  find: FindDependency,
): Promise<Completion[]> {
  await copyFolder(chart.folder, folder);
  return complete(chart, folder, "", find);
}

async function complete(
  chart: SourceChart,
  folder: string,
  inside: string,
  find: FindDependency,
): Promise<Completion[]> {
  if (inside.split("/").length > maxDepth) {
    throw new FairleadError("dependency-missing", `${inside} nests deeper than ${maxDepth} charts`);
  }
  const file = await readDependencies(folder);
  const vendored = await readVendored(folder);
  const done: Completion[] = [];
  const versions = new Map<string, string>();
  for (const dependency of file.dependencies) {
    if (vendored.has(dependency.name) || versions.has(dependency.name)) continue;
    const where = path.posix.join(inside, dependency.name);
    const target = path.join(folder, "charts", dependency.name);
    const found = find(dependency, chart);
    const used = found?.version ?? "0.0.0";
    versions.set(dependency.name, used);
    const from = found?.module.module ?? "empty";
    done.push({ inside, name: dependency.name, declared: dependency.version, used, from });
    if (found !== undefined) {
      await copyFolder(found.folder, target);
      done.push(...(await complete(found, target, where, find)));
    } else if (await isDisabled(folder, dependency)) await writeEmptyChart(target, dependency.name);
    else throw new FairleadError("dependency-missing", `no module of the list publishes ${where}`);
  }
  for (const [name, subfolder] of vendored) {
    if (subfolder === undefined) continue;
    const where = path.posix.join(inside, name);
    done.push(...(await complete(chart, path.join(folder, "charts", subfolder), where, find)));
  }
  await writeFile(file.path, withVersions(file.text, file.dependencies, versions));
  return done;
}

/** The names of the charts in `charts/`, each with its folder, or undefined for an archive. */
async function readVendored(folder: string): Promise<Map<string, string | undefined>> {
  const names = new Map<string, string | undefined>();
  const entries = await readdir(path.join(folder, "charts"), { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    if (entry.isDirectory()) {
      const file = path.join(folder, "charts", entry.name, "Chart.yaml");
      const chart = await readFile(file, "utf8").then(
        (text) => parse(text) as { name?: string },
        () => undefined,
      );
      if (chart?.name !== undefined) names.set(chart.name, entry.name);
    } else {
      const archive = /^(?<name>.+?)-v?\d+\..*\.tgz$/u.exec(entry.name)?.groups?.["name"];
      if (archive !== undefined) names.set(archive, undefined);
    }
  }
  return names;
}

/** Replaces declared versions in place, so that every other byte of the file stays. */
function withVersions(
  text: string,
  dependencies: readonly Dependency[],
  versions: ReadonlyMap<string, string>,
): string {
  let result = text;
  for (const dependency of dependencies.toReversed()) {
    const version = versions.get(dependency.name);
    if (version === undefined || dependency.versionRange === undefined) continue;
    const [start, end] = dependency.versionRange;
    result = result.slice(0, start) + JSON.stringify(version) + result.slice(end);
  }
  return result;
}

async function writeEmptyChart(folder: string, name: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const chart = { apiVersion: "v2", name, version: "0.0.0", description: "Stands for a disabled dependency" };
  await writeFile(path.join(folder, "Chart.yaml"), JSON.stringify(chart));
}

/** Go's module cache is read-only; the copy is not. */
async function copyFolder(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const target = path.join(to, entry.name);
    if (entry.isDirectory()) await copyFolder(path.join(from, entry.name), target);
    else if (entry.isFile()) {
      await copyFile(path.join(from, entry.name), target);
      await chmod(target, 0o644);
    }
  }
}
