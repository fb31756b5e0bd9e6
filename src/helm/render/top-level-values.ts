import type { YamlMap } from "../../yaml/value.ts";
import type { ChartInstance, HelmVersion } from "../chart/chart.ts";
import type { GoType } from "../go/type.ts";
import { bytesOf, toBytes } from "../go/utf8.ts";
import { GoMap, intOf, untracked, type GoScalar, type GoValue } from "../go/value.ts";
import { createCapabilitiesObject } from "./capabilities-object.ts";
import { createChartObject } from "./chart-object.ts";
import { createFilesObject } from "./files-object.ts";
import { helmTypesOf } from "./go-types.ts";
import type { KubeVersion } from "./kube-version.ts";
import { createMark } from "./source-tracking.ts";
import { ValuesMap } from "./values-map.ts";
import { createValuesObject } from "./values-object.ts";

/** What `.Release` tells. */
export interface Release {
  readonly name: string;
  readonly namespace: string;
  readonly isUpgrade: boolean;
  readonly revision: number;
}

interface TopLevelOptions {
  readonly helm: HelmVersion;
  readonly tracking: boolean;
  readonly release: Release;
  readonly kubeVersion: KubeVersion;
  readonly apiVersions: readonly string[];
  readonly integers?: YamlMap | undefined;
}

/** A template with the values that it sees. */
export interface Renderable {
  /** As Helm names it: `shop/charts/redis/templates/web.yaml`. */
  readonly name: string;
  readonly text: string;
  /** The file that holds the text. */
  readonly data: Uint8Array;
  /** The template's dot. All templates of a chart have the same one. */
  readonly values: GoMap;
  /** `.Template.BasePath`. */
  readonly folder: string;
}

/**
 * The templates of a chart and its subcharts with what they see, by their names (pkg/engine/engine.go,
 * recAllTpls). Of a library chart there are only those whose name begins with `_`.
 * @param values what `resolveDependencies` gives as `renderValues`
 */
export function collectRenderables(
  root: ChartInstance,
  values: YamlMap,
  options: TopLevelOptions,
): ReadonlyMap<string, Renderable> {
  const collector = new Collector(options, root);
  collector.collect(root, createValuesObject(root, values, options));
  return collector.renderables;
}

class Collector {
  readonly renderables = new Map<string, Renderable>();
  readonly #options: TopLevelOptions;
  readonly #valuesType: GoType;
  readonly #release: GoMap;
  readonly #capabilities: GoValue;

  constructor(options: TopLevelOptions, root: ChartInstance) {
    this.#options = options;
    this.#valuesType = helmTypesOf(options.helm).values;
    const chart = root.chart.metadata.name;
    this.#release = createRelease(options.release, chart, options.tracking);
    this.#capabilities = createCapabilitiesObject({ ...options, chart });
  }

  /** Gives what the chart's templates see. */
  collect(instance: ChartInstance, values: GoMap): GoMap {
    const { helm, tracking } = this.#options;
    const folder = toBytes(instance.templateFolder);
    const subcharts = new GoMap();
    const top = new GoMap([
      ["Chart", createChartObject(instance, { helm, tracking })],
      ["Files", createFilesObject(instance.chart, { helm, tracking, folder: instance.templateFolder })],
      ["Release", this.#release],
      ["Capabilities", this.#capabilities],
      ["Values", values],
      ["Subcharts", subcharts],
    ]);
    const dot = new ValuesMap(top, this.#valuesType);
    for (const child of instance.children.filter(({ enabled }) => enabled)) {
      subcharts.entries.set(toBytes(child.name), this.collect(child, this.#valuesOf(values, child)));
    }
    const isLibrary = instance.chart.metadata.type.toLowerCase() === "library";
    for (const { name, data } of instance.chart.templates) {
      if (isLibrary && !isPartial(name)) continue;
      const fullName = `${folder}/${toBytes(name)}`;
      const text = bytesOf(data);
      this.renderables.set(fullName, {
        name: fullName,
        text,
        data,
        values: dot,
        folder: `${folder}/templates`,
      });
    }
    return top;
  }

  /** Helm takes a dot in a subchart's name for a step, and so finds nothing; the chart then has no values. */
  #valuesOf(parent: GoMap, child: ChartInstance): GoMap {
    let values: GoValue = parent;
    for (const key of child.name.split(".")) {
      const entry: GoValue = values instanceof GoMap ? (values.entries.get(toBytes(key)) ?? null) : null;
      values = untracked(entry);
    }
    return new ValuesMap(values instanceof GoMap ? values : new GoMap(), this.#valuesType);
  }
}

/** Whether a template is there to be included only. */
export function isPartial(name: string): boolean {
  return name.slice(name.lastIndexOf("/") + 1).startsWith("_");
}

function createRelease(release: Release, chart: string, tracking: boolean): GoMap {
  const mark = createMark(tracking);
  const entry = (name: string, value: GoScalar): [string, GoValue] => [
    name,
    mark(value, () => ({ kind: "metadata", chart, field: `Release.${name}` })),
  ];
  return new GoMap([
    entry("Name", toBytes(release.name)),
    entry("Namespace", toBytes(release.namespace)),
    entry("IsUpgrade", release.isUpgrade),
    entry("IsInstall", !release.isUpgrade),
    entry("Revision", intOf(release.revision)),
    entry("Service", "Helm"),
  ]);
}
