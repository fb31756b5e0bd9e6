import { FairleadError } from "../../core/error.ts";
import { GoError, GoMap, GoSlice, untracked, type GoValue } from "./value.ts";

/** How deep encoders follow maps and slices: more than any chart needs, and safe to walk recursively. */
export const maxEncodingDepth = 1000;

/**
 * The error for a value that nests deeper than {@link maxEncodingDepth}: Go's own where it contains itself,
 * which encoding/json finds out too, and else `limit-exceeded`.
 */
export function tooDeep(root: GoValue): Error {
  const container = tryFindCycle(root, new Set());
  if (container !== undefined) {
    return new GoError(`json: unsupported value: encountered a cycle via ${container.type.name}`);
  }
  return new FairleadError("limit-exceeded", `maps and lists nest deeper than ${maxEncodingDepth} levels`);
}

function tryFindCycle(value: GoValue, path: Set<GoValue>): GoMap | GoSlice | undefined {
  const plain = untracked(value);
  if (!(plain instanceof GoMap) && !(plain instanceof GoSlice)) return undefined;
  if (path.has(plain)) return plain;
  if (path.size > maxEncodingDepth + 1) return undefined;
  path.add(plain);
  for (const item of plain instanceof GoMap ? plain.entries.values() : plain.items) {
    const found = tryFindCycle(item, path);
    if (found !== undefined) return found;
  }
  path.delete(plain);
  return undefined;
}
