import { formatWhere } from "../../core/error.ts";
import { escapeLine } from "../../core/escape.ts";
import type { ExplainedLeaf, ExplainedObject, Explanation } from "../../relocation/explain/explain.ts";
import { nameOfObject } from "../../relocation/explain/find-objects.ts";
import type { OriginPlace, TextOrigin } from "../../relocation/rendering/text-origins.ts";
import { formatTable, type TableCell, type TableColumn } from "./table.ts";
import type { Colours, Terminal } from "./terminal.ts";
import { truncateMiddle } from "./text-width.ts";

/** The objects that a chart renders, or what put the texts of one there, for people; safe to print. */
export function formatExplanation({ objects }: Explanation, terminal: Terminal): string {
  if (objects.every(({ leaves }) => leaves === undefined)) return objectTable(objects, terminal);
  return objects.map((object) => explainObject(object, terminal)).join("\n");
}

function objectTable(objects: readonly ExplainedObject[], terminal: Terminal): string {
  const columns = [
    { title: "object", shrinks: true },
    { title: "template", shrinks: true },
  ];
  const rows = objects.map((object) => [nameOfObject(object), object.file ?? object.template ?? ""]);
  return table(columns, rows, terminal);
}

function explainObject(object: ExplainedObject, terminal: Terminal): string {
  const { field = "", leaves = [], file, template } = object;
  const source = file ?? template;
  const name = `${terminal.colours.bold(escapeLine(nameOfObject(object)))}${field === "" ? "" : ` ${escapeLine(field)}`}`;
  const head = `${name}\n${source === undefined ? "" : `  of ${escapeLine(source)}\n`}\n`;
  const [only] = leaves;
  if (only !== undefined && only.field === field) return `${head}${sourceMap(only, terminal)}`;
  return `${head}${field === "" ? leafTable(leaves, terminal) : pieceTable(leaves, field, terminal)}`;
}

/** The text of one leaf, and below it its pieces. */
function sourceMap(leaf: ExplainedLeaf, terminal: Terminal): string {
  const text =
    typeof leaf.value === "string" && leaf.value.includes("\n") ? "" : `${paint(leaf, terminal)}\n\n`;
  const columns = [
    { title: "text", shrinks: true },
    { title: "from", shrinks: true },
    { title: "at", shrinks: true },
  ];
  return `${text}${table(columns, pieceRows(leaf, terminal), terminal)}`;
}

/** Each piece of each leaf; fields are told from the one that was asked for. */
function pieceTable(leaves: readonly ExplainedLeaf[], field: string, terminal: Terminal): string {
  const columns = [
    { title: "field", shrinks: true },
    { title: "text", shrinks: true },
    { title: "from", shrinks: true },
    { title: "at", shrinks: true },
  ];
  const rows = leaves.flatMap((leaf) =>
    pieceRows(leaf, terminal).map((row, index) => [
      index === 0 ? leaf.field.slice(field.length).replace(/^\./u, "") : "",
      ...row,
    ]),
  );
  return table(columns, rows, terminal);
}

/** A line for each leaf: what it comes from besides the text of its template. */
function leafTable(leaves: readonly ExplainedLeaf[], terminal: Terminal): string {
  const columns = [
    { title: "field", shrinks: true },
    { title: "text", shrinks: true },
    { title: "from", shrinks: true },
    { title: "at", shrinks: true },
  ];
  const rows = leaves.map(({ field, text, origins }): TableCell[] => {
    const telling = origins.filter(({ kind }) => kind !== "template" && kind !== "unknown");
    const [first] = telling.length > 0 ? telling : origins;
    const sources = new Set(
      (first === undefined ? [] : telling.length > 0 ? telling : [first]).map(describeSource),
    );
    const place = first === undefined || sources.size > 1 ? "" : describePlace(first);
    return [field, shorten(text, maxOverviewText), styled([...sources].join(", "), first, terminal), place];
  });
  return table(columns, rows, terminal);
}

const maxOverviewText = 60;
const maxPieceText = 200;

function pieceRows({ origins }: ExplainedLeaf, terminal: Terminal): TableCell[][] {
  return origins.flatMap((origin, index) => {
    const isFurther = origins[index - 1]?.start === origin.start && origins[index - 1]?.end === origin.end;
    const text = isFurther ? "" : shorten(origin.text, maxPieceText);
    const isLast = origins[index + 1]?.start !== origin.start;
    const unset = isLast ? (origin.insteadOf ?? []) : [];
    return [
      [
        styled(text, origin, terminal),
        `${isFurther ? "and " : ""}${describeSource(origin)}`,
        describePlace(origin),
      ],
      ...unset.map((value) => ["", `unless ${value.path} is set`, describePlace(value)]),
    ];
  });
}

/** Where the text comes from, in a word or a path. */
function describeSource({ kind, path = "", field = "", function: maker = "", exact }: TextOrigin): string {
  const source = {
    value: path,
    metadata: `.${field}`,
    template: "the template's text",
    file: "a file",
    generated: `the function ${maker}`,
    unknown: "not known",
  }[kind];
  const isComputed = !exact && kind !== "unknown" && kind !== "generated";
  return isComputed ? `computed from ${source}` : source;
}

function describePlace({ flag, file, line, column }: OriginPlace): string {
  return (
    flag ??
    formatWhere({
      ...(file === undefined ? {} : { file }),
      ...(line === undefined ? {} : { line }),
      ...(column === undefined ? {} : { column }),
    })
  );
}

/** The text with its pieces in the colours of what they come from. */
function paint({ text, origins }: ExplainedLeaf, { colours }: Terminal): string {
  // Without colours the line is escaped as a whole: a piece may be harmless that the line is not.
  if (!colours.isColorSupported) return escapeLine(text);
  const pieces = origins.filter(({ start }, index) => index === 0 || origins[index - 1]?.start !== start);
  return pieces.map((piece) => styleOf(piece, colours)(escapeLine(piece.text))).join("");
}

function styled(text: string, origin: TextOrigin | undefined, { colours }: Terminal): TableCell {
  return origin === undefined ? text : { text, style: styleOf(origin, colours) };
}

function styleOf({ kind }: TextOrigin, colours: Colours): (text: string) => string {
  return {
    value: colours.green,
    metadata: colours.magenta,
    template: colours.blue,
    file: colours.cyan,
    generated: colours.yellow,
    unknown: colours.dim,
  }[kind];
}

function shorten(text: string, width: number): string {
  return truncateMiddle(escapeLine(text), width);
}

function table(
  columns: readonly TableColumn[],
  rows: readonly (readonly TableCell[])[],
  { width, colours }: Terminal,
): string {
  return formatTable(columns, rows, { width, styleTitle: colours.bold });
}
