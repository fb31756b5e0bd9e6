import type { YamlSourceOptions } from "../../yaml/cursor.ts";
import type { ValuePath } from "../../yaml/value-path.ts";
import { readWrittenNodes, type WrittenCollection, type WrittenNode } from "../../yaml/written-nodes.ts";
import { markerToken, tryParseMarker } from "../setters/marker.ts";
import { MarkerTargets } from "../setters/marker-target.ts";

/**
 * The paths of the values that have a marker of an image policy, in a text of one document.
 * @throws FairleadError for a text that is no YAML
 */
export function markedPaths(text: string, options: YamlSourceOptions = {}): readonly ValuePath[] {
  if (!text.includes(markerToken)) return [];
  const written = readWrittenNodes(text, options);
  const targets = new MarkerTargets(text, written);
  return written.comments.flatMap((comment) => {
    const marker = tryParseMarker(text.slice(comment.start, comment.end));
    if (marker?.kind !== "setter") return [];
    const target = targets.find(comment, marker.setter.split(":")[2] ?? "");
    const path = target.kind === "none" ? undefined : tryPathOf(target.scalar);
    return path === undefined ? [] : [path];
  });
}

/** @returns undefined for what has a key on its way that is no scalar */
function tryPathOf(node: WrittenNode | WrittenCollection): ValuePath | undefined {
  const path: (string | number)[] = [];
  for (let place = node; place.parent !== undefined; place = place.parent) {
    const step = place.parent.kind === "list" ? place.index : place.key;
    if (step === undefined) return undefined;
    path.unshift(step);
  }
  return path;
}
