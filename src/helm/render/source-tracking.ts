import { trackedFrom } from "../go/text.ts";
import type { GoScalar, GoValue } from "../go/value.ts";
import type { Origin } from "../provenance/span.ts";

/** Gives a scalar with where it comes from, or as it is where nothing is tracked. */
export type Mark = (value: GoScalar, origin: () => Origin) => GoValue;

/** How scalars are marked in a rendering that tracks, and in one that does not. */
export function createMark(tracking: boolean): Mark {
  if (!tracking) return (value) => value;
  return (value, origin) => trackedFrom(value, { origins: [origin()], exact: true });
}
