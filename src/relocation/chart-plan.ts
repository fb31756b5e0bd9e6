import type { Diagnostic } from "../core/diagnostic.ts";
import { FairleadError } from "../core/error.ts";
import type { Chart, ChartInstance } from "../helm/chart/chart.ts";
import { resolveDependencies } from "../helm/chart/dependencies.ts";
import type { ImageReference } from "../reference/reference.ts";
import { registryIdentity } from "../reference/registry-host.ts";
import { createYamlMap, type YamlMap } from "../yaml/value.ts";
import { formatValuePath, getAt } from "../yaml/value-path.ts";
import { discoveryDiagnostics, withLocation } from "./discover/diagnostics.ts";
import { discoverImages, type Discovery } from "./discover/discover.ts";
import { joinSites, tracedSites } from "./discover/traced-sites.ts";
import type { ImageSite } from "./discover/image-site.ts";
import type { LeafRule } from "./moved-images.ts";
import { isPublicRegistry } from "./discover/public-registries.ts";
import { planMoves, type Plan } from "./plan.ts";
import type { Manifest } from "./rendering/manifest.ts";
import { isSelected } from "./registry-selection.ts";
import type { RelocationSettings, Relocator } from "./relocator.ts";
import { findCollisions, repositoryIdentity } from "./repository-identity.ts";

export interface ChartPlanInput {
  readonly chart: Chart;
  /** What loading the chart had to say. */
  readonly chartDiagnostics: readonly Diagnostic[];
  /** The user's values merged as Helm merges them; context, never copied into the override. */
  readonly userValues: YamlMap;
  readonly settings: RelocationSettings;
  /** Whether the user's configuration names a value path as an image; default: none. */
  readonly isNamedImage?: (valuePath: string) => boolean;
}

/** A chart's images, found and planned, before anything is rendered. */
export interface ChartPlan {
  readonly values: YamlMap;
  readonly root: ChartInstance;
  readonly discovery: Discovery;
  readonly plan: Plan;
  /** What of the values an override cannot set, whatever for. */
  readonly isFixed: LeafRule;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Finds a chart's images and plans their moves.
 * @param rendered the chart's objects with what they come from; default: none, and the values tell alone
 * @param exploredSites those of the images that show only with more switched on; default: none
 * @throws FairleadError `dependency-missing`.
 */
export function planChart(
  input: ChartPlanInput,
  relocator: Relocator,
  rendered: readonly Manifest[] = [],
  exploredSites: readonly ImageSite[] = [],
): ChartPlan {
  const { root, values, diagnostics } = resolveDependencies(input.chart, input.userValues);
  const isKnownHost = knownHostsOf(input.settings);
  const discovery = discoverImages({
    values,
    root,
    isKnownHost,
    ...(input.isNamedImage === undefined ? {} : { isNamedImage: input.isNamedImage }),
  });
  const traced = joinSites(tracedSites(rendered, values, isKnownHost), exploredSites);
  const read = new Set(traced.flatMap(({ name }) => name.map(({ path }) => formatValuePath(path))));
  const sites = joinSites(traced, discovery.sites);
  const isFixed = userListRule(input, values);
  const plan = planMoves(sites, relocator, isFixed);
  return {
    values,
    root,
    discovery,
    plan,
    isFixed,
    diagnostics: [
      ...input.chartDiagnostics,
      ...diagnostics,
      ...discoveryDiagnostics(discovery, root).map((finding) => settle(finding, read)),
      ...plan.diagnostics.map((finding) => withLocation(finding, root)),
    ],
  };
}

/** Says of template code in a value that the rendering has read it, where it has; it stays unsupported. */
function settle(finding: Diagnostic, read: ReadonlySet<string>): Diagnostic {
  if (finding.code !== "template-in-value" || !read.has(finding.where.valuePath ?? "")) return finding;
  const { hint: _, ...others } = finding;
  return {
    ...others,
    message: "the value holds template code; only the rendering tells which image it makes",
  };
}

/** Registries that a text can be told by; with the target's, so that a moved image is still seen as one. */
export function knownHostsOf({ sources, target, perSource }: RelocationSettings): (host: string) => boolean {
  const targets = [target, ...[...perSource.values()].flatMap((rule) => rule.target ?? [])];
  const own = new Set(targets.map(({ host }) => registryIdentity(host)));
  return (host) => {
    const identity = registryIdentity(host);
    return (
      isPublicRegistry(identity) || own.has(identity) || (sources !== "all" && isSelected(host, sources))
    );
  };
}

/**
 * Helm replaces lists whole, so an override of an image in a list carries the list. A list that comes from
 * the user's own values would be copied out of them, which an override must not do.
 */
function userListRule(input: ChartPlanInput, values: YamlMap): LeafRule {
  if (Object.keys(input.userValues).length === 0) return () => undefined;
  let defaults: YamlMap | undefined;
  return (path) => {
    const index = path.findIndex((key) => typeof key === "number");
    if (index === -1) return undefined;
    defaults ??= resolveDependencies(input.chart, createYamlMap()).values;
    const list = path.slice(0, index);
    if (JSON.stringify(getAt(defaults, list)) === JSON.stringify(getAt(values, list))) return undefined;
    return "it stands in a list of your own values, which an override would have to copy: change it there";
  };
}

/** The planned places of the images of each repository, for renderings that spell them otherwise. */
export function plannedTargets(plan: Plan): (reference: ImageReference) => readonly ImageReference[] {
  const targets = new Map<string, ImageReference[]>();
  for (const { site, relocation, obstacle } of plan.images) {
    if (relocation === undefined || obstacle !== undefined) continue;
    const key = repositoryIdentity(site.reference);
    targets.set(key, [...(targets.get(key) ?? []), relocation.reference]);
  }
  return (reference) => targets.get(repositoryIdentity(reference)) ?? [];
}

/** An image and where it goes. */
export interface Move {
  readonly source: ImageReference;
  readonly target: ImageReference;
}

/** The images of a plan that go somewhere. */
export function plannedMoves(plan: Plan): Move[] {
  return plan.images.flatMap(({ site, relocation }) =>
    relocation === undefined ? [] : [{ source: site.reference, target: relocation.reference }],
  );
}

/**
 * Refuses moves that would give two sources one name at the target.
 * @throws FairleadError `target-collision`, naming the sources.
 */
export function refuseCollisions(moves: readonly Move[]): void {
  const collisions = findCollisions(moves);
  if (collisions.length === 0) return;
  const lines = collisions.map(({ target, sources }) => `${sources.join(" and ")} would both be ${target}`);
  throw new FairleadError("target-collision", lines.join("; "), {
    hint: "choose another --path-strategy, or give one of the registries a target of its own in --config",
  });
}
