import { formatTable, type TableColumn } from "../src/cli/output/table.ts";

/** What was measured, and the bar that it is held to. */
export interface BenchRow {
  readonly what: string;
  readonly chart: string;
  readonly fairlead: string;
  /** What helm, or another program that does the same, needs for it. */
  readonly helm?: string;
  readonly measured: string;
  readonly bar: string;
  readonly isMet: boolean;
}

const columns: readonly TableColumn[] = [
  { title: "what" },
  { title: "of" },
  { title: "fairlead", align: "right" },
  { title: "beside it", align: "right" },
  { title: "measured", align: "right" },
  { title: "bar", align: "right" },
  { title: "" },
];

/** The rows as a table. */
export function tableOf(rows: readonly BenchRow[]): string {
  const cells = rows.map((row) => [
    row.what,
    row.chart,
    row.fairlead,
    row.helm ?? "",
    row.measured,
    row.bar,
    row.isMet ? "met" : "missed",
  ]);
  return formatTable(columns, cells, { width: undefined });
}

/** A time in the unit that suits it. */
export function formatMs(ms: number): string {
  return ms < 10_000 ? `${ms.toFixed(ms < 100 ? 1 : 0)} ms` : `${(ms / 1000).toFixed(1)} s`;
}
