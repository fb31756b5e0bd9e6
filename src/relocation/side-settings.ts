import type { Diagnostic } from "../core/diagnostic.ts";
import type { Chart, ChartInstance } from "../helm/chart/chart.ts";
import { isYamlMap, type YamlMap } from "../yaml/value.ts";
import { formatValuePath, getAt, type ValuePath } from "../yaml/value-path.ts";
import type { OverrideEntry } from "./override.ts";

export interface SideSettings {
  readonly entries: readonly OverrideEntry[];
  readonly diagnostics: readonly Diagnostic[];
}

const insecureImagesPath: ValuePath = ["global", "security", "allowInsecureImages"];

/**
 * The settings that a chart needs before it accepts a moved image. Bitnami's charts refuse images from
 * elsewhere unless `global.security.allowInsecureImages` is true (bitnami/charts issue 30850); charts whose
 * templates do not speak of it get nothing.
 */
export function findSideSettings(root: ChartInstance, values: YamlMap): SideSettings {
  if (!mentionsInsecureImages(root.chart)) return { entries: [], diagnostics: [] };
  const global = values["global"];
  if (isYamlMap(global) && getAt(values, insecureImagesPath) === true)
    return { entries: [], diagnostics: [] };
  return {
    entries: [{ path: insecureImagesPath, to: true }],
    diagnostics: [
      {
        code: "side-setting-added",
        severity: "warning",
        message: "the chart refuses images from other registries unless this is true",
        where: { valuePath: formatValuePath(insecureImagesPath) },
      },
    ],
  };
}

function mentionsInsecureImages(chart: Chart): boolean {
  return (
    chart.templates.some(({ data }) => Buffer.from(data).includes("allowInsecureImages")) ||
    chart.subcharts.some((subchart) => mentionsInsecureImages(subchart))
  );
}
