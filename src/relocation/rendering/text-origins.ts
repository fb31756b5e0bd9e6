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
 * @param base where the text begins in the whole that pieces are told from
 */
export function originsOfText(
  text: string,
  spans: readonly Span[],
  locator: OriginLocator,
  base: number = 0,
): TextOrigin[] {
  const bytes = toBytes(text);
  const origins: TextOrigin[] = [];
  let position = 0;
  let start = base;
  const addPiece = (until: number, span: Span | undefined): void => {
    const piece = fromBytes(bytes.slice(position, until));
    const end = start + piece.length;
    if (piece !== "" || span !== undefined) {
      origins.push(...originsOfPiece({ text: piece, start, end }, span, locator));
    }
    position = until;
    start = end;
  };
  for (const span of spans) {
    if (span.start > position) addPiece(span.start, undefined);
    addPiece(span.end, span);
  }
  if (position < bytes.length) addPiece(bytes.length, undefined);
  return origins;
}

/** {@link originsOfText} of a part of a text, in the terms of the whole. @param range in characters */
export function originsOfPart(
  text: string,
  spans: readonly Span[],
  range: { readonly start: number; readonly end: number },
  locator: OriginLocator,
): TextOrigin[] {
  const from = toBytes(text.slice(0, range.start)).length;
  const part = text.slice(range.start, range.end);
  return originsOfText(part, sliceSpans(spans, from, from + toBytes(part).length), locator, range.start);
}

type Piece = Pick<TextOrigin, "text" | "start" | "end">;

function originsOfPiece(piece: Piece, span: Span | undefined, locator: OriginLocator): TextOrigin[] {
  const { origins = [], exact = false, insteadOf = [] } = span?.source ?? {};
  const passed = insteadOf.flatMap((origin) => (origin.kind === "value" ? [locator.value(origin.path)] : []));
  const beside = passed.length === 0 ? {} : { insteadOf: passed };
  if (origins.length === 0) return [{ kind: "unknown", ...piece, exact: false, ...beside }];
  const offset = exact ? (span?.offset ?? 0) : 0;
  const told: TextOrigin[] = [];
  for (const origin of origins) {
    const { kind } = origin;
    told.push({ kind, ...piece, exact, ...nameOf(origin), ...locator.place(origin, offset), ...beside });
  }
  return told;
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
