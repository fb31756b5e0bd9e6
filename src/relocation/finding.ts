import type { Diagnostic } from "../core/diagnostic.ts";
import type { Where } from "../core/error.ts";
import { excerpt } from "../core/escape.ts";
import type { Chart, ChartInstance } from "../helm/chart/chart.ts";
import { locateValue } from "../helm/chart/origin.ts";
import { toImageSpec } from "../reference/image-spec.ts";
import { formatReference } from "../reference/reference.ts";
import type { YamlMap } from "../yaml/value.ts";
import { formatValuePath } from "../yaml/value-path.ts";
import type { Discovery } from "./discover/discover.ts";
import type { Plan, PlannedImage } from "./plan.ts";
import { repositoryIdentity } from "./repository-identity.ts";
import { placeOfImage } from "./rendering/rendered-place.ts";
import type { ImageFinding, RenderedPlace } from "./result.ts";
import type { ImageOutcome, UnparsableOutcome } from "./verify/comparison.ts";
import { explainMiss, locateTemplate, type Miss } from "./verify/miss.ts";
import type { Verification } from "./verify/verification.ts";

/** What {@link findingsOf} reads of a planned chart. */
export interface PlannedChart {
  readonly root: ChartInstance;
  readonly discovery: Discovery;
  readonly plan: Plan;
}

export interface Findings {
  readonly images: readonly ImageFinding[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Brings the images of the values and those of the rendering together: one finding for each reference text
 * that was rendered, and one for each image of the values that was not.
 * @param explored what became of the images that only exploring shows; default: none
 */
export function findingsOf(
  planned: PlannedChart,
  verification: Verification | undefined,
  override: YamlMap,
  chart: Chart,
  explored: readonly ImageOutcome[] = [],
): Findings {
  const outcomes = verification?.outcomes ?? [];
  const findOutcomes = (found: readonly ImageOutcome[]): RenderedFinding[] =>
    groupBy(found, ({ image }) => image.text).map((group) => renderedFinding(group, planned, override));
  const rendered = [...findOutcomes(outcomes), ...findOutcomes(explored).map(markExplored)];
  const seen = new Set([...outcomes, ...explored].map(({ image }) => repositoryIdentity(image.reference)));
  const others = planned.plan.images.filter(({ site }) => !seen.has(repositoryIdentity(site.reference)));
  const told = new Set(planned.discovery.unparsable.map(({ text }) => text));
  const unreadable = (verification?.unparsable ?? []).filter(({ text }) => !told.has(text));
  const images = [
    ...rendered.map(({ finding }) => finding),
    ...groupBy(others, ({ site }) => site.text).map((group) => valueFinding(group, planned.root)),
    ...planned.discovery.unparsable.map(({ path, text, enabled }): ImageFinding => ({
      source: text,
      status: "not-moved",
      reason: "it is not an image reference",
      values: [locateValue(planned.root, path)],
      places: [],
      enabled,
    })),
    ...unreadable.filter(({ isChanged }) => !isChanged).map((outcome) => unparsableFinding(outcome)),
  ];
  return {
    images,
    diagnostics: [
      ...rendered.flatMap(({ diagnostics }) => diagnostics),
      ...unreadable.map((outcome) => unparsableDiagnostic(outcome, chart)),
      ...unexpectedChanges(verification, chart),
    ],
  };
}

interface RenderedFinding {
  readonly finding: ImageFinding;
  readonly diagnostics: readonly Diagnostic[];
}

/** What is not shown by the chart as it is costs nothing, and is told all the same. */
function markExplored({ finding, diagnostics }: RenderedFinding): RenderedFinding {
  return {
    finding: { ...finding, enabled: false, explored: true },
    diagnostics: diagnostics.map((diagnostic) => ({ ...diagnostic, severity: "warning" })),
  };
}

function unparsableFinding({ manifest, path, told }: UnparsableOutcome): ImageFinding {
  const { apiVersion, kind, namespace, name, template } = manifest;
  const place: RenderedPlace = {
    apiVersion,
    kind,
    namespace,
    name,
    field: formatValuePath(path),
    form: "container",
  };
  return {
    source: told,
    status: "not-moved",
    reason: "it is not an image reference",
    values: [],
    places: [template === undefined ? place : { ...place, template }],
    enabled: true,
  };
}

function unparsableDiagnostic({ manifest, told }: UnparsableOutcome, chart: Chart): Diagnostic {
  return {
    code: "reference-unparsable",
    severity: "warning",
    message: `Cannot parse image reference '${excerpt(told)}': invalid format`,
    where: locateTemplate(chart, manifest.template),
    image: told,
    unsupported: true,
  };
}

function renderedFinding(
  group: readonly [ImageOutcome, ...ImageOutcome[]],
  planned: PlannedChart,
  override: YamlMap,
): RenderedFinding {
  const [first] = group;
  const { reference, text } = first.image;
  const misses = group
    .filter(({ status }) => status === "not-moved" || status === "misplaced")
    .map((outcome) => ({ outcome, miss: explainMiss(outcome, planned.plan.images, override, planned.root) }));
  const status = misses.length > 0 ? "not-moved" : statusOf(group);
  const target = group.find((outcome) => outcome.planned !== undefined)?.planned;
  const finding: ImageFinding = {
    source: text,
    sourceSpec: toImageSpec(reference),
    ...(target === undefined ? {} : { target: formatReference(target), targetSpec: toImageSpec(target) }),
    status,
    ...(misses[0] === undefined ? {} : { reason: misses[0].miss.reason }),
    values: valuesOf(planned, repositoryIdentity(reference)),
    places: group.map(({ manifest, image }) => placeOfImage(manifest, image)),
    enabled: true,
  };
  return { finding, diagnostics: misses.map((missed) => missDiagnostic(missed)) };
}

const testHint = "only helm test uses it; --exclude-tests leaves such images out of scope";

function missDiagnostic({
  outcome,
  miss,
}: {
  readonly outcome: ImageOutcome;
  readonly miss: Miss;
}): Diagnostic {
  const { text } = outcome.image;
  const finding: Diagnostic = {
    code: outcome.status === "misplaced" ? "image-misplaced" : "image-not-moved",
    severity: "error",
    message: `${text} in ${objectOf(outcome)} is not moved: ${miss.reason}`,
    where: miss.where,
    image: text,
  };
  return outcome.manifest.isTest ? { ...finding, hint: testHint } : finding;
}

function valueFinding(group: readonly [PlannedImage, ...PlannedImage[]], root: ChartInstance): ImageFinding {
  const [{ site, scope, relocation }] = group;
  const obstacle = group.find((image) => image.obstacle !== undefined)?.obstacle;
  const inScope = scope === "in-scope";
  const moves = inScope && obstacle === undefined;
  return {
    source: site.text,
    sourceSpec: toImageSpec(site.reference),
    ...(relocation === undefined
      ? {}
      : { target: formatReference(relocation.reference), targetSpec: toImageSpec(relocation.reference) }),
    status: moves ? "planned" : inScope ? "not-moved" : scope,
    ...(obstacle === undefined ? {} : { reason: obstacle }),
    values: group.map((image) => locateValue(root, image.site.path)),
    places: [],
    enabled: group.some((image) => image.site.enabled),
  };
}

function statusOf(group: readonly [ImageOutcome, ...ImageOutcome[]]): ImageFinding["status"] {
  const inScope = group.find(({ scope }) => scope === "in-scope");
  if (inScope !== undefined) return "moved";
  const { scope } = group[0];
  return scope === "in-scope" ? "moved" : scope;
}

function valuesOf({ plan, root }: PlannedChart, identity: string): Where[] {
  return plan.images
    .filter(({ site }) => repositoryIdentity(site.reference) === identity)
    .map(({ site }) => locateValue(root, site.path));
}

function objectOf({ manifest, image }: ImageOutcome): string {
  const container = image.container === undefined ? "" : `, container ${image.container}`;
  return `${manifest.kind}/${manifest.name}${container}`;
}

function unexpectedChanges(verification: Verification | undefined, chart: Chart): Diagnostic[] {
  return (verification?.unexpected ?? []).map(({ manifest, path, message }) => ({
    code: "unexpected-change",
    severity: "error",
    message: `${manifest.kind}/${manifest.name} ${formatValuePath(path)}: ${message}`,
    where: locateTemplate(chart, manifest.template),
  }));
}

/** Groups in the order of first sight. */
function groupBy<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
): (readonly [Item, ...Item[]])[] {
  const groups = new Map<string, [Item, ...Item[]]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return [...groups.values()];
}
