import { assembleChart } from "../../src/helm/chart/assemble.ts";
import { createBudget } from "../../src/helm/chart/budget.ts";
import type { Chart } from "../../src/helm/chart/chart.ts";
import { resolveDependencies } from "../../src/helm/chart/dependencies.ts";
import { registryIdentity } from "../../src/reference/registry-host.ts";
import { discoverImages, type Discovery } from "../../src/relocation/discover/discover.ts";
import type { ImageSite } from "../../src/relocation/discover/image-site.ts";
import { isPublicRegistry } from "../../src/relocation/discover/public-registries.ts";
import { createRelocator, type RelocationSettings, type Relocator } from "../../src/relocation/relocator.ts";
import { parseTargetRegistry } from "../../src/relocation/target-registry.ts";
import { loadYamlMap } from "../../src/yaml/load.ts";
import type { YamlMap } from "../../src/yaml/value.ts";
import { formatValuePath } from "../../src/yaml/value-path.ts";
import { chartYaml } from "./chart-files.ts";

/** A chart called `app` in memory, from the names and texts of its files; Chart.yaml may be left out. */
export async function chartOf(files: Readonly<Record<string, string>>): Promise<Chart> {
  const all = { "Chart.yaml": chartYaml("app"), ...files };
  const loaded = Object.entries(all).map(([name, text]) => ({ name, data: new TextEncoder().encode(text) }));
  return assembleChart(loaded, "app", { budget: createBudget(), diagnostics: [] });
}

export function isKnownHost(host: string): boolean {
  return isPublicRegistry(registryIdentity(host));
}

export interface DiscoverOptions {
  readonly files?: Readonly<Record<string, string>>;
  readonly isNamedImage?: (valuePath: string) => boolean;
}

/** What is found in the values of a chart without templates. */
export async function discoverIn(
  values: string,
  { files = {}, ...options }: DiscoverOptions = {},
): Promise<Discovery> {
  const chart = await chartOf({ ...files, "values.yaml": values });
  const { root, values: coalesced } = resolveDependencies(chart, {});
  return discoverImages({ values: coalesced, root, isKnownHost, ...options });
}

/** A site as `text <- leaf + leaf`. */
export function describeSite({ text, name }: ImageSite): string {
  return `${text} <- ${name.map(({ path }) => formatValuePath(path)).join(" + ")}`;
}

/** Settings that move every image to a target, `registry.lan` unless told. */
export function settingsFor(
  target: string = "registry.lan",
  changes: Partial<RelocationSettings> = {},
): RelocationSettings {
  return {
    target: parseTargetRegistry(target),
    sources: "all",
    excluded: [],
    strategy: "prefix-source-registry",
    library: "table",
    perSource: new Map(),
    ...changes,
  };
}

export function relocatorFor(target?: string, changes?: Partial<RelocationSettings>): Relocator {
  return createRelocator(settingsFor(target, changes));
}

export function yamlMap(text: string): YamlMap {
  return loadYamlMap(text).value;
}
