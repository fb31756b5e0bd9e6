import type { RenamedValue } from "./image-change.ts";
import type { Pair } from "./pair-occurrences.ts";

/** The value paths that images came from, and come from no longer, with those that stand in for them; each once. */
export function renamedValuesOf(pairs: readonly Pair[]): RenamedValue[] {
  const renamed = pairs.flatMap(([old, next]) => {
    if (old.place === undefined || next.place === undefined) {
      return renamedPath(pathsOf(old.values), pathsOf(next.values));
    }
    return [...old.leaves].flatMap(([part, leaves]) => renamedPath(leaves, next.leaves.get(part)));
  });
  return uniqueRenamed(renamed);
}

/** Each of them once. */
export function uniqueRenamed(renamed: readonly RenamedValue[]): RenamedValue[] {
  return [...new Map(renamed.map((value) => [JSON.stringify([value.from, value.to]), value])).values()];
}

function pathsOf(values: Pair[0]["values"]): Set<string> {
  return new Set(values.flatMap(({ valuePath }) => valuePath ?? []));
}

/** Told where it is one for one: of several leaves nobody knows which became which. */
function renamedPath(
  old: ReadonlySet<string>,
  next: ReadonlySet<string> = new Set<string>(),
): readonly RenamedValue[] {
  const [from, ...gone] = [...old].filter((path) => !next.has(path));
  const [to, ...come] = [...next].filter((path) => !old.has(path));
  return from === undefined || to === undefined || gone.length + come.length > 0 ? [] : [{ from, to }];
}
