import { resolveDependencies } from "../helm/chart/dependencies.ts";
import { knownHostsOf } from "./chart-plan.ts";
import {
  exploreChart,
  type ChartExplorer,
  type ExplorableRendering,
  type ExploredChart,
} from "./explore/explore-chart.ts";
import type { RelocateChartInput } from "./relocate-chart-input.ts";
import type { Manifest } from "./rendering/manifest.ts";
import { manifestsOf } from "./verify/verification.ts";

/** What was found by switching on more, and what rendered it. */
export interface Exploration extends ExploredChart {
  readonly explorer: ChartExplorer;
}

/** The chart as it is, traced: by the proof's own rendering, else by the tracer. */
export async function traceChart(
  { tracer }: RelocateChartInput,
  before: ExplorableRendering | undefined,
): Promise<ExplorableRendering | undefined> {
  const isTraced = before?.ok === true && before.traced !== undefined;
  return isTraced ? before : tracer?.render(undefined);
}

/** What a traced rendering holds; nothing where there is none. */
export function manifestsOfTrace(trace: ExplorableRendering | undefined): readonly Manifest[] {
  return trace?.ok === true ? manifestsOf(trace) : [];
}

/** What more is rendered with more switched on, where that is to be looked for. */
export async function exploreFrom(
  start: ExplorableRendering | undefined,
  { chart, userValues, settings, tracer, exploreLimit = 0 }: RelocateChartInput,
): Promise<Exploration | undefined> {
  if (start?.ok !== true || tracer === undefined || exploreLimit === 0) return undefined;
  const { root, values } = resolveDependencies(chart, userValues);
  const isKnownHost = knownHostsOf(settings);
  const limits = { isKnownHost, limit: exploreLimit };
  return { ...(await exploreChart({ explorer: tracer, root, values, start, ...limits })), explorer: tracer };
}
