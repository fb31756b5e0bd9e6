import { escapeLine } from "../../core/escape.ts";
import { findFurtherDiagnostics, findMisses, type Miss } from "../../relocation/report/finding.ts";
import {
  chartStatus,
  chartStatuses,
  compareWorstFirst,
  formatPercent,
  sumTotals,
  type Totals,
} from "../../relocation/report/totals.ts";
import type { ChartResult, SurveyEntry } from "../../relocation/result.ts";
import type { Colours } from "./terminal.ts";
import {
  describeBeyond,
  describeDiagnostic,
  describeHint,
  describeMessage,
  describePlace,
  styleStatus,
  type VerdictTextOptions,
} from "./verdict-text.ts";

/**
 * What a person is told after a survey, one line each and safe to print: each chart that is not in order,
 * the worst last since a terminal shows the end, and below them the totals.
 */
export function describeSurvey(
  entries: readonly SurveyEntry[],
  { colours, verbose }: VerdictTextOptions,
): readonly string[] {
  const told = entries
    .filter((entry) => verbose || entry.exitCode !== 0)
    .toSorted((a, b) => compareWorstFirst(b, a));
  return [
    ...told.flatMap((entry, index) => describeEntry(entry, told[index + 1], colours)),
    ...describeTotals(sumTotals(entries), colours),
  ];
}

function describeEntry(
  entry: SurveyEntry,
  next: SurveyEntry | undefined,
  colours: Colours,
): readonly string[] {
  const status = chartStatus(entry);
  const style = styleStatus(status, colours);
  if ("failure" in entry) {
    const { chart, error } = entry.failure;
    return [
      `${style}: ${colours.bold(escapeLine(chart.path))}`,
      ...describeMessage("  error", error.message),
      ...describePlace(error.where),
      // One cause, such as a missing helm, may fail every chart: its hint is told once.
      ...describeHint(error.hint === hintOf(next) ? undefined : error.hint),
    ];
  }
  const { chart, verdict } = entry.result;
  const name = colours.bold(escapeLine(`${chart.name} ${chart.version}`));
  // A chart may fail although its verdict is good: under --strict, or by a finding that no rate shows.
  const isUntold = entry.exitCode !== 0 && verdict.rate >= verdict.threshold;
  const exit = isUntold ? `, exit code ${entry.exitCode}` : "";
  return [
    `${style}: ${name}: ${escapeLine(verdict.details)}${exit}`,
    ...describeMisses(findMisses(entry.result)),
    ...(isUntold ? describeCauses(entry.result, colours) : []),
  ];
}

function hintOf(entry: SurveyEntry | undefined): string | undefined {
  return entry !== undefined && "failure" in entry ? entry.failure.error.hint : undefined;
}

/** The images that did not move under their reasons, each with the places to look at. */
function describeMisses(misses: readonly Miss[]): readonly string[] {
  const groups = Map.groupBy(misses, ({ reason }) => reason);
  return [...groups].flatMap(([reason, group]) =>
    indent(describeMessage("not moved", reason)).concat(indent(group.flatMap(describeMiss))),
  );
}

function describeMiss({ image, places }: Miss): readonly string[] {
  return indent([escapeLine(image.source), ...describePlaces(places)]);
}

const maxPlaces = 3;

function describePlaces(places: Miss["places"]): readonly string[] {
  const more = places.length - maxPlaces;
  const rest = more > 0 ? [`  and at ${more} more`] : [];
  return [...places.slice(0, maxPlaces).flatMap(describePlace), ...rest];
}

/** The errors that no rate shows, else what `--strict` refuses. */
function describeCauses(result: ChartResult, colours: Colours): readonly string[] {
  const further = findFurtherDiagnostics(result);
  const errors = further.filter(({ severity }) => severity === "error");
  const causes = errors.length > 0 ? errors : further.filter(({ unsupported }) => unsupported === true);
  return indent(causes.flatMap((diagnostic) => describeDiagnostic(diagnostic, colours)));
}

function indent(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}

function describeTotals(totals: Totals, colours: Colours): readonly string[] {
  const charts = chartStatuses
    .filter((status) => totals.chartsByStatus[status] > 0)
    .map((status) => `${totals.chartsByStatus[status]} ${styleStatus(status, colours)}`);
  const images = [
    `${totals.moved} moved`,
    ...(totals.planned === 0 ? [] : [`${totals.planned} planned`]),
    `${totals.notMoved} not moved`,
  ];
  const none = totals.images === 0;
  return [
    `Charts: ${totals.charts}${charts.length === 0 ? "" : ` (${charts.join(", ")})`}`,
    none ? "Images: none in scope" : `Images: ${totals.images} in scope, ${images.join(", ")}`,
    ...describeBeyond(totals),
    ...(none ? [] : [`Image Match Rate ${formatPercent(totals.rate)}`]),
  ];
}
