import { escapeLine } from "../../core/escape.ts";
import { dumpYaml } from "../../yaml/dump.ts";
import { createYamlMap } from "../../yaml/value.ts";
import { formatResidualPlan } from "./plan-document.ts";
import { residualHeader, type ResidualFile, type ResidualSource } from "./residual-files.ts";
import type { ResidualObject } from "./residual-object.ts";

const planFile = "residual.json";
const programFile = "post-renderer";

/** A residual plan as post-renderers: a program for Helm 3, and the folder as a plugin for Helm 4. */
export function postRendererFiles(
  source: ResidualSource,
  objects: readonly ResidualObject[],
): ResidualFile[] {
  return [
    { name: planFile, kind: "residual-plan", text: formatResidualPlan(source.chart, objects) },
    { name: programFile, kind: "post-renderer", text: programText(source), mode: 0o755 },
    { name: "plugin.yaml", kind: "helm-plugin", text: pluginText(source) },
  ];
}

/** The name by which Helm 4 knows the plugin; Helm takes letters, digits, `_` and `-`. */
export function pluginNameOf({ chart }: Pick<ResidualSource, "chart">): string {
  return `residual-${chart.name.replaceAll(/[^A-Za-z0-9_-]/gu, "-")}`;
}

function programText({ chart }: ResidualSource): string {
  return `#!/bin/sh
${residualHeader}
${escapeLine(`# Moves the images that the values of ${chart.name} ${chart.version} do not reach. With your values and the override:`)}
#   helm install … --values override.yaml --post-renderer FOLDER/${programFile}
program=\${FAIRLEAD:-fairlead}
if ! command -v "$program" >/dev/null; then
  echo "$program is not on PATH; put fairlead there, or name it in FAIRLEAD" >&2
  exit 127
fi
folder=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd) || exit 1
exec "$program" post-render "$folder/${planFile}" "$@"
`;
}

function pluginText(source: ResidualSource): string {
  const name = pluginNameOf(source);
  const plugin = createYamlMap([
    ["apiVersion", "v1"],
    ["name", name],
    ["version", "1.0.0"],
    ["type", "postrenderer/v1"],
    ["runtime", "subprocess"],
    [
      "runtimeConfig",
      createYamlMap([
        ["platformCommand", [createYamlMap([["command", `\${HELM_PLUGIN_DIR}/${programFile}`]])]],
      ]),
    ],
  ]);
  return `${residualHeader}
# For Helm 4: helm plugin install FOLDER, then
#   helm install … --values override.yaml --post-renderer ${name}
${dumpYaml(plugin)}`;
}
