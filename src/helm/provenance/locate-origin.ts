import type { Where } from "../../core/error.ts";
import type { ChartFile, ChartInstance } from "../chart/chart.ts";
import { locateValue } from "../chart/origin.ts";
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
      return locateInTemplate(root, origin.file, origin.offset + offset);
    case "file":
      return { file: origin.file };
    case "metadata":
      return locateMetadata(root, origin.chart, origin.field);
    default:
      return {};
  }
}

/** The file of a template that Helm names `shop/charts/redis/templates/web.yaml`, from where the chart was found. */
export function templateFileOf(root: ChartInstance, name: string): string | undefined {
  return findTemplate(root, name)?.file;
}

interface FoundTemplate {
  readonly file: string;
  readonly template: ChartFile;
}

function findTemplate(instance: ChartInstance, name: string): FoundTemplate | undefined {
  for (const child of instance.children) {
    const found = name.startsWith(`${child.templateFolder}/`) ? findTemplate(child, name) : undefined;
    if (found !== undefined) return found;
  }
  const folder = `${instance.templateFolder}/`;
  if (!name.startsWith(folder)) return undefined;
  const template = instance.chart.templates.find((file) => file.name === name.slice(folder.length));
  return template && { file: `${instance.chart.location}/${template.name}`, template };
}

function locateInTemplate(root: ChartInstance, name: string, offset: number): Where {
  const found = findTemplate(root, name);
  if (found === undefined) return { file: name };
  const before = bytesOf(found.template.data).slice(0, offset);
  const lineStart = before.lastIndexOf("\n") + 1;
  return {
    file: found.file,
    line: before.split("\n").length,
    column: fromBytes(before.slice(lineStart)).length + 1,
  };
}

function locateMetadata(root: ChartInstance, chart: string, field: string): Where {
  const instance = findInstance(root, chart);
  return field.startsWith("Chart.") && instance !== undefined
    ? { file: `${instance.chart.location}/Chart.yaml` }
    : {};
}

function findInstance(instance: ChartInstance, folder: string): ChartInstance | undefined {
  if (instance.templateFolder === folder) return instance;
  for (const child of instance.children) {
    const found = findInstance(child, folder);
    if (found !== undefined) return found;
  }
  return undefined;
}
