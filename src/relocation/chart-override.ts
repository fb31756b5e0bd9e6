import type { YamlMap } from "../yaml/value.ts";
import type { ChartPlan } from "./chart-plan.ts";
import { buildOverride, inOrderOf, type OverrideEntry } from "./override.ts";
import { findSideSettings, type SideSettings } from "./side-settings.ts";

/**
 * The override of a plan, and the settings that it needs beside the images.
 * @param pinned what else it sets, other than what the plan does; default: nothing
 */
export function overrideOf(
  { plan, root, values }: ChartPlan,
  pinned: readonly OverrideEntry[] = [],
): {
  readonly override: YamlMap;
  readonly side: SideSettings;
} {
  const side = plan.edits.length === 0 ? { entries: [], diagnostics: [] } : findSideSettings(root, values);
  return {
    override: buildOverride(values, [...inOrderOf(values, [...plan.edits, ...pinned]), ...side.entries]),
    side,
  };
}
