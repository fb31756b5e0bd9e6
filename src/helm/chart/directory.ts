import { lstatSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { join, sep } from "node:path";
import { FairleadError, messageOf } from "../../core/error.ts";
import type { Budget } from "./budget.ts";
import type { ChartFile } from "./chart.ts";
import { type IgnoreRules, parseHelmignore } from "./helmignore.ts";
import { decodeText } from "./text.ts";

interface FoundFile {
  /** Relative to the chart, with forward slashes. */
  readonly name: string;
  readonly path: string;
  readonly sizeBytes: number;
}

interface Walk {
  readonly root: string;
  readonly realRoot: string;
  readonly isIgnored: IgnoreRules;
  readonly budget: Budget;
  readonly found: FoundFile[];
}

/**
 * Reads every file of a chart folder that `.helmignore` does not leave out, sorted by name as Helm walks.
 * Links are followed as Helm 3 does, but only within the chart. Reads at once: a chart has few small files.
 * @throws FairleadError `chart-invalid` for links that leave the chart, lead nowhere or in a circle, for
 *   devices, pipes and sockets, and when the budget is used up; `chart-unreadable` when reading fails.
 */
export function readDirectory(root: string, budget: Budget): ChartFile[] {
  const walk: Walk = {
    root,
    realRoot: realpathSync(root),
    isIgnored: readIgnoreRules(root),
    budget,
    found: [],
  };
  visitFolder(walk, "", [walk.realRoot]);
  return walk.found.map((file) => {
    budget.check();
    const data = attempt(file.path, () => readFileSync(file.path));
    budget.spendBytes(Math.max(0, data.length - file.sizeBytes), file.path);
    return { name: file.name, data };
  });
}

function readIgnoreRules(root: string): IgnoreRules {
  const path = join(root, ".helmignore");
  const info = statSync(path, { throwIfNoEntry: false });
  if (info === undefined) return parseHelmignore("", path);
  if (!info.isFile() || info.size > 1024 * 1024) {
    throw new FairleadError("chart-invalid", ".helmignore is not a regular file of at most 1 MiB", {
      where: { file: path },
    });
  }
  return parseHelmignore(
    decodeText(
      attempt(path, () => readFileSync(path)),
      path,
      "chart-invalid",
    ),
    path,
  );
}

/** `ancestors` are the real paths of the folders above, to catch links that lead in a circle. */
function visitFolder(walk: Walk, folder: string, ancestors: readonly string[]): void {
  const path = join(walk.root, folder);
  const names = attempt(path, () => readdirSync(path));
  for (const name of names.sort()) {
    walk.budget.check();
    visitEntry(walk, folder === "" ? name : `${folder}/${name}`, ancestors);
  }
}

function visitEntry(walk: Walk, name: string, ancestors: readonly string[]): void {
  const path = join(walk.root, name);
  walk.budget.spendFile(path);
  const own = attempt(path, () => lstatSync(path));
  const target = own.isSymbolicLink() ? resolveLink(path) : undefined;
  const info = target === undefined ? own : attempt(path, () => statSync(path));
  if (walk.isIgnored(name, info.isDirectory())) return;
  if (target !== undefined && target !== walk.realRoot && !target.startsWith(walk.realRoot + sep)) {
    throw new FairleadError("chart-invalid", `the link ${name} leaves the chart`, { where: { file: path } });
  }
  if (info.isDirectory()) {
    const real = target ?? join(ancestors.at(-1) ?? walk.realRoot, name.slice(name.lastIndexOf("/") + 1));
    if (ancestors.includes(real)) {
      throw new FairleadError("chart-invalid", `the link ${name} leads in a circle`, {
        where: { file: path },
      });
    }
    visitFolder(walk, name, [...ancestors, real]);
  } else if (info.isFile()) {
    walk.budget.spendBytes(info.size, path);
    walk.found.push({ name, path: target ?? path, sizeBytes: info.size });
  } else {
    throw new FairleadError("chart-invalid", `${name} is not a regular file`, {
      where: { file: path },
      hint: "a chart may hold files and folders only, no devices, pipes or sockets",
    });
  }
}

function resolveLink(path: string): string {
  try {
    return realpathSync(path);
  } catch (cause) {
    throw new FairleadError("chart-invalid", "the link leads nowhere or in a circle", {
      where: { file: path },
      cause,
    });
  }
}

function attempt<Result>(path: string, read: () => Result): Result {
  try {
    return read();
  } catch (cause) {
    throw new FairleadError("chart-unreadable", `cannot read a part of the chart: ${messageOf(cause)}`, {
      where: { file: path },
      cause,
    });
  }
}
