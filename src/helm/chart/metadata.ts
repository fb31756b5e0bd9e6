import { FairleadError, type Where } from "../../core/error.ts";
import { formatGoFloat } from "../../yaml/go-number.ts";
import { isYamlMap, type YamlMap, type YamlValue } from "../../yaml/value.ts";
import type { ChartDependency, ChartMetadata } from "./chart.ts";
import { isVersion } from "./version.ts";

/** Gives the location of a path within the file that is read. */
export type LocatePath = (path: readonly (string | number)[]) => Where;

/** A map of Chart.yaml together with where it stands. */
interface Section {
  readonly map: YamlMap;
  readonly path: readonly (string | number)[];
  readonly locate: LocatePath;
}

/**
 * Reads Chart.yaml as Helm 3.22 does (pkg/chart/metadata.go and dependency.go): field names in any case,
 * numbers and booleans taken as text, no apiVersion means v1.
 * @throws FairleadError `chart-invalid` with file and line for what Helm refuses, and for an apiVersion
 *   other than v1 and v2.
 */
export function parseMetadata(value: YamlValue, locate: LocatePath): ChartMetadata {
  if (!isYamlMap(value)) throw invalid("Chart.yaml is not a map", locate([]));
  const section: Section = { map: value, path: [], locate };
  const apiVersion = readText(section, "apiVersion") ?? "v1";
  if (apiVersion !== "v1" && apiVersion !== "v2") {
    throw invalid(
      `apiVersion ${JSON.stringify(apiVersion)} is neither v1 nor v2`,
      whereOf(section, "apiVersion"),
    );
  }
  const type = readText(section, "type") ?? "application";
  if (type !== "application" && type !== "library") {
    throw invalid("the chart's type must be application or library", whereOf(section, "type"));
  }
  return {
    apiVersion,
    name: readName(section),
    version: readVersion(section),
    type,
    ...optional("appVersion", readText(section, "appVersion")),
    ...optional("kubeVersion", readText(section, "kubeVersion")),
    ...optional("description", readText(section, "description")),
    dependencies: readDependencies(section),
    raw: value,
  };
}

/**
 * The dependencies of requirements.yaml, which replace those of Chart.yaml; undefined when the file says
 * nothing of them.
 * @throws FairleadError `chart-invalid`
 */
export function parseRequirements(
  value: YamlValue,
  locate: LocatePath,
): readonly ChartDependency[] | undefined {
  if (value === null) return undefined;
  if (!isYamlMap(value)) throw invalid("requirements.yaml is not a map", locate([]));
  const section: Section = { map: value, path: [], locate };
  return fieldOf(section.map, "dependencies") === undefined ? undefined : readDependencies(section);
}

function readName(section: Section): string {
  const name = readText(section, "name");
  if (name === undefined) throw invalid("the chart has no name", section.locate([]));
  if (name === "." || name === ".." || name.includes("/")) {
    throw invalid(`the chart name ${JSON.stringify(name)} is not allowed`, whereOf(section, "name"));
  }
  return name;
}

function readVersion(section: Section): string {
  const version = readText(section, "version");
  if (version === undefined) throw invalid("the chart has no version", section.locate([]));
  if (!isVersion(version)) {
    throw invalid(
      `the chart version ${JSON.stringify(version)} is not a semantic version`,
      whereOf(section, "version"),
    );
  }
  return version;
}

function readDependencies(section: Section): ChartDependency[] {
  const list = readList(section, "dependencies");
  const taken = new Set<string>();
  return list.map((entry, index) => {
    const path = [...section.path, keyOf(section.map, "dependencies") ?? "dependencies", index];
    if (!isYamlMap(entry)) throw invalid("a dependency is not a map", section.locate(path));
    const dependency = readDependency({ map: entry, path, locate: section.locate });
    const key = dependency.alias ?? dependency.name;
    if (taken.has(key)) {
      throw invalid(
        `more than one dependency has the name or alias ${JSON.stringify(key)}`,
        section.locate(path),
      );
    }
    taken.add(key);
    return dependency;
  });
}

function readDependency(section: Section): ChartDependency {
  const alias = readText(section, "alias");
  if (alias !== undefined && !/^[a-zA-Z0-9_-]+$/u.test(alias)) {
    throw invalid(
      `the alias ${JSON.stringify(alias)} holds characters that are not allowed`,
      whereOf(section, "alias"),
    );
  }
  return {
    name: readText(section, "name") ?? "",
    ...optional("version", readText(section, "version")),
    ...optional("repository", readText(section, "repository")),
    ...optional("alias", alias),
    ...optional("condition", readText(section, "condition")),
    tags: readList(section, "tags").map((tag) => scalarText(tag) ?? ""),
    importValues: readList(section, "import-values")
      .map(readImport)
      .filter((entry) => entry !== undefined),
  };
}

function readImport(entry: YamlValue): ChartDependency["importValues"][number] | undefined {
  if (typeof entry === "string") return entry;
  if (!isYamlMap(entry)) return undefined;
  return { child: printed(entry["child"]), parent: printed(entry["parent"]) };
}

/** Helm prints what it finds here; a part that is missing or null leads nowhere, as in Helm. */
function printed(value: YamlValue | undefined): string {
  return scalarText(value) ?? "<nil>";
}

function readText(section: Section, field: string): string | undefined {
  const value = fieldOf(section.map, field);
  if (value === undefined || value === null) return undefined;
  const text = scalarText(value);
  if (text === undefined) throw invalid(`${field} is not text`, whereOf(section, field));
  return text === "" ? undefined : sanitize(text);
}

function readList(section: Section, field: string): readonly YamlValue[] {
  const value = fieldOf(section.map, field) ?? null;
  if (value === null) return [];
  if (!Array.isArray(value)) throw invalid(`${field} is not a list`, whereOf(section, field));
  return value as readonly YamlValue[];
}

/** A scalar as sigs.k8s.io/yaml puts it into a string field: a float loses its trailing zeros. */
export function scalarText(value: YamlValue | undefined): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return String(value);
  if (typeof value !== "number") return undefined;
  return Number.isInteger(value) ? BigInt(value).toString() : formatGoFloat(value, 32);
}

/** Line ends become spaces and what cannot be printed goes, as in Helm. */
export function sanitize(text: string): string {
  return text.replace(/\s/gu, " ").replace(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, "");
}

/** The value of a field, whatever the case of its name; undefined where there is none. */
export function fieldOf(map: YamlMap, field: string): YamlValue | undefined {
  const key = keyOf(map, field);
  return key === undefined ? undefined : map[key];
}

/** The key that Go's encoding/json takes for a field: the exact one, else one that differs in case only. */
function keyOf(map: YamlMap, field: string): string | undefined {
  if (Object.hasOwn(map, field)) return field;
  return Object.keys(map).find((key) => key.toLowerCase() === field.toLowerCase());
}

function whereOf(section: Section, field: string): Where {
  return section.locate([...section.path, keyOf(section.map, field) ?? field]);
}

function invalid(message: string, where: Where): FairleadError {
  return new FairleadError("chart-invalid", message, { where });
}

function optional<Key extends string>(key: Key, value: string | undefined): { readonly [K in Key]?: string } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [K in Key]?: string });
}
