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

/** A chart's values.yaml is read for positions when the first one is asked for, and once. */
const locators = new WeakMap<Chart, Locate>();

function positionOf(chart: Chart, path: ValuePath): Where {
  const file = `${chart.location}/values.yaml`;
  const locate = locators.get(chart) ?? createChartLocator(chart, file);
  locators.set(chart, locate);
  return { file, ...locate(path) };
}

function createChartLocator(chart: Chart, file: string): Locate {
  const data = chart.raw.find(({ name }) => name === "values.yaml")?.data ?? new Uint8Array();
  return createLocator(decodeText(data, file, "values-invalid"), { file, code: "values-invalid" });
}
