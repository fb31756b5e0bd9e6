import type { Origin, Source } from "../provenance/span.ts";
import { trackedFrom } from "./text.ts";
import { GoInteger, Tracked, type GoValue } from "./value.ts";

/**
 * A value that was taken because others were empty, as by `default`, `coalesce` and `or`: its source tells the
 * origins of those, since setting one of them would have changed the result.
 * @param passed the empty values; only those that are tracked tell anything
 */
export function passingOver(value: GoValue, passed: readonly GoValue[]): GoValue {
  const origins = passed.flatMap((empty) =>
    empty instanceof Tracked ? empty.spans.flatMap(({ source }) => source.origins) : [],
  );
  if (origins.length === 0) return value;
  if (value instanceof Tracked) {
    return new Tracked(
      value.value,
      value.spans.map((span) => ({ ...span, source: withInsteadOf(span.source, origins) })),
    );
  }
  const isScalar = value === null || typeof value !== "object" || value instanceof GoInteger;
  return isScalar ? trackedFrom(value, withInsteadOf({ origins: [], exact: false }, origins)) : value;
}

function withInsteadOf(source: Source, origins: readonly Origin[]): Source {
  return { ...source, insteadOf: [...new Set([...(source.insteadOf ?? []), ...origins])] };
}
