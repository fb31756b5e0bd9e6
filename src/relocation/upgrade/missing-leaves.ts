import { formatValuePath, type ValuePath } from "../../yaml/value-path.ts";
import { createYamlMap, type YamlMap } from "../../yaml/value.ts";
import type { ChartPlan } from "../chart-plan.ts";
import type { ImageSite } from "../discover/image-site.ts";
import { buildOverride, inOrderOf, type OverrideEntry } from "../override.ts";
import { findSideSettings } from "../side-settings.ts";
import { isSameLeaf, pickLeaves } from "./override-leaves.ts";

/** What an override of a chart would set, side settings included. */
export function plannedOverride({ plan, root, values }: ChartPlan): YamlMap {
  return buildOverride(values, [...inOrderOf(values, plan.edits), ...sideEntries({ plan, root, values })]);
}

/**
 * The fewest leaves that an override lacks for some images of the chart, or sets to something else.
 * @param isUncovered whether the override leaves a site's image where it is
 */
export function findMissingLeaves(
  planned: Pick<ChartPlan, "plan" | "root" | "values">,
  override: YamlMap,
  isUncovered: (site: ImageSite) => boolean,
): YamlMap {
  const { plan, values } = planned;
  const wanted = new Set(
    plan.images
      .filter(({ site }) => isUncovered(site))
      .flatMap(({ site }) => site.name.concat(site.whole ?? []))
      .map(({ path }) => keyOf(path)),
  );
  const edits = plan.edits.filter(({ path }) => wanted.has(keyOf(path)));
  if (edits.length === 0) return createYamlMap();
  const needed = buildOverride(values, [...inOrderOf(values, edits), ...sideEntries(planned)]);
  return pickLeaves(needed, (leaf) => !isSameLeaf(needed, override, leaf));
}

function sideEntries({
  plan,
  root,
  values,
}: Pick<ChartPlan, "plan" | "root" | "values">): readonly OverrideEntry[] {
  return plan.edits.length === 0 ? [] : findSideSettings(root, values).entries;
}

/** Entries of one list are one leaf of an override. */
function keyOf(path: ValuePath): string {
  const index = path.findIndex((step) => typeof step === "number");
  return formatValuePath(index === -1 ? path : path.slice(0, index));
}
