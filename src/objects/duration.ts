const units: ReadonlyMap<string, number> = new Map([
  ["ms", 1],
  ["s", 1000],
  ["m", 60_000],
  ["h", 3_600_000],
]);

const durationPattern = /^(?:[0-9]+(?:\.[0-9]+)?(?:ms|s|m|h))+$/u;

/** What Go's time.Duration can hold. */
const maxDurationMs = 2 ** 63 / 1_000_000;

/** Long enough for any duration that means something. */
const maxLength = 64;

/**
 * A duration as Flux's objects write it, such as `1h30m`, in milliseconds; undefined for another text and for what
 * Go's time.Duration cannot hold.
 */
export function tryParseDuration(text: string): number | undefined {
  if (text.length > maxLength || !durationPattern.test(text)) return undefined;
  let durationMs = 0;
  for (const [, count, unit = ""] of text.matchAll(/([0-9.]+)(ms|s|m|h)/gu)) {
    durationMs += Number(count) * (units.get(unit) ?? 0);
  }
  return durationMs < maxDurationMs ? durationMs : undefined;
}
