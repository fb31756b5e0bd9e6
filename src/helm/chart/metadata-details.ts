import { isYamlList, isYamlMap, type YamlMap, type YamlValue } from "../../yaml/value.ts";
import type { ChartMetadata } from "./chart.ts";
import { fieldOf, sanitize, scalarText } from "./metadata.ts";

export interface Maintainer {
  readonly name: string;
  readonly email: string;
  readonly url: string;
}

/** What Chart.yaml says beside {@link ChartMetadata}; texts are empty where it says nothing. */
export interface MetadataDetails {
  readonly home: string;
  readonly sources: readonly string[] | undefined;
  readonly keywords: readonly string[] | undefined;
  readonly maintainers: readonly Maintainer[] | undefined;
  readonly icon: string;
  readonly condition: string;
  readonly tags: string;
  readonly deprecated: boolean;
  readonly annotations: ReadonlyMap<string, string> | undefined;
  /** As written: empty where the chart leaves it to Helm. */
  readonly type: string;
}

/**
 * Reads the fields of Chart.yaml that only templates see (Helm 3.22, pkg/chart/metadata.go). What Helm would
 * refuse is passed over.
 */
export function describeMetadata({ raw }: ChartMetadata): MetadataDetails {
  return {
    home: textField(raw, "home"),
    sources: listField(raw, "sources")?.map(cleanText),
    keywords: listField(raw, "keywords")?.map(cleanText),
    maintainers: listField(raw, "maintainers")?.filter(isYamlMap).map(readMaintainer),
    icon: textField(raw, "icon"),
    condition: textField(raw, "condition"),
    tags: textField(raw, "tags"),
    deprecated: fieldOf(raw, "deprecated") === true,
    annotations: readAnnotations(fieldOf(raw, "annotations")),
    type: textField(raw, "type"),
  };
}

function readMaintainer(map: YamlMap): Maintainer {
  return { name: textField(map, "name"), email: textField(map, "email"), url: textField(map, "url") };
}

function readAnnotations(value: YamlValue | undefined): ReadonlyMap<string, string> | undefined {
  if (!isYamlMap(value)) return undefined;
  return new Map(Object.entries(value).map(([key, item]) => [key, scalarText(item) ?? ""]));
}

function textField(map: YamlMap, field: string): string {
  return cleanText(fieldOf(map, field));
}

function listField(map: YamlMap, field: string): readonly YamlValue[] | undefined {
  const value = fieldOf(map, field);
  return isYamlList(value) ? value : undefined;
}

function cleanText(value: YamlValue | undefined): string {
  return sanitize(scalarText(value) ?? "");
}
