import type { Diagnostic, Severity } from "../../core/diagnostic.ts";
import { formatWhere, type FairleadError, type Where } from "../../core/error.ts";
import { escapeLine } from "../../core/escape.ts";
import { findMisses, findUntoldMisses, type Miss } from "../../relocation/report/finding.ts";
import { type ChartStatus, chartStatus, formatPercent, sumTotals } from "../../relocation/report/totals.ts";
import type { ChartResult, SurveyEntry } from "../../relocation/result.ts";
import type { Colours } from "./terminal.ts";

export interface VerdictTextOptions {
  readonly colours: Colours;
  /** Whether findings that need no attention are told too. */
  readonly verbose: boolean;
}

/**
 * What a person is told after a run over one chart, one line each and safe to print: findings, images that
 * did not move, projects that must exist, and last the verdict.
 */
export function describeResult(result: ChartResult, options: VerdictTextOptions): readonly string[] {
  const { verdict, projects } = result;
  const findings = result.diagnostics.filter(
    (diagnostic) => options.verbose || diagnostic.severity !== "info",
  );
  const lines = [
    ...findings.flatMap((diagnostic) => describeDiagnostic(diagnostic, options.colours)),
    ...findUntoldMisses(result).flatMap((miss) => describeMiss(miss, options.colours)),
  ];
  if (projects.length > 0) {
    const target = result.targetRegistry;
    lines.push(escapeLine(`Projects that must exist at ${target}: ${projects.join(", ")}`));
  }
  const status = styleStatus(verdict.status, options.colours);
  const chart = escapeLine(`${result.chart.name} ${result.chart.version}`);
  lines.push(`${status}: ${chart}: ${escapeLine(verdict.details)}`);
  lines.push(`Image Match Rate ${formatPercent(verdict.rate)}, Chart Install ${verdict.chartInstall}`);
  if (verdict.chartInstall === "not-run") {
    lines.push("Nothing has rendered this override; --verify proves it with helm.");
  }
  return lines;
}

/** Lines as text, with a line end after each. */
export function toText(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}

/** What a person is told after a survey: each chart that is not in order, and the totals last. */
export function describeSurvey(
  entries: readonly SurveyEntry[],
  options: VerdictTextOptions,
): readonly string[] {
  const totals = sumTotals(entries);
  const counts = Object.entries(totals.chartsByStatus)
    .filter(([, count]) => count > 0)
    .map(([status, count]) => `${count} ${status}`);
  return [
    ...entries.flatMap((entry) => describeEntry(entry, options)),
    `Charts: ${totals.charts}${counts.length === 0 ? "" : ` (${counts.join(", ")})`}`,
    `Images: ${totals.images} in scope, ${totals.moved} moved, ${totals.planned} planned, ${totals.notMoved} not moved${totals.notRendered === 0 ? "" : `; ${totals.notRendered} more that no chart rendered`}`,
    `Image Match Rate ${formatPercent(totals.rate)}`,
  ];
}

/** An error as lines that are safe to print: the sentence, the place, what to do next. */
export function describeError(
  error: Pick<FairleadError, "message" | "where" | "hint">,
  colours: Colours,
): readonly string[] {
  return [
    `${colours.red("error")}: ${escapeLine(error.message)}`,
    ...describePlace(error.where),
    ...(error.hint === undefined ? [] : [`  hint: ${escapeLine(error.hint)}`]),
  ];
}

function describeEntry(entry: SurveyEntry, options: VerdictTextOptions): readonly string[] {
  if (entry.exitCode === 0 && !options.verbose) return [];
  const status = styleStatus(chartStatus(entry), options.colours);
  if ("failure" in entry) {
    const { chart, error } = entry.failure;
    return [
      `${status}: ${escapeLine(chart.path)}: ${escapeLine(error.message)}`,
      ...describePlace(error.where),
    ];
  }
  const { chart, verdict } = entry.result;
  const name = escapeLine(`${chart.name} ${chart.version}`);
  return [
    `${status}: ${name}: ${escapeLine(verdict.details)}`,
    ...findMisses(entry.result).map(
      ({ image, reason }) => `  ${escapeLine(image.source)}: ${escapeLine(reason)}`,
    ),
  ];
}

function describeMiss({ image, reason, hint }: Miss, colours: Colours): readonly string[] {
  return [
    `${colours.red("not moved")}: ${escapeLine(image.source)}: ${escapeLine(reason)}`,
    ...image.values.flatMap(describePlace),
    ...(image.values.length === 0 ? image.places : []).map(
      (place) =>
        `  ${escapeLine(`${place.kind}/${place.name} ${place.field} (${place.template ?? "no template"})`)}`,
    ),
    ...(hint === undefined ? [] : [`  hint: ${escapeLine(hint)}`]),
  ];
}

/** A finding as lines that are safe to print. */
export function describeDiagnostic(diagnostic: Diagnostic, colours: Colours): readonly string[] {
  const styles: Readonly<Record<Severity, (text: string) => string>> = {
    error: colours.red,
    warning: colours.yellow,
    info: colours.cyan,
  };
  return [
    `${styles[diagnostic.severity](diagnostic.severity)}: ${escapeLine(diagnostic.message)}`,
    ...describePlace(diagnostic.where),
    ...(diagnostic.hint === undefined ? [] : [`  hint: ${escapeLine(diagnostic.hint)}`]),
  ];
}

function describePlace(where: Where): readonly string[] {
  const place = formatWhere(where);
  return place === "" ? [] : [`  at ${escapeLine(place)}`];
}

function styleStatus(status: ChartStatus, colours: Colours): string {
  const styles: Readonly<Record<ChartStatus, (text: string) => string>> = {
    FAILED: colours.red,
    CRITICAL: colours.red,
    WARNING: colours.yellow,
    UNVERIFIED: colours.blue,
    OK: colours.green,
  };
  return colours.bold(styles[status](status));
}
