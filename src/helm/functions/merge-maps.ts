import { FairleadError } from "../../core/error.ts";
import type { GoContext } from "../go/context.ts";
import { maxEncodingDepth } from "../go/encoding-depth.ts";
import { passingOver } from "../go/passed-over.ts";
import { GoComplex, GoError, GoMap, GoStruct, isTrue, untracked, type GoValue } from "../go/value.ts";

/** What wins where both maps have something under a key that is no map. */
export type MergePreference = "target" | "source";

/**
 * Merges a map into another in place, as mergo v1 does: maps are merged key by key, and everything else is taken
 * whole. A map that the target does not have is not copied, so that both have the same one afterwards.
 *
 * With preference for the target, an empty value of it (nil, false, zero, nothing in it) gives way all the same.
 * With preference for the source, its empty values win too, but an empty map adds nothing to a map.
 * @throws GoError where a map meets a struct behind a pointer
 * @throws FairleadError `limit-exceeded`
 */
export function mergeMaps(
  target: GoMap,
  source: GoMap,
  preference: MergePreference,
  context: GoContext,
  depth = 0,
): void {
  if (depth > maxEncodingDepth) {
    throw new FairleadError("limit-exceeded", `maps nest deeper than ${maxEncodingDepth} levels`);
  }
  if (target.isNil) return;
  const sourceWins = preference === "source";
  // Merging a map into a part of itself must not go on with what it adds.
  const offers = [...source.entries];
  for (const [key, offered] of offers) {
    context.budget.spendItem();
    const existing = target.entries.get(key) ?? null;
    const mine = untracked(existing);
    const theirs = untracked(offered);
    if (theirs === null && !sourceWins) continue;
    if (theirs instanceof GoMap) {
      if (mine instanceof GoMap) mergeMaps(mine, theirs, preference, context, depth + 1);
      else if (!sourceWins) refusePointer(mine);
    }
    const areMaps = mine instanceof GoMap && theirs instanceof GoMap;
    // A map that was empty may just have been filled.
    if (!isEmpty(mine) && (areMaps || !sourceWins)) continue;
    const isPassedOver = context.tracking && !sourceWins;
    target.entries.set(key, isPassedOver ? passingOver(offered, [existing]) : offered);
  }
}

/** Empty for mergo: what `if` takes for false, but for complex numbers. */
function isEmpty(value: GoValue): boolean {
  return !isTrue(value) && !(value instanceof GoComplex);
}

function refusePointer(value: GoValue): void {
  if (value instanceof GoStruct && value.type.kind === "ptr") {
    throw new GoError("src and dst must be of same type");
  }
}
