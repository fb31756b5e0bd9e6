import { createHash } from "node:crypto";
import type { SurveyEntry } from "../result.ts";
import { formatBar } from "./html-bar.ts";
import { formatChart, isProblem } from "./html-chart.ts";
import { pageScript } from "./html-script.ts";
import { pageStyle } from "./html-style.ts";
import { type Markup, markup, trusted } from "./html-template.ts";
import type { ReportContext } from "./report-context.ts";
import {
  chartStatuses,
  compareWorstFirst,
  describeExplored,
  formatPercent,
  sumTotals,
  type Totals,
} from "./totals.ts";

/**
 * The report as one HTML page that loads nothing: its policy allows its own style and script by their
 * hashes and nothing else. Without the script everything is there but filter and sorting.
 */
export function formatHtmlReport(entries: readonly SurveyEntry[], context: ReportContext): string {
  const totals = sumTotals(entries);
  const sorted = entries.toSorted(compareWorstFirst);
  const policy = `default-src 'none'; style-src ${hashSource(pageStyle)}; script-src ${hashSource(pageScript)}; base-uri 'none'; form-action 'none'`;
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="generator" content="fairlead ${context.toolVersion}">
<meta http-equiv="Content-Security-Policy" content="${trusted(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${formatSentence(totals)} – fairlead</title>
<style>${trusted(pageStyle)}</style>
</head>
<body>
<header>
${formatHeadline(entries, totals)}
</header>
<main>
${formatTiles(totals)}
<h2 id="charts-heading">Charts</h2>
${formatToolbar(entries)}
<ul id="charts" aria-labelledby="charts-heading">
${sorted.map((entry) => formatChart(entry, entries.length === 1))}</ul>
<p id="empty" class="muted" hidden>No chart fits the filter.</p>
</main>
<footer><p class="muted">fairlead ${context.toolVersion}${formatTime(context.generatedAt)}</p></footer>
<script>${trusted(pageScript)}</script>
</body>
</html>
`.html;
}

function hashSource(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

function formatTime(time: Date | undefined): Markup | undefined {
  if (time === undefined) return undefined;
  const iso = time.toISOString();
  return markup`, <time datetime="${iso}">${iso.slice(0, 16).replace("T", " ")} UTC</time>`;
}

function formatHeadline(entries: readonly SurveyEntry[], totals: Totals): Markup {
  const targets = new Set(
    entries.flatMap((entry) => ("result" in entry ? [entry.result.targetRegistry] : [])),
  );
  const [target] = targets;
  const to = targets.size === 1 && target !== undefined ? markup` to <code>${target}</code>` : undefined;
  const [only] = entries;
  const name =
    entries.length === 1 && only !== undefined && "result" in only
      ? `${only.result.chart.name} ${only.result.chart.version}`
      : "Image relocation";
  return markup`<p class="eyebrow">${name}${to}</p>
    <h1>${formatSentence(totals)}</h1>`;
}

function formatSentence(totals: Totals): string {
  const { images, moved, planned, notMoved } = totals;
  const failed = totals.chartsByStatus.FAILED;
  const failure = failed === 0 ? "" : ` ${count(failed, "chart")} failed.`;
  if (images === 0) return `No image is in scope.${failure}`;
  if (moved === images) return `All ${count(images, "image")} moved.${failure}`;
  if (planned === images) return `All ${count(images, "image")} planned, none proven.${failure}`;
  const clauses = [
    `${moved.toLocaleString("en")} of ${count(images, "image")} moved`,
    planned === 0 ? "" : `${planned.toLocaleString("en")} planned`,
    notMoved === 0 ? "" : `${notMoved.toLocaleString("en")} not moved`,
  ];
  return `${clauses.filter((clause) => clause !== "").join(", ")}.${failure}`;
}

function count(number: number, noun: string): string {
  return `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
}

function formatTiles(totals: Totals): Markup {
  const images = [
    { className: "moved", name: "moved", count: totals.moved },
    { className: "planned", name: "planned, not proven", count: totals.planned },
    { className: "not-moved", name: "not moved", count: totals.notMoved },
  ];
  const charts = chartStatuses
    .toReversed()
    .map((status) => ({ className: status, name: status, count: totals.chartsByStatus[status] }));
  return markup`<div class="tiles">
    <section class="tile">
      <h2>Images moved${totals.planned > 0 ? " or planned" : undefined}</h2>
      <p class="figure">${totals.images === 0 ? "–" : formatPercent(totals.rate)}</p>
      ${formatBar(images)}${formatLegend(images)}${formatExplored(totals)}${formatNotRendered(totals)}
    </section>
    <section class="tile">
      <h2>Charts</h2>
      <p class="figure">${totals.charts}</p>
      ${formatBar(charts)}${formatLegend(charts)}
    </section>
  </div>`;
}

function formatNotRendered({ notRendered }: Totals): Markup | undefined {
  if (notRendered === 0) return undefined;
  return markup`<p class="note">Set for parts that nothing has rendered: ${notRendered}</p>`;
}

function formatExplored(totals: Totals): Markup | undefined {
  const explored = describeExplored(totals);
  return explored === undefined ? undefined : markup`<p class="note">${explored}</p>`;
}

function formatLegend(parts: readonly { className: string; name: string; count: number }[]): Markup {
  const items = parts
    .filter((part) => part.count > 0)
    .map((part) => markup`<li><span class="dot ${part.className}"></span>${part.count} ${part.name}</li>`);
  return markup`<ul class="legend">${items}</ul>`;
}

function formatToolbar(entries: readonly SurveyEntry[]): Markup {
  return markup`<form id="toolbar" role="search" hidden>
    <label class="search"><span class="unseen">Filter charts and images</span>
    <input id="filter" type="search" placeholder="Filter charts and images" autocomplete="off" spellcheck="false"></label>
    <label><input id="problems" type="checkbox"> Only problems (${entries.filter(isProblem).length})</label>
    <label>Sort <select id="sort">
      <option value="worst">worst first</option>
      <option value="name">by name</option>
      <option value="images">most images</option>
    </select></label>
    <button id="open" type="button" aria-pressed="false">Open all</button>
    <output id="shown" for="filter problems">${entries.length} charts</output>
  </form>`;
}
