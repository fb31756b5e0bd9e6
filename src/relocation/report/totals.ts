import type { ChartResult, ImageFinding, SurveyEntry, VerdictStatus } from "../result.ts";

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
  const counts = { images: 0, moved: 0, planned: 0, notRendered: 0 };
  for (const entry of entries) {
    chartsByStatus[chartStatus(entry)] += 1;
    if (!("result" in entry)) continue;
    const { verdict } = entry.result;
    const isRendered = verdict.chartInstall !== "not-run";
    counts.images += verdict.images;
    counts[isRendered ? "moved" : "planned"] += verdict.moved;
    if (isRendered) {
      counts.notRendered += imagesInScope(entry.result).filter(({ status }) => status === "planned").length;
    }
  }
  const { images, moved, planned, notRendered } = counts;
  return {
    charts: entries.length,
    chartsByStatus,
    chartsNotPassed: entries.filter((entry) => entry.exitCode !== 0).length,
    images,
    moved,
    planned,
    notMoved: images - moved - planned,
    notRendered,
    rate: images === 0 ? 100 : (100 * (moved + planned)) / images,
  };
}

interface ImageInScope extends ImageFinding {
  readonly status: "moved" | "planned" | "not-moved";
}

/** The images that the rate of a chart is about, in the chart's order. */
export function imagesInScope(result: ChartResult): readonly ImageInScope[] {
  return result.images.filter(
    (image): image is ImageInScope =>
      image.status === "moved" || image.status === "planned" || image.status === "not-moved",
  );
}

/** A rate with at most one decimal, rounded down so that only a full move reads as `100%`. */
export function formatPercent(rate: number): string {
  return `${Math.floor(rate * 10) / 10}%`;
}
