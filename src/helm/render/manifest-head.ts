import { FairleadError } from "../../core/error.ts";
import { loadYaml } from "../../yaml/load.ts";
import { loadRecentYaml } from "../../yaml/recent-documents.ts";
import { isYamlList, isYamlMap, type YamlMap, type YamlValue } from "../../yaml/value.ts";
import type { HelmVersion } from "../chart/chart.ts";
import { fieldOf, scalarText } from "../chart/metadata.ts";
import { fromBytes, isAscii } from "../go/utf8.ts";
import { GoError } from "../go/value.ts";
import { findMalformedOctet } from "../go/utf8-problem.ts";
import { readYaml } from "../go/yaml-reader.ts";

/** What Helm reads of a manifest. */
export interface ManifestHead {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly annotations: ReadonlyMap<string, string>;
}

const metadataType = String.raw`struct { Name string "json:\"name\""; Annotations map[string]string "json:\"annotations\"" }`;

/**
 * Reads the head of a manifest (Helm's SimpleHead), as sigs.k8s.io/yaml reads it into a struct.
 * @param manifest the document's bytes
 * @throws GoError what is wrong with it
 */
export function readHead(manifest: string, helm: HelmVersion): ManifestHead {
  return tryReadPrintedHead(manifest) ?? headOf(load(manifest), helm);
}

/**
 * The head of a document as it is printed, with a line end, so that what reads it next need not read it again;
 * undefined where something is wrong with it, or where the line end may have become a part of the head.
 */
function tryReadPrintedHead(manifest: string): ManifestHead | undefined {
  if (!isAscii(manifest) && findMalformedOctet(manifest) !== undefined) return undefined;
  try {
    const head = headOf(loadRecentYaml(`${fromBytes(manifest)}\n`), "helm3");
    const texts = [head.apiVersion, head.kind, head.name, ...head.annotations.values()];
    return texts.some((text) => text.endsWith("\n")) ? undefined : head;
  } catch {
    return undefined;
  }
}

function headOf(document: YamlValue, helm: HelmVersion): ManifestHead {
  if (document === null) return { apiVersion: "", kind: "", name: "", annotations: new Map() };
  if (!isYamlMap(document)) {
    const type = helm === "helm3" ? "releaseutil.SimpleHead" : "util.SimpleHead";
    throw mismatch(document, `value of type ${type}`);
  }
  const metadata = fieldOf(document, "metadata") ?? null;
  if (metadata !== null && !isYamlMap(metadata)) {
    throw mismatch(metadata, `struct field SimpleHead.metadata of type ${metadataType}`);
  }
  return {
    apiVersion: readText(document, "apiVersion", "SimpleHead.apiVersion"),
    kind: readText(document, "kind", "SimpleHead.kind"),
    name: metadata === null ? "" : readText(metadata, "name", ".metadata.name"),
    annotations: metadata === null ? new Map() : readAnnotations(metadata),
  };
}

function load(manifest: string): YamlValue {
  // Go refuses what is not UTF-8; all else is read again only for what is wrong with it.
  if (!isAscii(manifest)) readYaml(manifest);
  try {
    return loadYaml(fromBytes(manifest)).value;
  } catch (error) {
    if (!(error instanceof FairleadError) || error.code === "limit-exceeded") throw error;
    readYaml(manifest);
    throw error;
  }
}

function readText(map: YamlMap, field: string, place: string): string {
  const value = fieldOf(map, field) ?? null;
  if (typeof value === "object" && value !== null)
    throw mismatch(value, `struct field ${place} of type string`);
  return scalarText(value) ?? "";
}

function readAnnotations(metadata: YamlMap): ReadonlyMap<string, string> {
  const value = fieldOf(metadata, "annotations") ?? null;
  if (value === null) return new Map();
  const place = "struct field .metadata.annotations of type";
  if (!isYamlMap(value)) throw mismatch(value, `${place} map[string]string`);
  return new Map(
    Object.entries(value).map(([key, item]) => {
      if (typeof item === "object" && item !== null) throw mismatch(item, `${place} string`);
      return [key, scalarText(item) ?? ""];
    }),
  );
}

function mismatch(value: YamlValue, place: string): GoError {
  const type = isYamlList(value) ? "array" : isYamlMap(value) ? "object" : jsonTypes[typeof value];
  return new GoError(
    `error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${type ?? ""} into Go ${place}`,
  );
}

const jsonTypes: Readonly<Partial<Record<string, string>>> = {
  string: "string",
  number: "number",
  boolean: "bool",
};
