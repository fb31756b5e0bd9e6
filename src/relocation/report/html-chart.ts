import type { Diagnostic } from "../../core/diagnostic.ts";
import { formatWhere } from "../../core/error.ts";
import type { ChartFailure, ChartResult, SurveyEntry } from "../result.ts";
import { findFurtherDiagnostics, findMisses } from "./finding.ts";
import { formatBar } from "./html-bar.ts";
import { formatImages } from "./html-images.ts";
import { type Html, html, lines } from "./html-template.ts";
import { chartStatus, formatPercent, sumTotals } from "./totals.ts";

/** One chart as a list item that opens: what became of it at a glance, and everything known inside. */
export function formatChart(entry: SurveyEntry, open: boolean): Html {
  const status = chartStatus(entry);
  const chart = "failure" in entry ? undefined : entry.result.chart;
  const path = "failure" in entry ? entry.failure.chart.path : entry.result.chart.path;
  const totals = sumTotals([entry]);
  return html`<li class="chart" data-problem="${isProblem(entry) ? "yes" : "no"}" data-name="${chart?.name ?? path}" data-images="${String(totals.images)}">
<details${open ? html` open` : undefined}>
<summary>
<span class="badge ${status}">${status}</span>
<span class="title"><h3>${chart?.name ?? path}</h3> <span class="muted">${chart?.version}</span></span>
${"failure" in entry ? undefined : formatShare(entry.result)}
${formatWhy(entry)}
</summary>
<div class="body">
${"failure" in entry ? formatFailure(entry.failure, entry.exitCode) : formatResult(entry.result, entry.exitCode)}
</div>
</details>
</li>
`;
}

/** Whether a reader who asked for problems only wants to see the chart. */
export function isProblem(entry: SurveyEntry): boolean {
  return entry.exitCode !== 0 || "failure" in entry || findMisses(entry.result).length > 0;
}

function formatShare(result: ChartResult): Html {
  const totals = sumTotals([{ result, exitCode: 0, durationMs: 0 }]);
  if (totals.images === 0) return html`<span class="share muted">no image in scope</span>`;
  const done = totals.moved + totals.planned;
  return html`<span class="share"
    ><span class="count">${done} of ${totals.images} ${totals.planned > 0 ? "planned" : "moved"}</span
    >${formatBar([
      { className: "moved", count: totals.moved },
      { className: "planned", count: totals.planned },
      { className: "not-moved", count: totals.notMoved },
    ])}</span
  >`;
}

/** The reason in short, so that a closed chart tells it already. */
function formatWhy(entry: SurveyEntry): Html | undefined {
  if ("failure" in entry) return html`<span class="why">${entry.failure.error.message}</span>`;
  const misses = findMisses(entry.result);
  const [first] = misses;
  if (first !== undefined) {
    const more = misses.length - 1;
    return html`<span class="why"
      ><code>${first.image.source}</code> ${first.reason}${
        more === 0 ? undefined : html` <span class="muted">and ${more} more</span>`
      }</span
    >`;
  }
  if (entry.exitCode === 0) return undefined;
  const worst =
    entry.result.diagnostics.find((diagnostic) => diagnostic.severity === "error") ??
    entry.result.diagnostics.find((diagnostic) => diagnostic.unsupported === true);
  return html`<span class="why">${worst?.message ?? entry.result.verdict.details}</span>`;
}

function formatFailure(failure: ChartFailure, exitCode: number): Html {
  const { error } = failure;
  const place = formatWhere(error.where);
  return html`<p>${error.message}</p>
    ${place === "" ? undefined : html`<p class="muted"><code>${place}</code></p>`}
    ${error.hint === undefined ? undefined : html`<p>${error.hint}</p>`}
    ${formatFacts([
      ["Chart", failure.chart.path],
      ["Error", error.code],
      ["Exit code", exitCode],
    ])}`;
}

function formatResult(result: ChartResult, exitCode: number): Html {
  const { verdict } = result;
  return html`<p>${verdict.details}</p>
    ${formatImages(result)} ${formatDiagnostics(findFurtherDiagnostics(result))}
    ${formatFacts([
      ["Chart", result.chart.path],
      ["Target", result.targetRegistry],
      ["Rate", `${formatPercent(verdict.rate)}, ${formatPercent(verdict.threshold)} asked for`],
      ["Chart Install", verdict.chartInstall],
      ["Exit code", exitCode],
      ["Projects that must exist", result.projects.length === 0 ? "none" : result.projects.join(", ")],
    ])}
    <details class="override">
      <summary>Override</summary>
      <pre tabindex="0">${lines(result.override.trimEnd())}</pre>
    </details>`;
}

function formatFacts(facts: readonly (readonly [name: string, value: string | number])[]): Html {
  return html`<dl class="facts">
    ${facts.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;
}

function formatDiagnostics(diagnostics: readonly Diagnostic[]): Html | undefined {
  if (diagnostics.length === 0) return undefined;
  return html`<h4>Findings</h4>
    <ul class="findings">
      ${diagnostics.map(({ severity, message, where, hint }) => {
        const place = formatWhere(where);
        return html`<li>
          <span class="badge ${severity}">${severity}</span>
          <span
            >${message}${
              place === "" ? undefined : html` <code class="muted">${place}</code>`
            }${hint === undefined ? undefined : html`<span class="hint">${hint}</span>`}</span
          >
        </li>`;
      })}
    </ul>`;
}
