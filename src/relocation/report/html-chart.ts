import type { Diagnostic } from "../../core/diagnostic.ts";
import { formatWhere } from "../../core/error.ts";
import type { ChartFailure, ChartResult, SurveyEntry } from "../result.ts";
import { findFurtherDiagnostics, findMisses, formatWhereInside } from "./finding.ts";
import { formatBar } from "./html-bar.ts";
import { formatImages } from "./html-images.ts";
import { type Markup, lines, markup, trusted } from "./html-template.ts";
import { chartStatus, formatPercent, sumTotals } from "./totals.ts";

/** One chart as a list item that opens: what became of it at a glance, and everything known inside. */
export function formatChart(entry: SurveyEntry, open: boolean): Markup {
  const status = chartStatus(entry);
  const failed = "failure" in entry;
  const name = failed ? entry.failure.chart.path : entry.result.chart.name;
  const version = failed ? undefined : markup` <span class="muted">${entry.result.chart.version}</span>`;
  return markup`<li class="chart" data-name="${name}" data-images="${String(sumTotals([entry]).images)}"
    data-problem="${isProblem(entry) ? "yes" : "no"}">
    <details${open ? trusted(" open") : undefined}>
      <summary>
        <span class="badge ${status}">${status}</span>
        <span class="title"><h3>${name}</h3>${version}</span>
        ${failed ? undefined : formatShare(entry.result)}
        ${formatWhy(entry)}
      </summary>
      <div class="body">
        ${failed ? formatFailure(entry.failure, entry.exitCode) : formatResult(entry.result, entry.exitCode)}
      </div>
    </details>
  </li>
  `;
}

/** Whether a reader who asked for problems only wants to see the chart. */
export function isProblem(entry: SurveyEntry): boolean {
  return entry.exitCode !== 0 || "failure" in entry || findMisses(entry.result).length > 0;
}

function formatShare(result: ChartResult): Markup {
  const totals = sumTotals([{ result, exitCode: 0, durationMs: 0 }]);
  if (totals.images === 0) return markup`<span class="share muted">no image in scope</span>`;
  const done = totals.moved + totals.planned;
  const bar = formatBar([
    { className: "moved", count: totals.moved },
    { className: "planned", count: totals.planned },
    { className: "not-moved", count: totals.notMoved },
  ]);
  const verb = totals.planned > 0 ? "moved or planned" : "moved";
  return markup`<span class="share">${done} of ${totals.images} ${verb}${bar}</span>`;
}

/** The reason in short, so that a closed chart tells it already. */
function formatWhy(entry: SurveyEntry): Markup | undefined {
  const why =
    "failure" in entry ? firstLine(entry.failure.error.message) : whyOf(entry.result, entry.exitCode);
  return why === undefined ? undefined : markup`<span class="why">${why}</span>`;
}

function whyOf(result: ChartResult, exitCode: number): Markup | string | undefined {
  const misses = findMisses(result);
  const [first] = misses;
  if (first !== undefined) {
    const [place] = first.places;
    const where = place === undefined ? "" : ` at ${formatWhereInside(place, result.chart)}`;
    const rest = misses.length === 1 ? "" : `, and ${(misses.length - 1).toLocaleString("en")} more`;
    return markup`<code>${first.image.source}</code> ${first.reason}<span class="muted">${where}${rest}</span>`;
  }
  if (exitCode === 0) return undefined;
  const worst =
    result.diagnostics.find((diagnostic) => diagnostic.severity === "error") ??
    result.diagnostics.find((diagnostic) => diagnostic.unsupported === true);
  return firstLine(worst?.message ?? result.verdict.details);
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0] ?? "";
}

function formatFailure(failure: ChartFailure, exitCode: number): Markup {
  const { error } = failure;
  const place = formatWhere(error.where);
  return markup`<p class="message">${lines(error.message)}</p>
    ${place === "" ? undefined : markup`<p class="muted"><code>${place}</code></p>`}
    ${error.hint === undefined ? undefined : markup`<p>${error.hint}</p>`}
    ${formatFacts([
      ["Chart", failure.chart.path],
      ["Error", error.code],
      ["Exit code", exitCode],
    ])}`;
}

function formatResult(result: ChartResult, exitCode: number): Markup {
  const { verdict, chart } = result;
  const threshold = verdict.threshold === 100 ? "" : `, ${formatPercent(verdict.threshold)} asked for`;
  return markup`${formatImages(result)} ${formatDiagnostics(findFurtherDiagnostics(result), chart)}
    ${formatFacts([
      ["Chart", chart.path],
      ["Target", result.targetRegistry],
      ["Verdict", `${verdict.details}${threshold}`],
      ["Chart Install", verdict.chartInstall],
      ["Exit code", exitCode],
      [
        "Projects that must exist",
        result.projects.map(({ host, name }) => `${host}/${name}`).join(", ") || "none",
      ],
    ])}
    <details class="override">
      <summary>Override</summary>
      <pre tabindex="0">${lines(result.override.trimEnd())}</pre>
    </details>`;
}

function formatFacts(facts: readonly (readonly [name: string, value: string | number])[]): Markup {
  const items = facts.map(([name, value]) => markup`<div><dt>${name}</dt><dd>${value}</dd></div>`);
  return markup`<dl class="facts">${items}</dl>`;
}

function formatDiagnostics(
  diagnostics: readonly Diagnostic[],
  chart: ChartResult["chart"],
): Markup | undefined {
  if (diagnostics.length === 0) return undefined;
  return markup`<h4>Findings</h4>
    <ul class="findings">${diagnostics.map((diagnostic) => formatDiagnostic(diagnostic, chart))}</ul>`;
}

function formatDiagnostic(
  { severity, message, where, hint }: Diagnostic,
  chart: ChartResult["chart"],
): Markup {
  const place = formatWhereInside(where, chart);
  const location = place === "" ? undefined : markup` <code class="muted">${place}</code>`;
  const advice = hint === undefined ? undefined : markup`<span class="hint">${hint}</span>`;
  return markup`<li>
    <span class="badge ${severity}">${severity}</span>
    <span><span class="message">${lines(message)}</span>${location}${advice}</span>
  </li>`;
}
