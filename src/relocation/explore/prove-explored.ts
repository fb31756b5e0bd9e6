import type { Diagnostic } from "../../core/diagnostic.ts";
import type { YamlMap } from "../../yaml/value.ts";
import { formatValuePath } from "../../yaml/value-path.ts";
import type { Manifest } from "../rendering/manifest.ts";
import { compareRenderings, type ImageOutcome } from "../verify/comparison.ts";
import { manifestsOf, type VerificationInput } from "../verify/verification.ts";
import type { ChartExplorer, ExploredState } from "./explore-chart.ts";
import { leavesOf } from "./switches.ts";

/** What the override makes of the images that only exploring shows. */
export interface ExploredOutcomes {
  readonly outcomes: readonly ImageOutcome[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Renders the explored states with the override, and looks at the images that the chart as it is does not show.
 * @param input what the chart as it is was proven with
 * @param shown the texts of the images that it shows
 */
export async function proveExplored(
  states: readonly ExploredState[],
  explorer: ChartExplorer,
  input: Omit<VerificationInput, "renderer" | "before">,
  shown: ReadonlySet<string>,
): Promise<ExploredOutcomes> {
  const outcomes: ImageOutcome[] = [];
  const diagnostics: Diagnostic[] = [];
  const seen = new Set(shown);
  for (const { values, manifests } of states) {
    const original = await originalOf(values, manifests, explorer, input.baseline);
    const rendering = await explorer.renderWith(values, input.override);
    if (!rendering.ok) {
      const switches = leavesOf(values).map(formatValuePath).join(", ");
      const message = `the chart does not render with the override and these switched on: ${switches}: ${rendering.message}`;
      diagnostics.push({ code: "render-failed", severity: "warning", message, where: {} });
    }
    const overridden = rendering.ok ? manifestsOf(rendering) : [];
    const comparison = compareRenderings({ ...input, original, overridden, volatile: new Map() });
    const fresh = comparison.outcomes.filter(({ image }) => !seen.has(image.text));
    outcomes.push(...fresh);
    for (const { image } of fresh) seen.add(image.text);
  }
  return { outcomes, diagnostics };
}

/** A state with what the override is compared with; a chart that does not render so is compared as it is. */
async function originalOf(
  values: YamlMap,
  manifests: readonly Manifest[],
  explorer: ChartExplorer,
  baseline: string | undefined,
): Promise<readonly Manifest[]> {
  if (baseline === undefined) return manifests;
  const rendering = await explorer.renderWith(values, baseline);
  return rendering.ok ? manifestsOf(rendering) : manifests;
}
