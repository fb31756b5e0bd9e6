import { matchesGlob } from "../glob.ts";

/**
 * Tells whether one of the patterns names a value path, written such as `sidecars[0].ref`. In a pattern `*` is
 * any run of characters; one without a dot is held against the last key too, at any depth. They are no regular
 * expressions (document 002, §9.2, has those), so that a chart's keys cannot make a match slow.
 */
export function createImageKeyMatcher(patterns: readonly string[]): (valuePath: string) => boolean {
  return (valuePath) => {
    const lastKey = valuePath.replace(/(?:\[\d+\])+$/u, "").replace(/^.*\./su, "");
    return patterns.some(
      (pattern) =>
        matchesGlob(pattern, valuePath) || (!pattern.includes(".") && matchesGlob(pattern, lastKey)),
    );
  };
}
