import type { ChartInstance } from "../../src/helm/chart/chart.ts";
import { resolveDependencies } from "../../src/helm/chart/dependencies.ts";
import { createEmbeddedRenderer, type EmbeddedRendering } from "../../src/helm/render/embedded-renderer.ts";
import type { Manifest } from "../../src/relocation/rendering/manifest.ts";
import { manifestsOf } from "../../src/relocation/verify/verification.ts";
import { chartOf, yamlMap } from "./relocation.ts";

export interface TracedChart {
  readonly root: ChartInstance;
  readonly rendering: EmbeddedRendering;
  readonly manifests: readonly Manifest[];
}

/** A chart called `app` in memory, rendered with all that its texts come from. @param user values as YAML */
export async function traceChart(
  files: Readonly<Record<string, string>>,
  user: string = "{}",
): Promise<TracedChart> {
  const chart = await chartOf(files);
  const fileValues = yamlMap(user);
  const rendering = await createEmbeddedRenderer({ chart, fileValues, setValues: {} }).render(undefined);
  if (!rendering.ok) throw new Error(rendering.message);
  const { root } = resolveDependencies(chart, fileValues);
  return { root, rendering, manifests: manifestsOf(rendering) };
}

/** A template of a pod whose one container has this image. */
export function podTemplate(image: string): string {
  return `kind: Pod\nmetadata: {name: web}\nspec:\n  containers:\n    - name: main\n      image: ${image}\n`;
}
