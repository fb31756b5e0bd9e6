import { lineStartOf } from "./entry-style.ts";
import type { Place } from "./place.ts";

/** By how much a pod's spec is indented below the pod, where both are blocks. */
export function blockStep(text: string, pod: Place): string {
  const outer = pod.map;
  const inner = pod.child("spec").map;
  if (outer === undefined || inner === undefined || outer.isFlow || inner.isFlow) return "  ";
  const columnOf = (offset: number): number => offset - lineStartOf(text, offset);
  return " ".repeat(Math.max(columnOf(inner.start) - columnOf(outer.start), 1));
}
