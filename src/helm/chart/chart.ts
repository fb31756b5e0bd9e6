import type { YamlMap } from "../../yaml/value.ts";

/** A file of a chart; `name` is relative to the chart's root with forward slashes. */
export interface ChartFile {
  readonly name: string;
  readonly data: Uint8Array;
}

/** An entry of `dependencies` in Chart.yaml (v2) or requirements.yaml (v1). */
export interface ChartDependency {
  readonly name: string;
  readonly version?: string;
  readonly repository?: string;
  readonly alias?: string;
  readonly condition?: string;
  readonly tags: readonly string[];
  /** `import-values`: a name under `exports`, or a child and parent path. */
  readonly importValues: readonly (string | { readonly child: string; readonly parent: string })[];
}

export interface ChartMetadata {
  readonly apiVersion: "v1" | "v2";
  readonly name: string;
  readonly version: string;
  readonly appVersion?: string;
  readonly type: "application" | "library";
  readonly kubeVersion?: string;
  readonly description?: string;
  readonly dependencies: readonly ChartDependency[];
  /** Chart.yaml as it was read, for what is not named above. */
  readonly raw: YamlMap;
}

/** A chart as it was loaded, before conditions, tags and aliases. */
export interface Chart {
  readonly metadata: ChartMetadata;
  /** Where it was found, for messages: `charts/shop` or `charts/shop/charts/redis-1.2.3.tgz`. */
  readonly location: string;
  /** The chart's own defaults; an empty map where it has no values.yaml. */
  readonly values: YamlMap;
  readonly schema?: Uint8Array;
  readonly templates: readonly ChartFile[];
  /** Every other file that `.Files` sees. */
  readonly files: readonly ChartFile[];
  /** Every file as loaded, Chart.yaml and values.yaml included, subcharts excluded. */
  readonly raw: readonly ChartFile[];
  /** What `charts/` holds, at any depth. */
  readonly subcharts: readonly Chart[];
}

/** Which Helm's behaviour is meant where the two differ: 3.22 or 4.3. */
export type HelmVersion = "helm3" | "helm4";

/** A dependency that is switched on, as `.Chart.Dependencies` shows it. */
export interface EnabledDependency {
  /** The alias where one is given. */
  readonly name: string;
  readonly source: ChartDependency;
}

/** A chart in its place in the tree: one chart under two aliases is two instances. */
export interface ChartInstance {
  readonly chart: Chart;
  /** The alias where one is given, else the chart's name: the key of its values in its parent. */
  readonly name: string;
  /** Keys from the root's values to this chart's values; empty for the root. */
  readonly path: readonly string[];
  /** The beginning of Helm's names for its templates, such as `shop/charts/redis`. */
  readonly templateFolder: string;
  readonly dependencies: readonly EnabledDependency[];
  readonly enabled: boolean;
  /** What switches it off, such as `condition redis.enabled`. */
  readonly disabledBy?: string;
  readonly children: readonly ChartInstance[];
}
