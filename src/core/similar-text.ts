/**
 * The candidate that a mistyped text most likely means: the one with the fewest changed, added, left out or
 * swapped characters, if those are at most a third of it. Case does not count.
 */
export function findSimilar(text: string, candidates: Iterable<string>): string | undefined {
  let best: { readonly candidate: string; readonly distance: number } | undefined;
  for (const candidate of candidates) {
    const limit = Math.max(1, Math.floor(Math.max(text.length, candidate.length) / 3));
    if (Math.abs(text.length - candidate.length) > limit || candidate.length > maxLength) continue;
    const distance = distanceOf(text.toLowerCase(), candidate.toLowerCase());
    if (distance <= limit && distance < (best?.distance ?? Infinity)) best = { candidate, distance };
  }
  return best?.candidate;
}

/** Names are shorter; the work grows with the square. */
const maxLength = 500;

/** The optimal string alignment distance. */
function distanceOf(left: string, right: string): number {
  let beforeLast: readonly number[] = [];
  let last = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const change = left[row - 1] === right[column - 1] ? 0 : 1;
      const swapped = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      current[column] = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + change,
        swapped ? (beforeLast[column - 2] ?? 0) + 1 : Infinity,
      );
    }
    beforeLast = last;
    last = current;
  }
  return last[right.length] ?? 0;
}
