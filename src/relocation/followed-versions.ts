import type { YamlMap } from "../yaml/value.ts";
import { formatValuePath, getAt, type ValuePath } from "../yaml/value-path.ts";
import type { ChartPlan } from "./chart-plan.ts";
import { splitNameText } from "./discover/name-text.ts";
import { movedImages, type ImageLeaf } from "./moved-images.ts";
import { buildOverride, overridePath, type OverrideEntry } from "./override.ts";

/** Whether an override lets image policies write a value of it, by the value's path. */
export type FollowedPaths = (path: ValuePath) => boolean;

/**
 * The values that give the chart's own images the tags and digests that image policies have written into an
 * override: with them, the chart is what the override moves.
 * @returns undefined where policies have written nothing
 */
export function followedVersions(
  { plan, values, isFixed }: ChartPlan,
  override: YamlMap,
  isFollowed: FollowedPaths,
): YamlMap | undefined {
  const entries = new Map<string, OverrideEntry>();
  for (const leaf of movedImages(plan, isFixed).flatMap(({ leaves }) => leaves)) {
    const path = overridePath(leaf.path);
    const written = isFollowed(path) ? getAt(override, path) : undefined;
    const to = typeof written === "string" ? versionAtSource(leaf, written) : undefined;
    if (to !== undefined) entries.set(formatValuePath(leaf.path), { path: leaf.path, to });
  }
  return entries.size === 0 ? undefined : buildOverride(values, [...entries.values()]);
}

/** What a leaf holds before the move, of the version that is written into the override. */
function versionAtSource({ role, value, origin }: ImageLeaf, written: string): string | undefined {
  if (role === "name" || written === value) return undefined;
  if (role !== "image") return written;
  const { prefix, name, suffix } = splitNameText(written);
  return prefix === "" && name === splitNameText(value).name ? `${origin}${suffix}` : undefined;
}
