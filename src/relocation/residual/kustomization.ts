import { FairleadError } from "../../core/error.ts";
import { escapeLine } from "../../core/escape.ts";
import { dumpYaml } from "../../yaml/dump.ts";
import { createYamlMap, type YamlMap } from "../../yaml/value.ts";
import { getAt, type ValuePath } from "../../yaml/value-path.ts";
import { changeField } from "./change-text.ts";
import type { PlannedObject } from "./plan-residual.ts";
import { residualHeader, type ResidualFile, type ResidualSource } from "./residual-files.ts";

/** The file of manifests that the kustomization patches. */
const manifestsFile = "all.yaml";

/** Whoever may read a Secret's text may read it here too. */
const privateMode = 0o600;

/**
 * A residual plan as a kustomization: a JSON 6902 patch an object, with a test of each text before it is replaced,
 * so that another text than the plan's is an error.
 * @throws FairleadError `input-invalid` for an object whose name the cluster makes, which kustomize cannot patch
 */
export function kustomizationFiles(
  source: ResidualSource,
  objects: readonly PlannedObject[],
): ResidualFile[] {
  const kustomization = createYamlMap([
    ["apiVersion", "kustomize.config.k8s.io/v1beta1"],
    ["kind", "Kustomization"],
    ["resources", [manifestsFile]],
    ["patches", objects.map((object) => patchOf(object))],
  ]);
  const text = `${headerOf(source, objects)}${dumpYaml(kustomization)}`;
  const file: ResidualFile = { name: "kustomization.yaml", kind: "kustomization", text };
  return [holdsSecret(objects) ? { ...file, mode: privateMode } : file];
}

function headerOf(
  { chart, releaseName, namespace }: ResidualSource,
  objects: readonly PlannedObject[],
): string {
  const flags = namespace === undefined ? "" : ` --namespace ${namespace}`;
  const lines = [
    residualHeader,
    `# What the values of ${chart.name} ${chart.version} do not reach. In this folder, with your values and the override:`,
    `#   helm template ${releaseName} CHART${flags} --values override.yaml > ${manifestsFile}`,
    "#   kubectl kustomize .",
    "# Patches find objects by name: render with this release name and namespace.",
    ...(holdsSecret(objects) ? ["# It holds the content of a Secret: keep it like one."] : []),
  ];
  return lines.map((line) => `${escapeLine(line)}\n`).join("");
}

function holdsSecret(objects: readonly PlannedObject[]): boolean {
  return objects.some(({ kind }) => kind === "Secret");
}

function patchOf(object: PlannedObject): YamlMap {
  const { apiVersion, kind, namespace, name, content, fields } = object;
  if (getAt(content, ["metadata", "name"]) !== name) {
    throw new FairleadError(
      "input-invalid",
      `kustomize cannot patch ${kind}/${name}, whose name is generated`,
      {
        hint: "--residual post-renderer can",
      },
    );
  }
  const [group, version] = apiVersion.includes("/") ? apiVersion.split("/", 2) : ["", apiVersion];
  const target = createYamlMap([
    ...(group === "" ? [] : [["group", group ?? ""] as const]),
    ["version", version ?? ""],
    ["kind", kind],
    ["name", literal(name)],
    ...(namespace === "" ? [] : [["namespace", literal(namespace)] as const]),
  ]);
  const operations = fields.flatMap((field) => {
    const text = getAt(content, field.path);
    const wanted = typeof text === "string" ? changeField(text, field) : undefined;
    if (text === undefined || wanted === undefined) return [];
    const path = pointerTo(field.path);
    return [
      { op: "test", path, value: text },
      { op: "replace", path, value: wanted },
    ];
  });
  return createYamlMap([
    ["target", target],
    ["patch", JSON.stringify(operations, undefined, 2)],
  ]);
}

/** Kustomize reads names as regular expressions. */
function literal(name: string): string {
  return name.replaceAll(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`);
}

/** A JSON pointer (RFC 6901). */
function pointerTo(path: ValuePath): string {
  return path.map((step) => `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}
