import type { ValuePath } from "../../yaml/value-path.ts";

/** Where a piece of text was written down by somebody. */
export type Origin =
  /** A leaf of the values, in the root chart's terms; what would have to be set to change it. */
  | { readonly kind: "value"; readonly path: ValuePath }
  /** Text of a template: the file as Helm names it (`shop/templates/web.yaml`) and a byte offset in it. */
  | { readonly kind: "template"; readonly file: string; readonly offset: number }
  /** A file of the chart that a template reads. */
  | { readonly kind: "file"; readonly file: string }
  /**
   * A field of Chart.yaml, of the release or of the capabilities, such as `Chart.AppVersion`, and the chart whose
   * template reads it, by the folder that Helm names (`shop/charts/redis`).
   */
  | { readonly kind: "metadata"; readonly chart: string; readonly field: string }
  /** Made by a function out of nothing: a random text, a certificate, the time. */
  | { readonly kind: "generated"; readonly function: string };

/** What a span comes from. */
export interface Source {
  readonly origins: readonly Origin[];
  /** True where the text stands in its one origin as it is, from {@link Span.offset} on. */
  readonly exact: boolean;
  /** The values that would have been used in place of this text, had they not been empty. */
  readonly insteadOf?: readonly Origin[];
}

/** A part of a text, from `start` to before `end`, and what it comes from. Spans are in order and apart. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly source: Source;
  /** Where an exact span begins in its origin's own text; 0 otherwise. */
  readonly offset: number;
}

/** The spans of a part of a text, moved to the part's own terms. */
export function sliceSpans(spans: readonly Span[], start: number, end: number): Span[] {
  const sliced: Span[] = [];
  for (let index = firstAfter(spans, start); index < spans.length; index++) {
    const span = spans[index];
    if (span === undefined || span.start >= end) break;
    const from = Math.max(span.start, start);
    sliced.push({
      start: from - start,
      end: Math.min(span.end, end) - start,
      source: span.source,
      offset: span.source.exact ? span.offset + from - span.start : 0,
    });
  }
  return sliced;
}

/** The index of the first span that ends after a position. */
function firstAfter(spans: readonly Span[], position: number): number {
  let low = 0;
  let high = spans.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spans[middle]?.end ?? 0) > position) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** One source that stands for all of these: the text was made from them, and cannot be told apart. */
export function unionOfSources(sources: Iterable<Source>): Source | undefined {
  const origins = new Set<Origin>();
  const insteadOf = new Set<Origin>();
  for (const source of sources) {
    for (const origin of source.origins) origins.add(origin);
    for (const origin of source.insteadOf ?? []) insteadOf.add(origin);
  }
  if (origins.size === 0 && insteadOf.size === 0) return undefined;
  return {
    origins: [...origins],
    exact: false,
    ...(insteadOf.size === 0 ? {} : { insteadOf: [...insteadOf] }),
  };
}
