import type { Where } from "../../core/error.ts";
import { createLocator } from "../../yaml/locate.ts";
import { formatValuePath, getAt, type ValuePath } from "../../yaml/value-path.ts";
import type { Chart, ChartInstance } from "./chart.ts";
import { decodeText } from "./text.ts";

/**
 * Where a value of the root's coalesced values comes from: file and line of the outermost chart whose
 * values.yaml sets it, globals that a parent hands down included. A value that no file sets at this path
 * (imported, or given by the user) has its path only.
 */
export function locateValue(root: ChartInstance, path: ValuePath): Where {
  const valuePath = formatValuePath(path);
  for (const candidate of candidatesOf(root, path)) {
    if (getAt(candidate.chart.values, candidate.path) !== undefined) {
      return { ...positionOf(candidate.chart, candidate.path), valuePath };
    }
  }
  return { valuePath };
}

interface Candidate {
  readonly chart: Chart;
  readonly path: ValuePath;
}

/** The places that could set a value, outermost first. */
function candidatesOf(root: ChartInstance, path: ValuePath): Candidate[] {
  const chain: ChartInstance[] = [root];
  for (const key of path) {
    const child = chain.at(-1)?.children.find((instance) => instance.name === key);
    if (child === undefined) break;
    chain.push(child);
  }
  const globalAt = chain.length - 1;
  const isGlobal = path[globalAt] === "global";
  const candidates: Candidate[] = [];
  for (const [depth, { chart }] of chain.entries()) {
    if (isGlobal && depth < globalAt) candidates.push({ chart, path: path.slice(globalAt) });
    candidates.push({ chart, path: path.slice(depth) });
  }
  return candidates;
}

type Locate = ReturnType<typeof createLocator>;

/** Where a chart's Chart.yaml has a key. */
export function locateMetadata(chart: Chart, path: ValuePath): Where {
  return positionOf(chart, path, "Chart.yaml");
}

/** A chart's files are read for positions when the first one is asked for, and once. */
const locators = { "values.yaml": new WeakMap<Chart, Locate>(), "Chart.yaml": new WeakMap<Chart, Locate>() };

type LocatedFile = keyof typeof locators;

function positionOf(chart: Chart, path: ValuePath, name: LocatedFile = "values.yaml"): Where {
  const file = `${chart.location}/${name}`;
  const locate = locators[name].get(chart) ?? createChartLocator(chart, name, file);
  locators[name].set(chart, locate);
  return { file, ...locate(path) };
}

function createChartLocator(chart: Chart, name: LocatedFile, file: string): Locate {
  const data = chart.raw.find((found) => found.name === name)?.data ?? new Uint8Array();
  const code = name === "Chart.yaml" ? "chart-invalid" : "values-invalid";
  return createLocator(decodeText(data, file, code), { file, code });
}
