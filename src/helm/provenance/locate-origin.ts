import type { Where } from "../../core/error.ts";
import type { ValuePath } from "../../yaml/value-path.ts";
import type { Chart, ChartFile, ChartInstance } from "../chart/chart.ts";
import { locateMetadata, locateValue } from "../chart/origin.ts";
import { bytesOf, fromBytes } from "../go/utf8.ts";
import type { Origin } from "./span.ts";

/**
 * Where an origin is written: file and line of the chart's own files, the path in the root's values.
 * @param root the chart that was rendered
 * @param offset where the text of interest begins in the origin's own, {@link Span.offset}; default: 0
 */
export function locateOrigin(root: ChartInstance, origin: Origin, offset: number = 0): Where {
  switch (origin.kind) {
    case "value":
      return locateValue(root, origin.path);
    case "template":
      return locateIn(findTemplate(root, origin.file), origin.file, origin.offset + offset);
    case "file":
      return locateIn(
        findFile(root, origin.file, ({ files }) => files),
        origin.file,
        offset,
      );
    case "metadata":
      return locateField(root, origin.chart, origin.field);
    default:
      return {};
  }
}

/** The file of a template that Helm names `shop/charts/redis/templates/web.yaml`, from where the chart was found. */
export function templateFileOf(root: ChartInstance, name: string): string | undefined {
  return findTemplate(root, name)?.file;
}

interface FoundFile {
  readonly file: string;
  readonly data: Uint8Array;
}

function findTemplate(root: ChartInstance, name: string): FoundFile | undefined {
  return findFile(root, name, ({ templates }) => templates);
}

function findFile(
  instance: ChartInstance,
  name: string,
  filesOf: (chart: Chart) => readonly ChartFile[],
): FoundFile | undefined {
  for (const child of instance.children) {
    const isBelow = name.startsWith(`${child.templateFolder}/`);
    const found = isBelow ? findFile(child, name, filesOf) : undefined;
    if (found !== undefined) return found;
  }
  const folder = `${instance.templateFolder}/`;
  if (!name.startsWith(folder)) return undefined;
  const file = filesOf(instance.chart).find((candidate) => candidate.name === name.slice(folder.length));
  return file && { file: `${instance.chart.location}/${file.name}`, data: file.data };
}

function locateIn(found: FoundFile | undefined, name: string, offset: number): Where {
  if (found === undefined) return { file: name };
  const before = bytesOf(found.data.subarray(0, offset));
  const lineStart = before.lastIndexOf("\n") + 1;
  return {
    file: found.file,
    line: before.split("\n").length,
    column: fromBytes(before.slice(lineStart)).length + 1,
  };
}

/** Fields of the release and of the capabilities stand in no file. */
function locateField(root: ChartInstance, folder: string, field: string): Where {
  const instance = findInstance(root, folder);
  if (!field.startsWith("Chart.") || instance === undefined) return {};
  return locateMetadata(instance.chart, keyOfField(field.slice("Chart.".length)));
}

/** The key in Chart.yaml of a field such as `AppVersion`, `Annotations.licences` or `Maintainers.Name`. */
function keyOfField(field: string): ValuePath {
  if (field === "APIVersion") return ["apiVersion"];
  const dot = field.indexOf(".");
  const name = dot === -1 ? field : field.slice(0, dot);
  const key = name.charAt(0).toLowerCase() + name.slice(1);
  return name === "Annotations" && dot !== -1 ? [key, field.slice(dot + 1)] : [key];
}

function findInstance(instance: ChartInstance, folder: string): ChartInstance | undefined {
  if (instance.templateFolder === folder) return instance;
  for (const child of instance.children) {
    const found = findInstance(child, folder);
    if (found !== undefined) return found;
  }
  return undefined;
}
