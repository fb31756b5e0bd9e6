import { Tracked } from "../../helm/go/value.ts";
import type { Text } from "../../helm/go/value.ts";
import { dumpYaml } from "../../yaml/dump.ts";
import { formatValuePath, getAt, type ValuePath } from "../../yaml/value-path.ts";
import type { YamlMap } from "../../yaml/value.ts";
import type { ChartTracer } from "../relocate-chart-input.ts";
import type { DeadLeaf } from "./override-check.ts";
import { leavesOf, pickLeaves, type LeafPath } from "./override-leaves.ts";

interface DeadLeavesInput {
  readonly renderer: ChartTracer;
  readonly override: YamlMap;
  /** What an override of the chart would set today: its leaves serve what is switched off too. */
  readonly planned: YamlMap;
  /** The chart's own values with the user's. */
  readonly values: YamlMap;
}

/**
 * The leaves of an override without which the chart renders to the same, but for those that an override of it
 * would set; none where it does not render with the override.
 */
export async function findDeadLeaves(input: DeadLeavesInput): Promise<DeadLeaf[]> {
  const { renderer, override, planned, values } = input;
  const rendering = await renderer.renderWith(override);
  if (!rendering.ok) return [];
  const read = valuesIn(rendering.traced);
  const isRead = (leaf: LeafPath): boolean => read.has(formatValuePath(leaf));
  const suspects = leavesOf(override).filter((leaf) => getAt(planned, leaf) === undefined && !isRead(leaf));
  const isIdle = async (leaves: readonly LeafPath[]): Promise<boolean> => {
    const without = await renderer.render(dumpYaml(pickLeaves(override, (leaf) => !holds(leaves, leaf))));
    return without.ok && without.manifests === rendering.manifests;
  };
  const dead: LeafPath[] = [];
  if (suspects.length > 0 && (await isIdle(suspects))) dead.push(...suspects);
  else for (const leaf of suspects) if (await isIdle([leaf])) dead.push(leaf);
  return dead.map((leaf) => ({
    path: formatValuePath(leaf),
    reason: getAt(values, leaf) === undefined ? "gone" : "unread",
  }));
}

/** The value paths that a text comes from, and those that hold them. */
function valuesIn(text: Text | undefined): Set<string> {
  const found = new Set<ValuePath>();
  if (text instanceof Tracked) {
    for (const { source } of text.spans) {
      for (const origin of source.origins) if (origin.kind === "value") found.add(origin.path);
    }
  }
  return new Set([...found].flatMap((path) => path.map((_, end) => formatValuePath(path.slice(0, end + 1)))));
}

function holds(leaves: readonly LeafPath[], leaf: LeafPath): boolean {
  const text = JSON.stringify(leaf);
  return leaves.some((other) => JSON.stringify(other) === text);
}
