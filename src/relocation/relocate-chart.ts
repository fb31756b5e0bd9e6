import type { Diagnostic } from "../core/diagnostic.ts";
import type { Redactor } from "../core/redaction.ts";
import { registryIdentity } from "../reference/registry-host.ts";
import { dumpYaml } from "../yaml/dump.ts";
import { loadYamlMap } from "../yaml/load.ts";
import type { YamlMap } from "../yaml/value.ts";
import { formatValuePath, getAt } from "../yaml/value-path.ts";
import {
  knownHostsOf,
  planChart,
  plannedMoves,
  plannedTargets,
  refuseCollisions,
  type ChartPlan,
  type ChartPlanInput,
} from "./chart-plan.ts";
import { resolveDependencies } from "../helm/chart/dependencies.ts";
import {
  exploreChart,
  type ChartExplorer,
  type ExplorableRendering,
  type ExploredChart,
} from "./explore/explore-chart.ts";
import { proveExplored, type ExploredOutcomes } from "./explore/prove-explored.ts";
import { findingsOf } from "./finding.ts";
import { replacementsOf } from "./given-override.ts";
import { buildOverride, inOrderOf } from "./override.ts";
import { createRelocator, type Relocation, type Relocator } from "./relocator.ts";
import type { PlannedObject } from "./residual/plan-residual.ts";
import { proveResidual, withResidual, type ResidualOptions } from "./residual/prove-residual.ts";
import type { ChartResult, Verdict } from "./result.ts";
import { findSideSettings, type SideSettings } from "./side-settings.ts";
import { formatTargetRegistry } from "./target-registry.ts";
import { requiredProjects } from "./targets/targets.ts";
import { countedImages, judge } from "./verdict.ts";
import type { Manifest } from "./rendering/manifest.ts";
import type { ImageOutcome } from "./verify/comparison.ts";
import {
  manifestsOf,
  verifyOverride,
  type ChartRenderer,
  type ChartRendering,
  type Verification,
  type VerificationInput,
} from "./verify/verification.ts";

/** Renders a chart in this process, as it is or with more switched on. */
export interface ChartTracer extends ChartExplorer {
  render(override: string | undefined): Promise<ExplorableRendering>;
}

export interface RelocateChartInput extends ChartPlanInput {
  /** Values that win over any file where the override is installed, as `--set` does. Default: none. */
  readonly setValues?: YamlMap;
  /** Percent; default 100. */
  readonly threshold?: number;
  /** Leaves the images of `helm test` pods out of scope; takes a rendering to tell. Default: false. */
  readonly excludeTests?: boolean;
  /** Takes what must not be told out of rendered texts that a message quotes. Default: nothing. */
  readonly redact?: Redactor;
  /** Proves the override. */
  readonly renderer?: ChartRenderer | undefined;
  /** Whether a chart that does not render as it is gets an override that nothing proves; default: it is an error. */
  readonly mayStayUnproven?: boolean;
  /** Tells what each text of a rendering comes from, where the renderer does not; default: the values tell alone. */
  readonly tracer?: ChartTracer | undefined;
  /** How many renderings may look for images in what the chart keeps off; takes a tracer. Default: 0. */
  readonly exploreLimit?: number;
  /** Plans and proves what the override leaves, where the chart is rendered. Default: it is not planned. */
  readonly residual?: ResidualOptions;
}

export interface RelocatedChart {
  readonly result: ChartResult;
  /** The override as values. */
  readonly override: YamlMap;
  /** What the override leaves, where that was asked for and the chart was rendered. */
  readonly residual?: readonly PlannedObject[];
}

/**
 * The main flow (document 002, §6.1): finds a chart's images, plans their moves, writes the smallest
 * override, and proves it where a renderer is given.
 * @throws FairleadError `dependency-missing`, `target-collision`, `render-failed` when the chart does not
 *   render without the override, and what the renderer throws.
 */
export async function relocateChart(input: RelocateChartInput): Promise<RelocatedChart> {
  const relocator = createRelocator(input.settings);
  const before = await input.renderer?.render(undefined);
  const trace = await traceChart(input, before);
  const explored = await exploreFrom(trace, input);
  const planned = planChart(input, relocator, manifestsOfTrace(trace), explored?.sites);
  refuseCollisions(plannedMoves(planned.plan));
  const { override, side } = overrideOf(planned);
  const text = dumpYaml(override);
  const unproven = input.mayStayUnproven === true ? unprovenDiagnostics(before) : [];
  const proof: VerificationInput | undefined =
    input.renderer === undefined || unproven.length > 0
      ? undefined
      : {
          ...verificationOf(input, planned, relocator),
          renderer: input.renderer,
          before,
          override: text,
          planned: override,
          replacements: planned.plan.edits,
        };
  const verification = proof === undefined ? undefined : await prove(proof);
  const beyond = await proveBeyond(explored, proof, verification);
  const diagnostics = [
    ...planned.diagnostics,
    ...setConflicts(input, planned),
    ...side.diagnostics,
    ...unproven,
    ...beyond.diagnostics,
  ];
  const given = { text, values: override };
  const result = resultOf(input, planned, verification, given, diagnostics, beyond.outcomes);
  if (proof === undefined || verification === undefined || input.residual === undefined) {
    return { override, result };
  }
  const residual = await proveResidual(verification, proof, input.residual, prove);
  const together = resultOf({ ...input, threshold: 100 }, planned, residual.verification, given, []);
  const { objects } = residual;
  const left = verification.outcomes.filter(({ status }) => status === "not-moved" || status === "misplaced");
  const relocations = left.map(({ image }) => relocator.relocate(image.reference));
  const projects = requiredProjects([...relocationsOf(planned), ...relocations]);
  return { override, result: withResidual({ ...result, projects }, together, objects), residual: objects };
}

/** Proves the override for what only exploring shows, where the chart as it is takes it. */
async function proveBeyond(
  explored: Awaited<ReturnType<typeof exploreFrom>>,
  proof: VerificationInput | undefined,
  verification: Verification | undefined,
): Promise<ExploredOutcomes> {
  if (proof === undefined || verification?.chartInstall !== "passed" || explored === undefined) {
    return { outcomes: [], diagnostics: [] };
  }
  return proveExplored(explored.states, explored.explorer, proof, textsOf(verification));
}

function unprovenDiagnostics(before: ChartRendering | undefined): Diagnostic[] {
  if (before?.ok !== false) return [];
  return [
    {
      code: "unverified",
      severity: "warning",
      message: `the override is not proven: the chart does not render as it is: ${before.message}`,
      where: {},
      hint: "give the values it needs with -f or --set",
    },
  ];
}

/** The chart as it is, traced: by the proof's own rendering, else by the tracer. */
async function traceChart(
  { tracer }: RelocateChartInput,
  before: ExplorableRendering | undefined,
): Promise<ExplorableRendering | undefined> {
  const isTraced = before?.ok === true && before.traced !== undefined;
  return isTraced ? before : tracer?.render(undefined);
}

function manifestsOfTrace(trace: ExplorableRendering | undefined): readonly Manifest[] {
  return trace?.ok === true ? manifestsOf(trace) : [];
}

async function exploreFrom(
  start: ExplorableRendering | undefined,
  { chart, userValues, settings, tracer, exploreLimit = 0 }: RelocateChartInput,
): Promise<(ExploredChart & { readonly explorer: ChartExplorer }) | undefined> {
  if (start?.ok !== true || tracer === undefined || exploreLimit === 0) return undefined;
  const { root, values } = resolveDependencies(chart, userValues);
  const isKnownHost = knownHostsOf(settings);
  const limits = { isKnownHost, limit: exploreLimit };
  return { ...(await exploreChart({ explorer: tracer, root, values, start, ...limits })), explorer: tracer };
}

function textsOf({ outcomes }: Verification): Set<string> {
  return new Set(outcomes.map(({ image }) => image.text));
}

function setConflicts({ setValues }: RelocateChartInput, { plan }: ChartPlan): Diagnostic[] {
  if (setValues === undefined) return [];
  return plan.edits
    .filter(({ path }) => getAt(setValues, path) !== undefined)
    .map(({ path }) => ({
      code: "set-wins",
      severity: "warning",
      message: "a --set flag sets this value too, and wins over the override",
      where: { valuePath: formatValuePath(path) },
      hint: "leave the flag out where the override is installed",
    }));
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
  return (await verifyWithPlan(input)).result;
}

/** {@link verifyChart}, with what an override of the chart would be planned to do. */
export async function verifyWithPlan(
  input: VerifyChartInput,
): Promise<{ readonly result: ChartResult; readonly planned: ChartPlan }> {
  const { overrideFile: file } = input;
  const source = { code: "input-invalid", ...(file === undefined ? {} : { file }) } as const;
  const override = loadYamlMap(input.override, source).value;
  const relocator = createRelocator(input.settings);
  const before = await input.renderer.render(undefined);
  const trace = await traceChart(input, before);
  const explored = await exploreFrom(trace, input);
  const planned = planChart(input, relocator, manifestsOfTrace(trace), explored?.sites);
  const proof: VerificationInput = {
    ...verificationOf(input, planned, relocator),
    renderer: input.renderer,
    before,
    override: input.override,
    planned: overrideOf(planned).override,
    replacements: replacementsOf(planned.values, override, planned.plan),
  };
  const verification = await prove(proof);
  const beyond = await proveBeyond(explored, proof, verification);
  const given = { text: input.override, values: override };
  const diagnostics = [...planned.diagnostics, ...beyond.diagnostics];
  return { planned, result: resultOf(input, planned, verification, given, diagnostics, beyond.outcomes) };
}

/** Renderings may hold images that no value spells, and that share a name at the target with another one. */
async function prove(input: VerificationInput): Promise<Verification> {
  const verification = await verifyOverride(input);
  refuseCollisions(
    verification.outcomes.flatMap(({ image, planned, status }) =>
      status === "moved" && planned !== undefined ? [{ source: image.reference, target: planned }] : [],
    ),
  );
  return verification;
}

function verificationOf(
  input: RelocateChartInput,
  { plan }: ChartPlan,
  relocator: Relocator,
): Omit<VerificationInput, "renderer" | "override" | "planned" | "replacements"> {
  const isKnown = knownHostsOf(input.settings);
  const hosts = new Set(plan.images.map(({ site }) => registryIdentity(site.reference.registry)));
  return {
    relocator,
    isKnownHost: (host) => isKnown(host) || hosts.has(registryIdentity(host)),
    plannedFor: plannedTargets(plan),
    excludeTests: input.excludeTests ?? false,
    redact: input.redact ?? ((text) => text),
  };
}

function overrideOf({ plan, root, values }: ChartPlan): {
  readonly override: YamlMap;
  readonly side: SideSettings;
} {
  const side = plan.edits.length === 0 ? { entries: [], diagnostics: [] } : findSideSettings(root, values);
  return { override: buildOverride(values, [...inOrderOf(values, plan.edits), ...side.entries]), side };
}

function relocationsOf({ plan }: ChartPlan): Relocation[] {
  return plan.images.flatMap(({ relocation, obstacle }) =>
    relocation === undefined || obstacle !== undefined ? [] : [relocation],
  );
}

/** What an unparsable reference is beside a warning where it costs the threshold (document 002, §6.1.2). */
function parsingErrors(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return diagnostics
    .filter(({ code, where }) => code === "reference-unparsable" && where.valuePath !== undefined)
    .map(({ code, where, image = "" }): Diagnostic => {
      const message = `Error parsing image in values path '${where.valuePath ?? ""}': invalid format`;
      return { code, severity: "error", message, where, image, unsupported: true };
    });
}

/** What renders no object, not even with more switched on, leaves the override as unproven as no rendering. */
function installOf(
  verification: Verification | undefined,
  explored: readonly ImageOutcome[],
): Verdict["chartInstall"] {
  if (verification === undefined || (verification.isEmpty && explored.length === 0)) return "not-run";
  return verification.chartInstall;
}

function resultOf(
  input: RelocateChartInput,
  planned: ChartPlan,
  verification: Verification | undefined,
  override: { readonly text: string; readonly values: YamlMap },
  diagnostics: readonly Diagnostic[],
  explored: readonly ImageOutcome[] = [],
): ChartResult {
  const { chart } = input;
  const { images, diagnostics: missed } = findingsOf(planned, verification, override.values, chart, explored);
  const chartInstall = installOf(verification, explored);
  const counted = countedImages(images, chartInstall);
  const changes = missed.filter(({ code }) => code === "unexpected-change");
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
    override: override.text,
    projects: requiredProjects(relocationsOf(planned)),
  };
}
