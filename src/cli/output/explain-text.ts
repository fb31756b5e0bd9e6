import { formatWhere } from "../../core/error.ts";
import { escapeLine } from "../../core/escape.ts";
import type { ExplainedLeaf, ExplainedObject, Explanation } from "../../relocation/explain/explain.ts";
import { nameOfObject } from "../../relocation/explain/find-objects.ts";
import type { OriginPlace, TextOrigin } from "../../relocation/rendering/text-origins.ts";
import { formatTable, type TableCell, type TableColumn } from "./table.ts";
import type { Colours, Terminal } from "./terminal.ts";
import { textWidth, truncateMiddle } from "./text-width.ts";

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
  const text = leaf.text.includes("\n") ? "" : `${paint(leaf, terminal)}\n\n`;
  const rows = pieceRows(leaf, terminal);
  const columns = ["text", "from", "at"].map((title) => ({ title }));
  return text + tableOrElse(columns, rows, terminal, () => stack(rows, ""));
}

/** Each piece of each leaf; fields are told from the one that was asked for. */
function pieceTable(leaves: readonly ExplainedLeaf[], field: string, terminal: Terminal): string {
  const groups = leaves.map((leaf) => ({
    name: leaf.field.slice(field.length).replace(/^\./u, ""),
    rows: pieceRows(leaf, terminal),
  }));
  const rows = groups.flatMap((group) =>
    group.rows.map((row, index) => [index === 0 ? group.name : "", ...row]),
  );
  const columns = ["field", "text", "from", "at"].map((title) => ({ title }));
  return tableOrElse(columns, rows, terminal, () =>
    groups.map((group) => `${escapeLine(group.name)}\n${stack(group.rows, "  ")}`).join(""),
  );
}

/** A line for each leaf: what it comes from besides the text of its template; a narrow terminal gets no places. */
function leafTable(leaves: readonly ExplainedLeaf[], terminal: Terminal): string {
  const rows = leaves.map(({ field, text, origins }): TableCell[] => {
    const telling = origins.filter(({ kind }) => kind !== "template" && kind !== "unknown");
    const told = telling.length > 0 ? telling : origins.slice(0, 1);
    const sources = [...new Set(told.map((origin) => describeSource(origin)))];
    const place = told[0] === undefined || sources.length > 1 ? "" : describePlace(told[0]);
    return [field, shorten(text, maxOverviewText), styled(sources.join(", "), told[0], terminal), place];
  });
  const columns = ["field", "text", "from"].map((title) => ({ title, shrinks: true }));
  return tableOrElse([...columns, { title: "at" }], rows, terminal, () =>
    table(
      columns,
      rows.map((row) => row.slice(0, -1)),
      terminal,
    ),
  );
}

/** A table where the terminal is wide enough for all of it, else another form. */
function tableOrElse(
  columns: readonly TableColumn[],
  rows: readonly (readonly TableCell[])[],
  terminal: Terminal,
  other: () => string,
): string {
  const { width = Infinity } = terminal;
  const whole = table(columns, rows, { ...terminal, width: undefined });
  return whole.split("\n").every((line) => textWidth(line) <= width) ? whole : other();
}

/** The rows of a table with a line for each cell, so that none has to be cut. */
function stack(rows: readonly (readonly TableCell[])[], indent: string): string {
  return rows
    .flatMap(([text = "", ...rest]) => [
      stackLine(text, indent),
      ...rest.map((cell) => stackLine(cell, `${indent}  `)),
    ])
    .join("");
}

function stackLine(cell: TableCell, indent: string): string {
  const { text, style } = typeof cell === "string" ? { text: cell, style: String } : cell;
  return text === "" ? "" : `${indent}${style(escapeLine(text))}\n`;
}

const maxOverviewText = 60;
const maxPieceText = 200;

function pieceRows(leaf: ExplainedLeaf, terminal: Terminal): TableCell[][] {
  // The blanks between lines are the indentation's doing.
  const origins = leaf.origins.filter(({ kind, text }) => kind !== "unknown" || text.trim() !== "");
  const rows: TableCell[][] = [];
  for (const [index, origin] of origins.entries()) {
    const isFurther = isSamePiece(origin, origins[index - 1]);
    const text = isFurther ? "" : shorten(origin.text, maxPieceText);
    const source = `${isFurther ? "and " : ""}${describeSource(origin)}`;
    rows.push([styled(text, origin, terminal), source, describePlace(origin)]);
    if (isSamePiece(origin, origins[index + 1])) continue;
    for (const value of origin.insteadOf ?? []) {
      rows.push(["", `unless ${value.path} is set`, describePlace(value)]);
    }
  }
  return rows;
}

function isSamePiece(origin: TextOrigin, other: TextOrigin | undefined): boolean {
  return origin.start === other?.start && origin.end === other.end;
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
