import type { ImageFinding, SurveyEntry, VerdictStatus } from "../result.ts";
import { isInScope } from "../verdict.ts";

/** What became of a chart: its verdict, or FAILED where it could not be worked on at all. */
export type ChartStatus = VerdictStatus | "FAILED";

/** From the worst to the best: the order in which a reader wants to meet them. */
export const chartStatuses: readonly ChartStatus[] = ["FAILED", "CRITICAL", "WARNING", "UNVERIFIED", "OK"];

export interface Totals {
  readonly charts: number;
  readonly chartsByStatus: Readonly<Record<ChartStatus, number>>;
  /** Charts that did not end with exit code 0. */
  readonly chartsNotPassed: number;
  /** Images in scope that the verdicts count: the sum of the three below. */
  readonly images: number;
  /** Proven by a rendering. */
  readonly moved: number;
  /** Set by an override that nothing has rendered. */
  readonly planned: number;
  readonly notMoved: number;
  /** Images set by an override whose chart was rendered without them: they belong to parts switched off. */
  readonly notRendered: number;
  /** Images in scope that charts show only with more switched on; none of the counts above has them. */
  readonly explored: number;
  /** Those of them that a rendering proves to move. */
  readonly exploredMoved: number;
  /** Percent of the images in scope that are moved or planned; 100 where no image is in scope. */
  readonly rate: number;
}

/** The status of one entry of a survey. */
export function chartStatus(entry: SurveyEntry): ChartStatus {
  return "failure" in entry ? "FAILED" : entry.result.verdict.status;
}

/** Counts over all charts; an image of two charts counts twice. */
export function sumTotals(entries: readonly SurveyEntry[]): Totals {
  const chartsByStatus = { FAILED: 0, CRITICAL: 0, WARNING: 0, UNVERIFIED: 0, OK: 0 };
  const counts = { images: 0, moved: 0, planned: 0, notRendered: 0, explored: 0, exploredMoved: 0 };
  for (const entry of entries) {
    chartsByStatus[chartStatus(entry)] += 1;
    if (!("result" in entry)) continue;
    const { verdict } = entry.result;
    const isRendered = verdict.chartInstall !== "not-run";
    const explored = entry.result.images.filter((image) => image.explored === true && isInScope(image));
    counts.explored += explored.length;
    counts.exploredMoved += explored.filter(({ status }) => status === "moved").length;
    counts.images += verdict.images;
    counts[isRendered ? "moved" : "planned"] += verdict.moved;
    if (isRendered) {
      counts.notRendered += entry.result.images.filter(
        (image) => image.status === "planned" && isNotRendered(image),
      ).length;
    }
  }
  const { images, moved, planned, ...others } = counts;
  return {
    charts: entries.length,
    chartsByStatus,
    chartsNotPassed: entries.filter((entry) => entry.exitCode !== 0).length,
    images,
    moved,
    planned,
    notMoved: images - moved - planned,
    ...others,
    rate: images === 0 ? 100 : (100 * (moved + planned)) / images,
  };
}

/** Whether an image in scope, of a chart that was rendered, belongs to something that was not. */
export function isNotRendered(image: ImageFinding): boolean {
  return isInScope(image) && image.places.length === 0 && image.sourceSpec !== undefined;
}

/** What exploring found, in a line; undefined where it found nothing. */
export function describeExplored({ explored, exploredMoved }: Totals): string | undefined {
  if (explored === 0) return undefined;
  return `With more switched on: ${explored} images more, ${exploredMoved} of them moved`;
}

/** Orders charts as a reader wants to meet them: by status, misses, exit code and name. */
export function compareWorstFirst(a: SurveyEntry, b: SurveyEntry): number {
  return (
    chartStatuses.indexOf(chartStatus(a)) - chartStatuses.indexOf(chartStatus(b)) ||
    countMisses(b) - countMisses(a) ||
    Number(b.exitCode !== 0) - Number(a.exitCode !== 0) ||
    chartName(a).localeCompare(chartName(b), "en")
  );
}

/** A chart's name, or its path where it could not be read. */
function chartName(entry: SurveyEntry): string {
  return "failure" in entry ? entry.failure.chart.path : entry.result.chart.name;
}

function countMisses(entry: SurveyEntry): number {
  return "failure" in entry ? 0 : entry.result.verdict.images - entry.result.verdict.moved;
}

/** A rate with at most one decimal, rounded down so that only a full move reads as `100%`. */
export function formatPercent(rate: number): string {
  return `${Math.floor(rate * 10) / 10}%`;
}
