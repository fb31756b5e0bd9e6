import { isYamlMap, type YamlMap, type YamlValue } from "../../yaml/value.ts";
import { loadYaml } from "../../yaml/load.ts";

/** One object of a rendering. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  /** The template, as the `# Source:` line before it names it. */
  readonly template?: string;
  /** True for the objects of `helm test` alone. */
  readonly isTest: boolean;
  readonly content: YamlMap;
  /** The document it comes from, as rendered. */
  readonly text: string;
}

/**
 * Splits what `helm template` prints into its objects. Lists of objects are taken apart; documents without
 * content are dropped.
 * @throws FairleadError `render-failed` where a document is not YAML.
 */
export function parseManifests(rendered: string): Manifest[] {
  const manifests: Manifest[] = [];
  let template: string | undefined;
  for (const text of rendered.split(/^---[ \t]*(?:#.*)?$/mu)) {
    template = /^# Source: (?<name>.+)$/mu.exec(text)?.groups?.["name"] ?? template;
    if (!/^[ \t]*[^#\s]/mu.test(text)) continue;
    const { value } = loadYaml(text, { file: template ?? "manifest", code: "render-failed" });
    for (const content of itemsOf(value)) manifests.push(describe(content, template, text));
  }
  return manifests;
}

/** A resource of another kind may end in List too, and have items among other fields. */
const listKeys: ReadonlySet<string> = new Set(["apiVersion", "kind", "metadata", "items"]);

function itemsOf(value: YamlValue): YamlMap[] {
  if (!isYamlMap(value)) return [];
  const items = value["items"];
  const isList =
    stringOf(value["kind"]).endsWith("List") &&
    Object.keys(value).every((key) => listKeys.has(key)) &&
    Array.isArray(items) &&
    items.every((item) => isYamlMap(item) && typeof item["kind"] === "string");
  return isList ? items.filter((item) => isYamlMap(item)) : [value];
}

function describe(content: YamlMap, template: string | undefined, text: string): Manifest {
  const metadata = isYamlMap(content["metadata"]) ? content["metadata"] : {};
  const annotations = isYamlMap(metadata["annotations"]) ? metadata["annotations"] : {};
  return {
    apiVersion: stringOf(content["apiVersion"]),
    kind: stringOf(content["kind"]),
    namespace: stringOf(metadata["namespace"]),
    name: stringOf(metadata["name"]) || stringOf(metadata["generateName"]),
    ...(template === undefined ? {} : { template }),
    isTest: stringOf(annotations["helm.sh/hook"])
      .split(",")
      .every((hook) => /^test(?:-success|-failure)?$/u.test(hook.trim())),
    content,
    text,
  };
}

function stringOf(value: YamlValue | undefined): string {
  return typeof value === "string" ? value : "";
}
