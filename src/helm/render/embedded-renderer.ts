import { FairleadError } from "../../core/error.ts";
import type { Redactor } from "../../core/redaction.ts";
import { loadYamlMap } from "../../yaml/load.ts";
import type { YamlMap } from "../../yaml/value.ts";
import type { Chart } from "../chart/chart.ts";
import { createRehearsalRandom } from "../go/random.ts";
import { plainText } from "../go/text.ts";
import { fromBytes } from "../go/utf8.ts";
import type { Text } from "../go/value.ts";
import type { Origin } from "../provenance/span.ts";
import { mergeMaps } from "../values/merge.ts";
import { formatManifests } from "./format-manifests.ts";
import { renderChart, type RenderOptions } from "./render-chart.ts";

/** A chart with what the user says of it. */
export interface EmbeddedRequest extends Pick<
  RenderOptions,
  "helm" | "kubeVersion" | "limits" | "namespace" | "releaseName"
> {
  readonly chart: Chart;
  /** What the `-f` files say together. */
  readonly fileValues: YamlMap;
  /** What `--set` and its kin say, which wins over files. */
  readonly setValues: YamlMap;
  /** What random texts follow from; default: always the same. */
  readonly seed?: string | undefined;
  /** Takes the user's values out of what an error quotes; default: nothing is taken out. */
  readonly redact?: Redactor | undefined;
}

/** What a chart renders to in this process, or why it does not. */
export type EmbeddedRendering =
  | {
      readonly ok: true;
      readonly manifests: string;
      /** The same as Go's bytes with what they come from; absent for a chart with an override. */
      readonly traced?: Text;
      /** The value paths that conditions found empty; none for a chart with an override. */
      readonly emptyConditions: readonly Origin[];
    }
  | { readonly ok: false; readonly message: string };

/** Renders one chart again and again with the embedded engine. */
export interface EmbeddedRenderer {
  /** @param override YAML; undefined for the chart as it is, which is traced. */
  render(override: string | undefined): Promise<EmbeddedRendering>;
  /**
   * Renders with more values on top of the files.
   * @param override the override as YAML, below those values; default: none
   */
  renderWith(values: YamlMap, override?: string): Promise<EmbeddedRendering>;
}

/**
 * The embedded engine for renderings that are compared: what is random and what time it is are the same each
 * time. The override comes after the values files and before `--set`, where document 002's pipeline (§10) has it.
 */
export function createEmbeddedRenderer(request: EmbeddedRequest): EmbeddedRenderer {
  const now = Date.now();
  const renderWith = (values: YamlMap, override?: string): EmbeddedRendering => {
    const changed = override === undefined ? undefined : loadYamlMap(override, { file: "override" }).value;
    const files = [request.fileValues, changed ?? {}, values].reduce(mergeMaps);
    const emptyConditions = new Set<Origin>();
    try {
      const rendered = renderChart(request.chart, {
        ...request,
        values: mergeMaps(files, request.setValues),
        integers: request.setValues,
        random: createRehearsalRandom(request.seed),
        now,
        tracking: override === undefined,
        emptyConditions,
      });
      const text = formatManifests(rendered, { helm: request.helm ?? "helm3" });
      return {
        ok: true,
        manifests: fromBytes(plainText(text)),
        ...(override === undefined ? { traced: text } : {}),
        emptyConditions: [...emptyConditions],
      };
    } catch (error) {
      if (!(error instanceof FairleadError) || error.code !== "render-failed") throw error;
      return { ok: false, message: request.redact?.(error.message) ?? error.message };
    }
  };
  return {
    // Async so that what is thrown is a rejection, as with a renderer that is a process.
    render: async (override) => renderWith({}, override),
    renderWith: async (values, override) => renderWith(values, override),
  };
}
