import { resolveDependencies } from "../../helm/chart/dependencies.ts";
import { mergeMaps } from "../../helm/values/merge.ts";
import { formatReference } from "../../reference/reference.ts";
import { dumpYaml } from "../../yaml/dump.ts";
import { loadYamlMap } from "../../yaml/load.ts";
import { formatValuePath } from "../../yaml/value-path.ts";
import { createYamlMap, type YamlMap } from "../../yaml/value.ts";
import { knownHostsOf, type ChartPlan } from "../chart-plan.ts";
import { discoverImages } from "../discover/discover.ts";
import type { FollowedPaths } from "../followed-versions.ts";
import type { ChartTracer, RelocateChartInput } from "../relocate-chart-input.ts";
import { verifyChart, verifyWithPlan } from "../verify-chart.ts";
import type { ChartResult, ImageFinding } from "../result.ts";
import { isInScope } from "../verdict.ts";
import { findDeadLeaves } from "./dead-leaves.ts";
import { findMissingLeaves, plannedOverride } from "./missing-leaves.ts";
import type { CheckedImage, MissingLeaves, OverrideCheck } from "./override-check.ts";

export interface CheckOverrideInput extends Omit<RelocateChartInput, "renderer" | "tracer"> {
  readonly renderer: ChartTracer;
  /** The override that is there, as YAML. */
  readonly override: string;
  readonly overrideFile: string;
  readonly isFollowed?: FollowedPaths;
}

export interface CheckedOverride {
  readonly check: OverrideCheck;
  /** The proof of the override as `fairlead verify` has it. */
  readonly result: ChartResult;
}

/**
 * Proves an override that is there already against a chart that it was not made for: what it covers, what of it
 * is dead, and what it lacks.
 * @throws FairleadError what {@link verifyChart} throws.
 */
export async function checkOverride(input: CheckOverrideInput): Promise<CheckedOverride> {
  const { renderer, overrideFile: file } = input;
  const { result, planned } = await verifyWithPlan({ ...input, tracer: renderer });
  const override = loadYamlMap(input.override, { code: "input-invalid", file }).value;
  const unsetReason = unsetReasons(planned, override, input);
  const images = result.images.filter(isInScope).map((image) => checkImage(image, unsetReason));
  const deadLeaves = await findDeadLeaves({
    renderer,
    override,
    planned: plannedOverride(planned),
    values: planned.values,
  });
  const uncovered = new Set(images.filter(({ isCovered }) => !isCovered).map(({ source }) => source));
  const values = findMissingLeaves(planned, override, ({ text }) => uncovered.has(text));
  const missing = await proveMissing(values, override, input);
  const { verdict, diagnostics } = result;
  return {
    check: { file, verdict, images, deadLeaves, ...(missing === undefined ? {} : { missing }), diagnostics },
    result,
  };
}

/** Why the override does not move the image of a value that nothing renders; undefined where it does. */
type UnsetReason = (path: string) => string | undefined;

function unsetReasons(planned: ChartPlan, override: YamlMap, input: CheckOverrideInput): UnsetReason {
  const given = [override, input.setValues ?? createYamlMap()].reduce(mergeMaps, input.userValues);
  const { values, root } = resolveDependencies(input.chart, given);
  const { sites } = discoverImages({
    values,
    root,
    isKnownHost: knownHostsOf(input.settings),
    ...(input.isNamedImage === undefined ? {} : { isNamedImage: input.isNamedImage }),
  });
  const names = new Map(sites.map((site) => [formatValuePath(site.path), formatReference(site.reference)]));
  const reasons = planned.plan.images.flatMap(({ site, relocation }): (readonly [string, string])[] => {
    const path = formatValuePath(site.path);
    const name = names.get(path);
    if (relocation === undefined || name === formatReference(relocation.reference)) return [];
    const isUnset = name === undefined || name === formatReference(site.reference);
    return [[path, isUnset ? `the override does not set ${path}` : `it becomes ${name} with the override`]];
  });
  const byPath = new Map(reasons);
  return (path) => byPath.get(path);
}

function checkImage(image: ImageFinding, unsetReason: UnsetReason): CheckedImage {
  const { source, sourceSpec, target, targetSpec, status, values, places, explored } = image;
  const unset =
    status === "planned"
      ? values.map(({ valuePath = "" }) => unsetReason(valuePath)).find(Boolean)
      : undefined;
  const reason = unset ?? image.reason;
  return {
    source,
    ...(sourceSpec === undefined ? {} : { sourceSpec }),
    ...(target === undefined ? {} : { target }),
    ...(targetSpec === undefined ? {} : { targetSpec }),
    isCovered: status !== "not-moved" && unset === undefined,
    rendered: places.length > 0 && explored !== true,
    ...(reason === undefined ? {} : { reason }),
    values,
    places,
  };
}

async function proveMissing(
  values: YamlMap,
  override: YamlMap,
  input: CheckOverrideInput,
): Promise<MissingLeaves | undefined> {
  if (Object.keys(values).length === 0) return undefined;
  const { verdict } = await verifyChart({
    ...input,
    override: dumpYaml(mergeMaps(override, values)),
    exploreLimit: 0,
  });
  return { values, yaml: dumpYaml(values), verdict };
}
