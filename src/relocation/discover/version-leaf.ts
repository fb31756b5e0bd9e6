import type { Origin, Span } from "../../helm/provenance/span.ts";
import { sliceSpans } from "../../helm/provenance/span.ts";
import type { YamlMap } from "../../yaml/value.ts";
import { formatValuePath, getAt, type ValuePath } from "../../yaml/value-path.ts";

/** A leaf of the values that holds an image's tag or digest, or the part of it that the template does not add. */
export interface VersionLeaf {
  readonly path: ValuePath;
  /** What the leaf holds, or has to hold where it is empty and something else stands in its place. */
  readonly text: string;
  /** What the template puts before it, such as `v`. */
  readonly before: string;
  /** What the template puts behind it, such as `-alpine`. */
  readonly after: string;
}

/** The leaves that hold the tag and the digest of one rendered image, as far as values do. */
export interface VersionLeaves {
  readonly tag?: VersionLeaf;
  readonly digest?: VersionLeaf;
}

/** A text that is traced: the version of an image, from behind its name on. */
interface TracedText {
  readonly text: string;
  readonly spans: readonly Span[];
}

/** Chooses, of the empty values in place of which a text stands, the one to set. */
export type EmptyLeafChoice = (origins: readonly Origin[]) => ValuePath | undefined;

/**
 * The leaves of the values that hold the tag and the digest of a rendered image.
 * @param nameEnd where the image's name ends in its text
 * @param values the root's values that were rendered
 */
export function versionLeavesOf(
  { text, spans }: TracedText,
  nameEnd: number,
  values: YamlMap,
  choose: EmptyLeafChoice,
): VersionLeaves {
  const at = text.indexOf("@", nameEnd);
  const tagEnd = at === -1 ? text.length : at;
  const read = (start: number, end: number): VersionLeaf | undefined =>
    start < end
      ? leafOf({ text: text.slice(start, end), spans: sliceSpans(spans, start, end) }, values, choose)
      : undefined;
  const tag = text[nameEnd] === ":" ? read(nameEnd + 1, tagEnd) : undefined;
  const digest = at === -1 ? undefined : read(at + 1, text.length);
  return { ...(tag === undefined ? {} : { tag }), ...(digest === undefined ? {} : { digest }) };
}

/** The one leaf that a text has a part from; undefined where there is none, or more than one. */
function leafOf(
  { text, spans }: TracedText,
  values: YamlMap,
  choose: EmptyLeafChoice,
): VersionLeaf | undefined {
  let found: { readonly path: ValuePath; readonly start: number; readonly end: number } | undefined;
  for (const span of spans) {
    const path = pathOf(span, values, choose);
    if (path === "unclear") return undefined;
    if (path === undefined) continue;
    const isSame = found !== undefined && formatValuePath(found.path) === formatValuePath(path);
    if (found !== undefined && !(isSame && found.end === span.start)) return undefined;
    found = { path, start: found?.start ?? span.start, end: span.end };
  }
  if (found === undefined) return undefined;
  const part = text.slice(found.start, found.end);
  const whole = getAt(values, found.path) ?? "";
  // A leaf that holds more than the part, or that the template makes something else of.
  if (whole !== "" && (typeof whole === "object" || String(whole) !== part)) return undefined;
  return { path: found.path, text: part, before: text.slice(0, found.start), after: text.slice(found.end) };
}

/** @returns undefined for what no value makes, `unclear` for what several make */
function pathOf(
  { source }: Span,
  values: YamlMap,
  choose: EmptyLeafChoice,
): ValuePath | "unclear" | undefined {
  const [origin, ...others] = source.origins.filter(({ kind }) => kind === "value");
  if (others.length > 0) return "unclear";
  if (origin?.kind === "value") return getAt(values, origin.path) === "" ? "unclear" : origin.path;
  return choose(source.insteadOf ?? []);
}
