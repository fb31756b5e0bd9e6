import type { Diagnostic } from "../core/diagnostic.ts";
import type { Redactor } from "../core/redaction.ts";
import type { YamlMap } from "../yaml/value.ts";
import type { ChartPlanInput } from "./chart-plan.ts";
import type { ChartExplorer, ExplorableRendering } from "./explore/explore-chart.ts";
import type { MovedImage } from "./moved-images.ts";
import type { OverrideEntry } from "./override.ts";
import type { ResidualOptions } from "./residual/prove-residual.ts";
import type { ChartRenderer } from "./verify/verification.ts";

/** Renders a chart in this process, as it is or with more switched on. */
export interface ChartTracer extends ChartExplorer {
  render(override: string | undefined): Promise<ExplorableRendering>;
}

/** What an override sets beside what moves images, and what there is to tell of that. */
export interface PinnedLeaves {
  /** None of them for a leaf that moves an image. */
  readonly entries: readonly OverrideEntry[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface RelocateChartInput extends ChartPlanInput {
  /** Values that win over any file where the override is installed, as `--set` does. Default: none. */
  readonly setValues?: YamlMap;
  /** Percent; default 100. */
  readonly threshold?: number;
  /** Leaves the images of `helm test` pods out of scope; takes a rendering to tell. Default: false. */
  readonly excludeTests?: boolean;
  /** Takes what must not be told out of rendered texts that a message quotes. Default: nothing. */
  readonly redact?: Redactor;
  /** Proves the override. */
  readonly renderer?: ChartRenderer | undefined;
  /** Whether a chart that does not render as it is gets an override that nothing proves; default: it is an error. */
  readonly mayStayUnproven?: boolean;
  /** Tells what each text of a rendering comes from, where the renderer does not; default: the values tell alone. */
  readonly tracer?: ChartTracer | undefined;
  /** How many renderings may look for images in what the chart keeps off; takes a tracer. Default: 0. */
  readonly exploreLimit?: number;
  /** Chooses tags and digests that the override sets although they stay. Default: none. */
  readonly pin?: (images: readonly MovedImage[]) => PinnedLeaves;
  /** Plans and proves what the override leaves, where the chart is rendered. Default: it is not planned. */
  readonly residual?: ResidualOptions;
}
