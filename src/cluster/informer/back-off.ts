const firstMs = 800;
const maxMs = 30_000;

/**
 * How long to wait after so many failures in a row: 800 ms, doubled with each up to 30 s, and up to twice that by
 * chance, so that many who lost one server do not come back to it together.
 */
export function backOff(failures: number, random: () => number): number {
  return Math.min(maxMs, firstMs * 2 ** (failures - 1)) * (1 + random());
}
