import type { Where } from "../../core/error.ts";
import type { ChartInstance } from "../../helm/chart/chart.ts";
import { fromBytes, toBytes } from "../../helm/go/utf8.ts";
import { locateOrigin } from "../../helm/provenance/locate-origin.ts";
import { sliceSpans, type Origin, type Span } from "../../helm/provenance/span.ts";
import type { UserValueLocator } from "../../helm/values/value-layer.ts";
import { formatValuePath, type ValuePath } from "../../yaml/value-path.ts";

/** A place that somebody wrote; the file and line are absent where a flag gives the value, or nothing does. */
export interface OriginPlace extends Pick<Where, "file" | "line" | "column"> {
  /** The flag that gives the value, in place of a file. */
  readonly flag?: string;
}

/** A value, by its path in the parent chart's terms. */
export interface ValuePlace extends OriginPlace {
  readonly path: string;
}

/**
 * A piece of a rendered text and one thing that it comes from. The pieces of a text cover it in their order; a
 * piece that is made of several things is given once for each of them.
 */
export interface TextOrigin extends OriginPlace {
  /** `unknown` where nothing is known, as of an indentation. */
  readonly kind: Origin["kind"] | "unknown";
  /** The piece, from `start` to before `end` of the whole. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Whether the piece stands there as it is; else it was computed from what stands there. */
  readonly exact: boolean;
  /** Of a value: its path in the parent chart's terms. */
  readonly path?: string;
  /** Of metadata: `Chart.AppVersion`, `Release.Name`, `Capabilities.KubeVersion.Version`. */
  readonly field?: string;
  /** Of a generated text: the function that made it. */
  readonly function?: string;
  /** The values that are empty, and would have been used in place of this piece had they not been. */
  readonly insteadOf?: readonly ValuePlace[];
}

/** Tells where the values, templates and files of one chart are written. */
export interface OriginLocator {
  /** @param offset where the text of interest begins in the origin's own */
  place(origin: Origin, offset: number): OriginPlace;
  value(path: ValuePath): ValuePlace;
}

/** @param locateUserValue tells which values the user gives; default: none */
export function createOriginLocator(
  root: ChartInstance,
  locateUserValue: UserValueLocator = () => undefined,
): OriginLocator {
  const place: OriginLocator["place"] = (origin, offset) => {
    const given = origin.kind === "value" ? locateUserValue(origin.path) : undefined;
    if (given !== undefined) return given;
    const { valuePath: _, ...where } = locateOrigin(root, origin, offset);
    return where;
  };
  return {
    place,
    value: (path) => ({ path: formatValuePath(path), ...place({ kind: "value", path }, 0) }),
  };
}

/**
 * What a text comes from, piece by piece.
 * @param spans in bytes of the text
 */
export function originsOfText(text: string, spans: readonly Span[], locator: OriginLocator): TextOrigin[] {
  const bytes = toBytes(text);
  const origins: TextOrigin[] = [];
  let position = 0;
  let start = 0;
  const addPiece = (until: number, span: Span | undefined): void => {
    const piece = fromBytes(bytes.slice(position, until));
    if (piece !== "" || span !== undefined) {
      origins.push(...originsOfPiece({ text: piece, start, end: start + piece.length }, span, locator));
    }
    position = until;
    start += piece.length;
  };
  for (const span of spans) {
    if (span.start > position) addPiece(span.start, undefined);
    addPiece(span.end, span);
  }
  if (position < bytes.length) addPiece(bytes.length, undefined);
  return origins;
}

/** {@link originsOfText} of a part of a text, in the terms of the whole. @param start, end in characters */
export function originsOfPart(
  text: string,
  spans: readonly Span[],
  { start, end }: { readonly start: number; readonly end: number },
  locator: OriginLocator,
): TextOrigin[] {
  const [from, to] = [start, end].map((at) => toBytes(text.slice(0, at)).length);
  const within = sliceSpans(spans, from ?? 0, to ?? 0);
  return originsOfText(text.slice(start, end), within, locator).map((origin) => ({
    ...origin,
    start: origin.start + start,
    end: origin.end + start,
  }));
}

function originsOfPiece(
  piece: Pick<TextOrigin, "text" | "start" | "end">,
  span: Span | undefined,
  locator: OriginLocator,
): TextOrigin[] {
  const { origins = [], exact = false, insteadOf = [] } = span?.source ?? {};
  const passed = insteadOf.flatMap((origin) => (origin.kind === "value" ? [locator.value(origin.path)] : []));
  const beside = passed.length === 0 ? {} : { insteadOf: passed };
  if (origins.length === 0) return [{ kind: "unknown", ...piece, exact: false, ...beside }];
  return origins.map((origin) => ({
    kind: origin.kind,
    ...piece,
    exact,
    ...nameOf(origin),
    ...locator.place(origin, exact ? (span?.offset ?? 0) : 0),
    ...beside,
  }));
}

function nameOf(origin: Origin): Pick<TextOrigin, "path" | "field" | "function"> {
  switch (origin.kind) {
    case "value":
      return { path: formatValuePath(origin.path) };
    case "metadata":
      return { field: origin.field };
    case "generated":
      return { function: origin.function };
    default:
      return {};
  }
}
