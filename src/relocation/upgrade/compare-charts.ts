import type { Redactor } from "../../core/redaction.ts";
import type { LoadedChart } from "../../helm/chart/load.ts";
import type { UserValueLocator } from "../../helm/values/value-layer.ts";
import type { YamlMap } from "../../yaml/value.ts";
import { listImages, type ChartImages } from "../list-images.ts";
import type { ChartRendering } from "../verify/verification.ts";
import { compareImages } from "./compare-images.ts";
import type { UpgradeComparison } from "./image-change.ts";

/** One version of a chart, and what it renders to with the user's values. */
export interface ChartVersion {
  readonly loaded: LoadedChart;
  readonly rendering: ChartRendering;
}

/** What the user says of both versions. */
export interface UserSide {
  readonly values: YamlMap;
  readonly locate: UserValueLocator;
  /** Takes what must not be told out of rendered texts that are no images. */
  readonly redact: Redactor;
}

/**
 * Compares the images of two versions of a chart: what they render, and what their values hold for parts that
 * are switched off. Where one of them does not render, both are compared by their values alone.
 * @throws FairleadError `dependency-missing`, and `render-failed` where a rendered document is not YAML.
 */
export function compareCharts(old: ChartVersion, next: ChartVersion, user: UserSide): UpgradeComparison {
  const rendered = old.rendering.ok && next.rendering.ok;
  const list = ({ loaded, rendering }: ChartVersion): ChartImages =>
    listImages(loaded, user.values, {
      rendering: rendered || !rendering.ok ? rendering : undefined,
      locateUserValue: user.locate,
      redact: user.redact,
    });
  return compareImages(withChart(list(old)), withChart(list(next)));
}

/** A finding that names no file is that of one of two charts. */
function withChart({ diagnostics, ...images }: ChartImages): ChartImages {
  const { path } = images.chart;
  return {
    ...images,
    diagnostics: diagnostics.map((found) =>
      found.where.file === undefined ? { ...found, where: { file: path, ...found.where } } : found,
    ),
  };
}
