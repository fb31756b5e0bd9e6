import { plainText, sliceText } from "../../helm/go/text.ts";
import { fromBytes } from "../../helm/go/utf8.ts";
import type { Text } from "../../helm/go/value.ts";
import { isYamlMap, type YamlMap, type YamlValue } from "../../yaml/value.ts";
import { loadYaml } from "../../yaml/load.ts";
import { loadRecentYaml } from "../../yaml/recent-documents.ts";

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
  /** The same as Go's bytes with what they come from, where that is known. */
  readonly traced?: Text;
  /** Which item of the document's list it is; absent for a document that is one object. */
  readonly item?: number;
}

/**
 * Splits what `helm template` prints into its objects. Lists of objects are taken apart; documents without
 * content are dropped.
 * @throws FairleadError `render-failed` where a document is not YAML.
 */
export function parseManifests(rendered: string): Manifest[] {
  return parseDocuments(rendered.split(separator).map((text) => ({ text })));
}

/** {@link parseManifests} of what the embedded engine renders: each object keeps what its text comes from. */
export function parseTracedManifests(rendered: Text): Manifest[] {
  const plain = plainText(rendered);
  const documents: Document[] = [];
  let start = 0;
  for (const { index, 0: line } of plain.matchAll(separator)) {
    documents.push(documentOf(sliceText(rendered, start, index)));
    start = index + line.length;
  }
  documents.push(documentOf(sliceText(rendered, start)));
  return parseDocuments(documents);
}

const separator = /^---[ \t]*(?:#.*)?$/gmu;

type Document = Pick<Manifest, "text" | "traced">;

function documentOf(traced: Text): Document {
  return { text: fromBytes(plainText(traced)), traced };
}

function parseDocuments(documents: readonly Document[]): Manifest[] {
  const manifests: Manifest[] = [];
  let template: string | undefined;
  for (const document of documents) {
    const { text } = document;
    template = /^# Source: (?<name>.+)$/mu.exec(text)?.groups?.["name"] ?? template;
    if (!/^[ \t]*[^#\s]/mu.test(text)) continue;
    const value = load(text, template ?? "manifest");
    const items = itemsOf(value);
    const isList = items[0] !== value;
    for (const [item, content] of items.entries()) {
      manifests.push({ ...describe(content, template), ...document, ...(isList ? { item } : {}) });
    }
  }
  return manifests;
}

/** What the engine has rendered it has read already, without the line that names the template. */
function load(text: string, file: string): YamlValue {
  try {
    return loadRecentYaml(text.replace(/^\n# Source: .*\n/u, ""));
  } catch {
    // Read again for what is wrong, and where.
    return loadYaml(text, { file, code: "render-failed" }).value;
  }
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

function describe(content: YamlMap, template: string | undefined): Omit<Manifest, "text"> {
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
  };
}

function stringOf(value: YamlValue | undefined): string {
  return typeof value === "string" ? value : "";
}
