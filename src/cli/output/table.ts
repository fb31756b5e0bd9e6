import { escapeLine } from "../../core/escape.ts";
import { textWidth, truncateMiddle } from "./text-width.ts";

export interface TableColumn {
  readonly title: string;
  /** Numbers stand at the right. Default: left. */
  readonly align?: "left" | "right";
  /** Whether the column may lose the middle of its texts where the terminal is narrow. */
  readonly shrinks?: boolean;
}

/** A cell: text from anywhere, and how it is coloured once it stands in its place. */
export type TableCell = string | { readonly text: string; readonly style: (text: string) => string };

export interface TableOptions {
  /** Columns of the terminal; every text stays whole where undefined. */
  readonly width: number | undefined;
  readonly styleTitle?: (text: string) => string;
}

const gap = "  ";
const minShrunkWidth = 12;

/** Rows under upper-case titles, aligned, a line each and each with a line end. Every text is escaped. */
export function formatTable(
  columns: readonly TableColumn[],
  rows: readonly (readonly TableCell[])[],
  options: TableOptions,
): string {
  const titles = columns.map(({ title }) => ({
    text: title.toUpperCase(),
    style: options.styleTitle ?? String,
  }));
  const grid = [titles, ...rows].map((row) => columns.map((_, index) => prepareCell(row[index] ?? "")));
  const natural = columns.map((_, index) =>
    grid.reduce((width, row) => Math.max(width, textWidth(row[index]?.text ?? "")), 0),
  );
  const widths = options.width === undefined ? natural : shrinkWidths(columns, natural, options.width);
  return grid.map((row) => `${formatRow(columns, row, widths)}\n`).join("");
}

interface PreparedCell {
  readonly text: string;
  readonly style: (text: string) => string;
}

function prepareCell(cell: TableCell): PreparedCell {
  return typeof cell === "string"
    ? { text: escapeLine(cell), style: String }
    : { text: escapeLine(cell.text), style: cell.style };
}

function formatRow(
  columns: readonly TableColumn[],
  row: readonly PreparedCell[],
  widths: readonly number[],
): string {
  const cells = row.map((cell, index) => {
    const width = widths[index] ?? 0;
    const text = truncateMiddle(cell.text, width);
    const padding = " ".repeat(Math.max(0, width - textWidth(text)));
    if (columns[index]?.align === "right") return padding + cell.style(text);
    // Trailing blanks would wrap a full line.
    return cell.style(text) + (index === columns.length - 1 ? "" : padding);
  });
  return cells.join(gap).trimEnd();
}

/** Takes what is too much from the widest columns that may shrink, so that they end equally wide. */
function shrinkWidths(
  columns: readonly TableColumn[],
  natural: readonly number[],
  available: number,
): readonly number[] {
  const widths = [...natural];
  let excess = widths.reduce((sum, width) => sum + width + gap.length, -gap.length) - available;
  while (excess > 0) {
    let widest = -1;
    for (const [index, width] of widths.entries()) {
      if (columns[index]?.shrinks === true && width > Math.max(minShrunkWidth, widths[widest] ?? 0)) {
        widest = index;
      }
    }
    if (widest === -1) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
    excess -= 1;
  }
  return widths;
}
