import { Buffer } from "node:buffer";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Chart, ChartFile, HelmVersion } from "../../../src/helm/chart/chart.ts";
import { parseMetadata } from "../../../src/helm/chart/metadata.ts";
import type { YamlMap } from "../../../src/yaml/value.ts";

/** A template with what Helm makes of it, as the Go program writes it down. */
export interface TemplateCase {
  readonly template?: string;
  readonly templateBase64?: string;
  readonly partials?: string;
  /** Values in place of the world's. */
  readonly values?: YamlMap;
  readonly output?: string;
  readonly outputBase64?: string;
  readonly error?: string;
  readonly errorBase64?: string;
}

/** A file of cases. */
export interface Theme {
  readonly name: string;
  readonly helm: HelmVersion;
  readonly cases: readonly TemplateCase[];
}

interface World {
  readonly values: YamlMap;
  readonly files: readonly { readonly name: string; readonly text?: string; readonly base64?: string }[];
}

const folder = path.join(import.meta.dirname, "cases");

/** What the templates of all themes see. */
export const world: World = JSON.parse(readFileSync(path.join(folder, "world.json"), "utf8")) as World;

/** All cases, theme by theme. */
export function readThemes(): readonly Theme[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".jsonl"))
    .map((name) => ({
      name: path.basename(name, ".jsonl"),
      helm: name === "helm4.jsonl" ? "helm4" : "helm3",
      cases: readFileSync(path.join(folder, name), "utf8")
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as TemplateCase),
    }));
}

/** The templates that differ from Helm's, see exceptions.json. */
export function readExceptions(): ReadonlySet<string> {
  const text = readFileSync(path.join(import.meta.dirname, "exceptions.json"), "utf8");
  const groups = JSON.parse(text) as readonly { readonly templates: readonly string[] }[];
  return new Set(groups.flatMap(({ templates }) => templates));
}

const metadata = parseMetadata(
  { apiVersion: "v2", name: "c", version: "1.2.3", appVersion: "4.5.6", description: "A chart" },
  () => ({}),
);
const files: readonly ChartFile[] = world.files.map(({ name, text = "", base64 }) => ({
  name,
  data: dataOf(text, base64),
}));

/** The template of a case, as Helm names it. */
export const templateName = "c/templates/NOTES.txt";

/** The chart `c` of a case: its template is {@link templateName}, which may print anything. */
export function chartOf({ template = "", templateBase64, partials = "" }: TemplateCase): Chart {
  const templates = [
    { name: "templates/NOTES.txt", data: dataOf(template, templateBase64) },
    { name: "templates/_p", data: dataOf(partials) },
  ];
  return { metadata, location: "c", values: {}, templates, files, raw: [], subcharts: [] };
}

function dataOf(text: string, base64?: string): Uint8Array {
  return base64 === undefined ? new TextEncoder().encode(text) : Buffer.from(base64, "base64");
}
