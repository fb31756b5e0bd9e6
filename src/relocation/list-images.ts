import type { Diagnostic } from "../core/diagnostic.ts";
import type { Where } from "../core/error.ts";
import { resolveDependencies } from "../helm/chart/dependencies.ts";
import type { LoadedChart } from "../helm/chart/load.ts";
import { locateValue } from "../helm/chart/origin.ts";
import { toImageSpec, type ImageSpec } from "../reference/image-spec.ts";
import { registryIdentity } from "../reference/registry-host.ts";
import type { YamlMap } from "../yaml/value.ts";
import { discoveryDiagnostics } from "./discover/diagnostics.ts";
import { discoverImages } from "./discover/discover.ts";
import type { ImageSite } from "./discover/image-site.ts";
import { isPublicRegistry } from "./discover/public-registries.ts";

/** An image of a chart's values: each reference text is one, wherever it stands. */
export interface ListedImage {
  readonly source: string;
  readonly spec: ImageSpec;
  readonly values: readonly Where[];
  /** False where it belongs to a subchart that is switched off. */
  readonly enabled: boolean;
}

export interface ChartImages {
  readonly chart: { readonly name: string; readonly version: string; readonly path: string };
  readonly images: readonly ListedImage[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Finds the images in a chart's values without planning to move them.
 * @throws FairleadError `dependency-missing`.
 */
export function listImages({ chart, diagnostics }: LoadedChart, userValues: YamlMap): ChartImages {
  const resolved = resolveDependencies(chart, userValues);
  const discovery = discoverImages({
    values: resolved.values,
    root: resolved.root,
    isKnownHost: (host) => isPublicRegistry(registryIdentity(host)),
  });
  const sites = new Map<string, ImageSite[]>();
  for (const site of discovery.sites) sites.set(site.text, [...(sites.get(site.text) ?? []), site]);
  const { metadata, location } = chart;
  return {
    chart: { name: metadata.name, version: metadata.version, path: location },
    images: [...sites].flatMap(([source, group]) => {
      const [first] = group;
      if (first === undefined) return [];
      return {
        source,
        spec: toImageSpec(first.reference),
        values: group.map(({ path }) => locateValue(resolved.root, path)),
        enabled: group.some(({ enabled }) => enabled),
      };
    }),
    diagnostics: [...diagnostics, ...resolved.diagnostics, ...discoveryDiagnostics(discovery, resolved.root)],
  };
}
