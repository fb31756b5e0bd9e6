import { FairleadError } from "../../core/error.ts";
import { GoError, GoMap, GoSlice, untracked, type GoValue } from "./value.ts";

/** How deep encoders follow maps and slices: more than any chart needs, and safe to walk recursively. */
export const maxEncodingDepth = 1000;

/** Go's error for a value that contains itself. */
export class CycleError extends GoError {}

/**
 * The error for a value that nests deeper than {@link maxEncodingDepth}: Go's own where it contains itself,
 * which encoding/json finds out too, and else `limit-exceeded`.
 */
export function tooDeep(root: GoValue): Error {
  const container = tryFindCycle(root);
  if (container !== undefined) {
    return new CycleError(`json: unsupported value: encountered a cycle via ${container.type.name}`);
  }
  return new FairleadError("limit-exceeded", `maps and lists nest deeper than ${maxEncodingDepth} levels`);
}

type Container = GoMap | GoSlice;

/** Looks into each container once, without recursion: there is no limit to how deep they nest. */
function tryFindCycle(root: GoValue): Container | undefined {
  const open = new Set<Container>();
  const finished = new Set<Container>();
  const stack: Container[] = containersIn(new GoSlice([root]));
  for (let container = stack.at(-1); container !== undefined; container = stack.at(-1)) {
    if (open.has(container)) {
      stack.pop();
      finished.add(container);
      continue;
    }
    if (finished.has(container)) {
      stack.pop();
      continue;
    }
    open.add(container);
    for (const item of containersIn(container)) {
      if (open.has(item) && !finished.has(item)) return item;
      stack.push(item);
    }
  }
  return undefined;
}

function containersIn(container: Container): Container[] {
  const items = container instanceof GoMap ? [...container.entries.values()] : container.items;
  return items.map(untracked).filter((item) => item instanceof GoMap || item instanceof GoSlice);
}
