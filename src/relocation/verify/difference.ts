import { isYamlMap, type YamlMap, type YamlValue } from "../../yaml/value.ts";
import type { ValuePath } from "../../yaml/value-path.ts";
import type { Manifest } from "../rendering/manifest.ts";

/** A leaf, or a whole branch, that differs; undefined on the side that lacks it. */
export interface Difference {
  readonly path: ValuePath;
  readonly before: YamlValue | undefined;
  readonly after: YamlValue | undefined;
}

/** The smallest places at which two values differ. */
export function differencesOf(before: YamlValue, after: YamlValue): Difference[] {
  const differences: Difference[] = [];
  const visit = (left: YamlValue | undefined, right: YamlValue | undefined, path: ValuePath): void => {
    if (left === right) return;
    if (isYamlMap(left) && isYamlMap(right)) {
      for (const key of new Set([...Object.keys(left), ...Object.keys(right)])) {
        visit(left[key], right[key], [...path, key]);
      }
    } else if (isList(left) && isList(right) && left.length === right.length) {
      left.forEach((item, index) => visit(item, right[index], [...path, index]));
    } else differences.push({ path, before: left, after: right });
  };
  visit(before, after, []);
  return differences;
}

export interface Alignment {
  readonly pairs: readonly (readonly [Manifest, Manifest])[];
  readonly removed: readonly Manifest[];
  readonly added: readonly Manifest[];
}

/**
 * Pairs the objects of two renderings of one chart: one by one where both have the same kinds in the same
 * order (names may hold a random part), else by identity.
 */
export function alignManifests(before: readonly Manifest[], after: readonly Manifest[]): Alignment {
  if (
    before.length === after.length &&
    before.every((manifest, index) => isSameSlot(manifest, after[index]))
  ) {
    return {
      pairs: before.flatMap((manifest, index) => {
        const other = after[index];
        return other === undefined ? [] : [[manifest, other] as const];
      }),
      removed: [],
      added: [],
    };
  }
  const waiting = new Map<string, Manifest[]>();
  for (const manifest of after) {
    const key = identityOf(manifest);
    waiting.set(key, [...(waiting.get(key) ?? []), manifest]);
  }
  const pairs: (readonly [Manifest, Manifest])[] = [];
  const removed: Manifest[] = [];
  for (const manifest of before) {
    const other = waiting.get(identityOf(manifest))?.shift();
    if (other === undefined) removed.push(manifest);
    else pairs.push([manifest, other]);
  }
  return { pairs, removed, added: [...waiting.values()].flat() };
}

function isSameSlot(left: Manifest, right: Manifest | undefined): boolean {
  return right !== undefined && left.kind === right.kind && left.template === right.template;
}

function identityOf(manifest: Manifest): string {
  return JSON.stringify([manifest.apiVersion, manifest.kind, manifest.namespace, manifest.name]);
}

function isList(value: YamlValue | YamlMap | undefined): value is readonly YamlValue[] {
  return Array.isArray(value);
}
