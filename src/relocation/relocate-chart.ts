import type { Diagnostic } from "../core/diagnostic.ts";
import { FairleadError } from "../core/error.ts";
import type { Redactor } from "../core/redaction.ts";
import type { Chart, ChartInstance } from "../helm/chart/chart.ts";
import { resolveDependencies } from "../helm/chart/dependencies.ts";
import { mergeMaps } from "../helm/values/merge.ts";
import type { ImageReference } from "../reference/reference.ts";
import { registryIdentity } from "../reference/registry-host.ts";
import { dumpYaml } from "../yaml/dump.ts";
import { loadYamlMap } from "../yaml/load.ts";
import { createYamlMap, type YamlMap } from "../yaml/value.ts";
import { getAt, type ValuePath } from "../yaml/value-path.ts";
import { discoveryDiagnostics, withLocation } from "./discover/diagnostics.ts";
import { discoverImages, type Discovery } from "./discover/discover.ts";
import { isPublicRegistry } from "./discover/public-registries.ts";
import { findingsOf } from "./finding.ts";
import { buildOverride } from "./override.ts";
import { planMoves, type Plan } from "./plan.ts";
import { isSelected } from "./registry-selection.ts";
import { createRelocator, type RelocationSettings, type Relocator } from "./relocator.ts";
import { findCollisions, repositoryIdentity } from "./repository-identity.ts";
import type { ChartResult } from "./result.ts";
import { findSideSettings } from "./side-settings.ts";
import { formatTargetRegistry } from "./target-registry.ts";
import { requiredProjects } from "./targets/targets.ts";
import { countedImages, judge } from "./verdict.ts";
import { differencesOf } from "./verify/difference.ts";
import type { Replacement } from "./verify/explain-change.ts";
import {
  verifyOverride,
  type ChartRenderer,
  type Verification,
  type VerificationInput,
} from "./verify/verification.ts";

export interface RelocateChartInput {
  readonly chart: Chart;
  /** What loading the chart had to say. */
  readonly chartDiagnostics: readonly Diagnostic[];
  /** The user's values merged as Helm merges them; context, never copied into the override. */
  readonly userValues: YamlMap;
  readonly settings: RelocationSettings;
  /** Whether the user's configuration names a value path as an image; default: none. */
  readonly isNamedImage?: (valuePath: string) => boolean;
  /** Percent; default 100. */
  readonly threshold?: number;
  /** Leaves the images of `helm test` pods out of scope; takes a rendering to tell. Default: false. */
  readonly excludeTests?: boolean;
  /** Takes what must not be told out of rendered texts that a message quotes. Default: nothing. */
  readonly redact?: Redactor;
  /** Proves the override; without it nothing is rendered. */
  readonly renderer?: ChartRenderer | undefined;
}

export interface RelocatedChart {
  readonly result: ChartResult;
  /** The override as values. */
  readonly override: YamlMap;
}

/** A chart's images, found and planned, before anything is rendered. */
export interface ChartPlan {
  readonly values: YamlMap;
  readonly root: ChartInstance;
  readonly discovery: Discovery;
  readonly plan: Plan;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * The main flow (document 002, §6.1): finds a chart's images, plans their moves, writes the smallest
 * override, and proves it where a renderer is given.
 * @throws FairleadError `dependency-missing`, `target-collision`, `render-failed` when the chart does not
 *   render without the override, and what the renderer throws.
 */
export async function relocateChart(input: RelocateChartInput): Promise<RelocatedChart> {
  const relocator = createRelocator(input.settings);
  const planned = planChart(input, relocator);
  refuseCollisions(planned.plan);
  const side =
    planned.plan.edits.length === 0
      ? { entries: [], diagnostics: [] }
      : findSideSettings(planned.root, planned.values);
  const override = buildOverride(planned.values, [...planned.plan.edits, ...side.entries]);
  const text = dumpYaml(override);
  const verification =
    input.renderer === undefined
      ? undefined
      : await verifyOverride({
          ...verificationOf(input, planned, relocator),
          renderer: input.renderer,
          override: text,
          replacements: planned.plan.edits,
        });
  const diagnostics = [...planned.diagnostics, ...side.diagnostics];
  return { override, result: resultOf(input, planned, verification, text, diagnostics) };
}

export interface VerifyChartInput extends RelocateChartInput {
  readonly renderer: ChartRenderer;
  /** The override to prove, as YAML. */
  readonly override: string;
  /** Its name, for messages. */
  readonly overrideFile?: string;
}

/**
 * Proves an override that is there already (document 002, §7).
 * @throws FairleadError `input-invalid` for an override that is no map, and what {@link relocateChart} throws.
 */
export async function verifyChart(input: VerifyChartInput): Promise<ChartResult> {
  const { overrideFile: file } = input;
  const source = { code: "input-invalid", ...(file === undefined ? {} : { file }) } as const;
  const override = loadYamlMap(input.override, source).value;
  const relocator = createRelocator(input.settings);
  const planned = planChart(input, relocator);
  const verification = await verifyOverride({
    ...verificationOf(input, planned, relocator),
    renderer: input.renderer,
    override: input.override,
    replacements: replacementsOf(planned.values, override),
  });
  return resultOf(input, planned, verification, input.override, planned.diagnostics);
}

function verificationOf(
  input: RelocateChartInput,
  { plan }: ChartPlan,
  relocator: Relocator,
): Omit<VerificationInput, "renderer" | "override" | "replacements"> {
  return {
    relocator,
    isKnownHost: knownHostsOf(input.settings),
    plannedFor: plannedTargets(plan),
    excludeTests: input.excludeTests ?? false,
    redact: input.redact ?? ((text) => text),
  };
}

/** The texts that an override changes. */
function replacementsOf(before: YamlMap, override: YamlMap): Replacement[] {
  return differencesOf(before, mergeMaps(before, override)).flatMap(({ before: from, after: to }) =>
    typeof from === "string" && typeof to === "string" ? [{ from, to }] : [],
  );
}

/**
 * Finds the images in a chart's values and plans their moves, without rendering.
 * @throws FairleadError `dependency-missing`.
 */
export function planChart(input: RelocateChartInput, relocator: Relocator): ChartPlan {
  const { root, values, diagnostics } = resolveDependencies(input.chart, input.userValues);
  const discovery = discoverImages({
    values,
    root,
    isKnownHost: knownHostsOf(input.settings),
    ...(input.isNamedImage === undefined ? {} : { isNamedImage: input.isNamedImage }),
  });
  const plan = planMoves(discovery.sites, relocator, userListRule(input, values));
  return {
    values,
    root,
    discovery,
    plan,
    diagnostics: [
      ...input.chartDiagnostics,
      ...diagnostics,
      ...discoveryDiagnostics(discovery, root),
      ...plan.diagnostics.map((finding) => withLocation(finding, root)),
    ],
  };
}

/** Registries that a text can be told by; with the target's, so that a moved image is still seen as one. */
function knownHostsOf({ sources, target, perSource }: RelocationSettings): (host: string) => boolean {
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
function userListRule(input: RelocateChartInput, values: YamlMap): (path: ValuePath) => string | undefined {
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
function plannedTargets(plan: Plan): (reference: ImageReference) => readonly ImageReference[] {
  const targets = new Map<string, ImageReference[]>();
  for (const { site, relocation, obstacle } of plan.images) {
    if (relocation === undefined || obstacle !== undefined) continue;
    const key = repositoryIdentity(site.reference);
    targets.set(key, [...(targets.get(key) ?? []), relocation.reference]);
  }
  return (reference) => targets.get(repositoryIdentity(reference)) ?? [];
}

function refuseCollisions(plan: Plan): void {
  const pairs = plan.images.flatMap(({ site, relocation }) =>
    relocation === undefined ? [] : [{ source: site.reference, target: relocation.reference }],
  );
  const collisions = findCollisions(pairs);
  if (collisions.length === 0) return;
  const lines = collisions.map(({ target, sources }) => `${sources.join(" and ")} would both be ${target}`);
  throw new FairleadError("target-collision", lines.join("; "), {
    hint: "choose another --path-strategy, or give one of the registries a target of its own in --config",
  });
}

/** What an unparsable reference is beside a warning where it costs the threshold (document 002, §6.1.2). */
function parsingErrors(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return diagnostics
    .filter(({ code }) => code === "reference-unparsable")
    .map(({ code, where, image = "" }): Diagnostic => {
      const message = `Error parsing image in values path '${where.valuePath ?? ""}': invalid format`;
      return { code, severity: "error", message, where, image, unsupported: true };
    });
}

function resultOf(
  input: RelocateChartInput,
  planned: ChartPlan,
  verification: Verification | undefined,
  override: string,
  diagnostics: readonly Diagnostic[],
): ChartResult {
  const { images, diagnostics: missed } = findingsOf(planned, verification, input.chart);
  const chartInstall = verification?.chartInstall ?? "not-run";
  const counted = countedImages(images, chartInstall);
  const changes = missed.filter(({ code }) => code === "unexpected-change");
  const targets = planned.plan.images.flatMap(({ relocation }) =>
    relocation === undefined ? [] : [relocation.reference],
  );
  const { metadata, location } = input.chart;
  const verdict = judge({
    images: counted.length,
    moved: counted.filter(({ status }) => status !== "not-moved").length,
    threshold: input.threshold ?? 100,
    chartInstall,
    hasUnexpectedChange: changes.length > 0,
  });
  const found = [...diagnostics, ...(verification?.diagnostics ?? []), ...missed];
  return {
    chart: { name: metadata.name, version: metadata.version, path: location },
    targetRegistry: formatTargetRegistry(input.settings.target),
    verdict,
    images,
    diagnostics: verdict.rate < verdict.threshold ? [...found, ...parsingErrors(found)] : found,
    override,
    projects: requiredProjects(targets, input.settings.target).map((project) => project.name),
  };
}
