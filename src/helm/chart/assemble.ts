import type { Diagnostic } from "../../core/diagnostic.ts";
import { FairleadError, type ErrorCode } from "../../core/error.ts";
import { loadYaml } from "../../yaml/load.ts";
import { createLocator } from "../../yaml/locate.ts";
import { formatValuePath } from "../../yaml/value-path.ts";
import { createYamlMap, isYamlMap, type YamlMap, type YamlValue } from "../../yaml/value.ts";
import { isGzip, readArchive } from "./archive.ts";
import type { Budget } from "./budget.ts";
import type { Chart, ChartFile, ChartMetadata } from "./chart.ts";
import { parseMetadata, parseRequirements, type LocatePath } from "./metadata.ts";
import { decodeText, stripByteOrderMark } from "./text.ts";

/** The files that have a meaning of their own. */
export const chartFileNames = {
  metadata: "Chart.yaml",
  requirements: "requirements.yaml",
  values: "values.yaml",
  schema: "values.schema.json",
  locks: ["Chart.lock", "requirements.lock"] as readonly string[],
} as const;

/** No real chart nests as deep; it keeps recursion bounded. */
const maxDepth = 64;

interface AssembleContext {
  readonly budget: Budget;
  /** Receives what is odd but no error. */
  readonly diagnostics: Diagnostic[];
}

/**
 * Builds a chart from its files (Helm 3.22, pkg/chart/loader/load.go).
 * @param location where the chart was found, the beginning of its files' names in messages
 * @throws FairleadError `chart-invalid`, `values-invalid`
 */
export async function assembleChart(
  loaded: readonly ChartFile[],
  location: string,
  context: AssembleContext,
  depth = 0,
): Promise<Chart> {
  if (depth > maxDepth) {
    throw new FairleadError("chart-invalid", `charts nest deeper than ${maxDepth} levels`, {
      where: { file: location },
    });
  }
  context.budget.check();
  const files = loaded.map(({ name, data }) => ({ name, data: stripByteOrderMark(data) }));
  const raw = files.filter(({ name }) => !isInCharts(name));
  const metadata = readMetadata(raw, location, context);
  for (const name of chartFileNames.locks) readYaml(raw, name, location, "chart-invalid", context);
  const schema = findFile(raw, chartFileNames.schema);
  return {
    metadata,
    location,
    values: readValues(raw, location, context),
    ...(schema === undefined ? {} : { schema: schema.data }),
    templates: raw.filter(({ name }) => name.startsWith("templates/")),
    files: raw.filter((file) => isPlainFile(file, metadata)),
    raw,
    subcharts: await assembleSubcharts(
      files.filter(({ name }) => isInCharts(name)),
      location,
      context,
      depth,
    ),
  };
}

/** Signatures of packed subcharts lie beside them and are files of the chart. */
function isInCharts(name: string): boolean {
  return name.startsWith("charts/") && !name.endsWith(".prov");
}

/** What templates reach through `.Files`; requirements belong to it in a v1 chart only. */
function isPlainFile({ name }: ChartFile, { apiVersion }: ChartMetadata): boolean {
  const { metadata, requirements, values, schema, locks } = chartFileNames;
  if (name === requirements || name === "requirements.lock") return apiVersion === "v1";
  return (
    ![metadata, values, schema].includes(name as typeof metadata) &&
    !locks.includes(name) &&
    !name.startsWith("templates/")
  );
}

async function assembleSubcharts(
  files: readonly ChartFile[],
  location: string,
  context: AssembleContext,
  depth: number,
): Promise<Chart[]> {
  const groups = new Map<string, ChartFile[]>();
  for (const file of files) {
    const name = file.name.slice("charts/".length);
    const [entry = ""] = name.split("/", 1);
    if (/^[_.]/u.test(entry)) continue;
    const group = groups.get(entry) ?? [];
    groups.set(entry, group);
    group.push({ name, data: file.data });
  }
  const charts: Chart[] = [];
  for (const entry of [...groups.keys()].sort()) {
    const group = groups.get(entry) ?? [];
    const place = `${location}/charts/${entry}`;
    const contents = await readSubchart(group, entry, place, context.budget);
    charts.push(await assembleChart(contents, place, context, depth + 1));
  }
  return charts;
}

async function readSubchart(
  group: readonly ChartFile[],
  entry: string,
  place: string,
  budget: Budget,
): Promise<ChartFile[]> {
  const [first] = group;
  if (entry.endsWith(".tgz")) {
    if (first?.name === entry && isGzip(first.data)) return readArchive(first.data, place, budget);
    throw new FairleadError("chart-invalid", "the packed subchart is not a gzipped archive", {
      where: { file: place },
    });
  }
  return group.flatMap(({ name, data }) =>
    name.includes("/") ? [{ name: name.slice(name.indexOf("/") + 1), data }] : [],
  );
}

function readMetadata(
  files: readonly ChartFile[],
  location: string,
  context: AssembleContext,
): ChartMetadata {
  const read = readYaml(files, chartFileNames.metadata, location, "chart-invalid", context);
  if (read === undefined) {
    throw new FairleadError("chart-invalid", "Chart.yaml is missing", { where: { file: location } });
  }
  const metadata = parseMetadata(read.value, read.locate);
  const requirements = readYaml(files, chartFileNames.requirements, location, "chart-invalid", context);
  const dependencies =
    requirements === undefined ? undefined : parseRequirements(requirements.value, requirements.locate);
  return dependencies === undefined ? metadata : { ...metadata, dependencies };
}

function readValues(files: readonly ChartFile[], location: string, context: AssembleContext): YamlMap {
  const read = readYaml(files, chartFileNames.values, location, "values-invalid", context);
  if (read === undefined || read.value === null) return createYamlMap();
  if (isYamlMap(read.value)) return read.value;
  throw new FairleadError("values-invalid", "values.yaml is not a map", { where: read.locate([]) });
}

interface ReadYaml {
  readonly value: YamlValue;
  readonly locate: LocatePath;
}

function readYaml(
  files: readonly ChartFile[],
  name: string,
  location: string,
  code: ErrorCode,
  context: AssembleContext,
): ReadYaml | undefined {
  const found = findFile(files, name);
  if (found === undefined) return undefined;
  const file = `${location}/${name}`;
  const text = decodeText(found.data, file, code);
  const { value, duplicates } = loadYaml(text, { file, code });
  for (const { path, line, column } of duplicates) {
    context.diagnostics.push({
      code: "duplicate-key",
      severity: "warning",
      message: `the key ${JSON.stringify(path.at(-1) ?? "")} stands twice; the last one counts`,
      where: { file, line, column, valuePath: formatValuePath(path) },
      unsupported: true,
    });
  }
  return { value, locate: (path) => ({ file, ...createLocator(text)(path) }) };
}

function findFile(files: readonly ChartFile[], name: string): ChartFile | undefined {
  return files.find((file) => file.name === name);
}
