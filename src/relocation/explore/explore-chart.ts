import type { ChartInstance } from "../../helm/chart/chart.ts";
import type { Origin } from "../../helm/provenance/span.ts";
import type { YamlMap } from "../../yaml/value.ts";
import { tracedSites } from "../discover/traced-sites.ts";
import type { ImageSite } from "../discover/image-site.ts";
import type { Manifest } from "../rendering/manifest.ts";
import { findRenderedImages } from "../rendering/rendered-image.ts";
import { manifestsOf, type ChartRendering } from "../verify/verification.ts";
import { explore } from "./explore.ts";
import { findSwitches, type Switch } from "./switches.ts";

/** A rendering that tells which conditions kept parts of the chart out. */
export type ExplorableRendering = ChartRendering & { readonly emptyConditions?: readonly Origin[] };

/** Renders a chart with more values, to see what else is in it. */
export interface ChartExplorer {
  /** @param override the override as YAML, below the values; default: none, and the rendering is traced */
  renderWith(values: YamlMap, override?: string): Promise<ExplorableRendering>;
}

export interface ExploreChartInput {
  readonly explorer: ChartExplorer;
  readonly root: ChartInstance;
  /** With the values of the subcharts that are off. */
  readonly values: YamlMap;
  /** The chart as it is. */
  readonly start: ExplorableRendering;
  readonly isKnownHost: (host: string) => boolean;
  /** How many renderings it may take. */
  readonly limit: number;
}

/** A chart with some of its switches on, which shows images that it does not show as it is. */
export interface ExploredState {
  readonly values: YamlMap;
  readonly manifests: readonly Manifest[];
}

export interface ExploredChart {
  /** The fewest states that show all images that were found. */
  readonly states: readonly ExploredState[];
  /** The leaves of the images that only these states show. */
  readonly sites: readonly ImageSite[];
  /** Switches that could not be turned on, alone or with others, or for which the limit left no time. */
  readonly left: readonly Switch[];
}

/** Turns on what the chart keeps off, and finds the images that appear then. */
export async function exploreChart(input: ExploreChartInput): Promise<ExploredChart> {
  const { root, values, start, isKnownHost } = input;
  if (!start.ok) return { states: [], sites: [], left: [] };
  const seen = new Set(textsOf(manifestsOf(start), isKnownHost));
  const switchesOf = ({ emptyConditions = [] }: ExplorableRendering): Switch[] =>
    findSwitches(
      root,
      values,
      emptyConditions.flatMap((origin) => (origin.kind === "value" ? [origin.path] : [])),
    );
  const { explored, left } = await explore<Extract<ExplorableRendering, { ok: true }>>({
    switches: switchesOf(start),
    render: async (changes) => {
      const rendering = await input.explorer.renderWith(changes);
      return rendering.ok ? rendering : undefined;
    },
    switchesOf,
    limit: input.limit,
  });
  const states: ExploredState[] = [];
  const sites = new Map<string, ImageSite>();
  // What was turned on last has the most in it.
  for (const { values: changes, rendering } of explored.toReversed()) {
    const manifests = manifestsOf(rendering);
    const fresh = new Set(textsOf(manifests, isKnownHost).filter((text) => !seen.has(text)));
    if (fresh.size === 0) continue;
    states.push({ values: changes, manifests });
    for (const site of tracedSites(manifests, values, isKnownHost)) {
      if (fresh.has(site.text)) sites.set(keyOf(site), { ...site, enabled: false });
    }
    for (const text of fresh) seen.add(text);
  }
  return { states, sites: [...sites.values()], left };
}

function textsOf(manifests: readonly Manifest[], isKnownHost: (host: string) => boolean): string[] {
  return manifests.flatMap((manifest) => findRenderedImages(manifest, isKnownHost).map(({ text }) => text));
}

function keyOf(site: ImageSite): string {
  return JSON.stringify([site.text, site.name.map(({ path }) => path)]);
}
