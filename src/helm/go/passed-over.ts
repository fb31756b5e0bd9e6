import type { Origin, Source } from "../provenance/span.ts";
import { trackedFrom } from "./text.ts";
import { GoInteger, GoMap, Tracked, type GoScalar, type GoValue } from "./value.ts";

/**
 * A value that was taken because others were empty, as by `default`, `coalesce` and `or`: its source tells the
 * origins of those, since setting one of them would have changed the result.
 * @param passed the empty values; only those that are tracked, or are maps of the values, tell anything
 */
export function passingOver(value: GoValue, passed: readonly GoValue[]): GoValue {
  if (!isScalar(value)) return value;
  const origins = passed.flatMap(originsOf);
  if (origins.length === 0) return value;
  if (value instanceof Tracked && value.spans.length > 0) {
    return new Tracked(
      value.value,
      value.spans.map((span) => ({ ...span, source: withInsteadOf(span.source, origins) })),
    );
  }
  const plain = value instanceof Tracked ? value.value : value;
  return trackedFrom(plain, withInsteadOf({ origins: [], exact: false }, origins));
}

/** Whether a value has no parts of its own: only such can be tracked. */
export function isScalar(value: GoValue): value is GoScalar | Tracked {
  return (
    value === null || typeof value !== "object" || value instanceof GoInteger || value instanceof Tracked
  );
}

/** What would have to be set for an empty value not to be passed over. */
function originsOf(empty: GoValue): readonly Origin[] {
  if (empty instanceof GoMap) return empty.origin === undefined ? [] : [empty.origin];
  if (!(empty instanceof Tracked)) return [];
  return empty.spans.flatMap(({ source }) => [...(source.insteadOf ?? []), ...source.origins]);
}

function withInsteadOf(source: Source, origins: readonly Origin[]): Source {
  return { ...source, insteadOf: [...new Set([...(source.insteadOf ?? []), ...origins])] };
}
