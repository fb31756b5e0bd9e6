/** The style of the HTML report: every text has a contrast of at least 4.5 on its ground, in both schemes. */
export const pageStyle = `
:root {
  --ground: #f4f6f6; --surface: #ffffff; --ink: #18242e; --muted: #52616d; --line: #dce3e5;
  --accent: #0b6470; --shade: #eef2f3;
  --good: #2f9e6e; --good-ink: #11603c; --good-soft: #dff2e8;
  --hope: #6d8fc9; --hope-ink: #2c4a7c; --hope-soft: #e4ebf7;
  --care: #d9a126; --care-ink: #714a00; --care-soft: #faefd1;
  --bad: #d1574b; --bad-ink: #98241b; --bad-soft: #fbe5e2;
  --lost: #8d1f2f; --rest-ink: #4b5a66; --rest-soft: #e9eef0;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #0f161b; --surface: #162027; --ink: #e3eaee; --muted: #9eb0bc; --line: #28363f;
    --accent: #6fc7d1; --shade: #1c2830;
    --good: #3fae7d; --good-ink: #86dab0; --good-soft: #15352a;
    --hope: #6f93d1; --hope-ink: #aac4f2; --hope-soft: #1f2c45;
    --care: #d3a235; --care-ink: #f0ca72; --care-soft: #392e13;
    --bad: #d9695d; --bad-ink: #ffa79d; --bad-soft: #43201d;
    --lost: #a52c3f; --rest-ink: #b4c3cd; --rest-soft: #24313a;
  }
}
* { box-sizing: border-box; }
html { color-scheme: light dark; -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0 auto; padding: 3rem 1.5rem 2rem; max-width: 68rem; background: var(--ground); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
}
code, pre { font: 0.875em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
code { overflow-wrap: anywhere; }
h1, h2, h3, h4, p, ul, dl, dd { margin: 0; }
ul { padding: 0; list-style: none; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
.muted { color: var(--muted); }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
[hidden] { display: none !important; }
.eyebrow { color: var(--muted); }
h1 { margin: 0.25rem 0 2rem; max-width: 34em; font-size: clamp(1.5rem, 1.1rem + 1.8vw, 2.125rem); font-weight: 600; line-height: 1.2; letter-spacing: -0.015em; text-wrap: balance; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr)); gap: 1rem; margin-bottom: 2.5rem; }
.tile { padding: 1.25rem 1.5rem 1.375rem; background: var(--surface); border: 1px solid var(--line); border-radius: 12px; }
.tile h2 { font-size: 0.875rem; font-weight: 500; color: var(--muted); }
.figure { font-size: 2.25rem; font-weight: 600; line-height: 1.25; letter-spacing: -0.02em; font-variant-numeric: tabular-nums; }
.bar { display: block; width: 100%; height: 8px; border-radius: 4px; background: var(--line); }
.tile .bar { margin: 0.5rem 0 0.75rem; }
rect.moved, rect.OK { fill: var(--good); } .dot.moved, .dot.OK { background: var(--good); }
rect.planned, rect.UNVERIFIED { fill: var(--hope); } .dot.planned, .dot.UNVERIFIED { background: var(--hope); }
rect.WARNING { fill: var(--care); } .dot.WARNING { background: var(--care); }
rect.not-moved, rect.CRITICAL { fill: var(--bad); } .dot.not-moved, .dot.CRITICAL { background: var(--bad); }
rect.FAILED { fill: var(--lost); } .dot.FAILED { background: var(--lost); }
.legend { display: flex; flex-wrap: wrap; gap: 0.125rem 1.25rem; font-size: 0.875rem; font-variant-numeric: tabular-nums; }
.dot { display: inline-block; width: 0.625rem; height: 0.625rem; margin-right: 0.5rem; border-radius: 50%; }
main > h2 { margin-bottom: 0.5rem; font-size: 1.25rem; font-weight: 600; }
#toolbar { position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem 1.25rem; margin: 0 -0.5rem; padding: 0.75rem 0.5rem; background: var(--ground); font-size: 0.9375rem; }
#toolbar label { display: inline-flex; align-items: center; gap: 0.5rem; }
#toolbar .search { flex: 1 1 16rem; }
input, select, button { font: inherit; color: inherit; accent-color: var(--accent); }
input[type="search"], select, button { min-height: 2.5rem; padding: 0.25rem 0.75rem; background: var(--surface); border: 1px solid #7f8d97; border-radius: 8px; }
input[type="search"] { width: 100%; }
input::placeholder { color: var(--muted); opacity: 1; }
input[type="checkbox"] { width: 1.125rem; height: 1.125rem; margin: 0; }
button { cursor: pointer; }
button:hover, select:hover { border-color: var(--accent); }
output { margin-left: auto; color: var(--muted); font-variant-numeric: tabular-nums; }
.chart { margin-top: 0.5rem; background: var(--surface); border: 1px solid var(--line); border-radius: 10px; content-visibility: auto; contain-intrinsic-size: auto 4rem; }
.chart > details > summary { display: grid; grid-template-columns: 7rem 1fr 12rem 1rem; gap: 0.25rem 1rem; align-items: center; padding: 0.75rem 1.125rem; cursor: pointer; list-style: none; border-radius: 10px; }
.chart > details > summary::-webkit-details-marker { display: none; }
.chart > details > summary::after { content: ""; grid-column: 4; grid-row: 1; width: 0.5rem; height: 0.5rem; border: solid var(--muted); border-width: 0 2px 2px 0; transform: rotate(45deg) translate(-2px, -2px); }
.chart > details[open] > summary::after { transform: rotate(225deg) translate(-2px, -2px); }
.chart > details > summary:hover h3 { color: var(--accent); text-decoration: underline; text-underline-offset: 3px; }
.title { overflow-wrap: anywhere; }
h3 { display: inline; font-size: 1rem; font-weight: 600; }
.share { grid-column: 3; font-size: 0.875rem; font-variant-numeric: tabular-nums; }
.share .bar { height: 5px; margin-top: 0.25rem; }
.why { grid-column: 2 / 4; font-size: 0.875rem; color: var(--bad-ink); overflow-wrap: anywhere; }
.why code { color: var(--ink); }
details[open] > summary > .why { display: none; }
.message { white-space: pre-line; overflow-wrap: anywhere; }
.note { margin-top: 0.25rem; font-size: 0.875rem; color: var(--muted); }
.badge { display: inline-block; justify-self: start; padding: 0.0625rem 0.5rem; border-radius: 5px; font-size: 0.75rem; font-weight: 600; line-height: 1.5; letter-spacing: 0.01em; white-space: nowrap; background: var(--rest-soft); color: var(--rest-ink); }
.badge.moved, .badge.OK { background: var(--good-soft); color: var(--good-ink); }
.badge.planned, .badge.UNVERIFIED { background: var(--hope-soft); color: var(--hope-ink); }
.badge.WARNING, .badge.warning { background: var(--care-soft); color: var(--care-ink); }
.badge.not-moved, .badge.CRITICAL, .badge.error { background: var(--bad-soft); color: var(--bad-ink); }
.badge.FAILED { background: var(--lost); color: #ffffff; }
.body { display: grid; gap: 1.25rem; padding: 0.75rem 1.125rem 1.25rem; border-top: 1px solid var(--line); }
.body > * { min-width: 0; }
table { width: 100%; border-collapse: collapse; font-size: 0.9375rem; }
th, td { padding: 0.625rem 1rem 0.625rem 0; text-align: left; vertical-align: top; font-weight: 400; border-bottom: 1px solid var(--line); }
thead th { padding-block: 0 0.375rem; font-size: 0.8125rem; color: var(--muted); }
thead th:first-child { width: 8rem; }
tbody th { width: 55%; }
td:last-child, th:last-child { padding-right: 0; }
.target { display: flex; gap: 0.5rem; color: var(--muted); }
.reason { color: var(--bad-ink); font-size: 0.875rem; }
tr:not(.not-moved) .reason { color: var(--muted); }
.places { font-size: 0.8125rem; color: var(--muted); overflow-wrap: anywhere; }
.places li + li { margin-top: 0.125rem; }
tr.not-moved .places li:first-child { color: var(--ink); }
.only-problems tbody tr:not(.not-moved), .only-problems table:not(:has(.not-moved)) { display: none; }
h4 { margin-bottom: -0.75rem; font-size: 0.875rem; font-weight: 600; }
.findings { display: grid; gap: 0.5rem; font-size: 0.9375rem; overflow-wrap: anywhere; }
.findings li { display: grid; grid-template-columns: 8rem 1fr; align-items: baseline; }
.hint { display: block; color: var(--muted); font-size: 0.875rem; }
.facts { display: flex; flex-wrap: wrap; gap: 0.5rem 2rem; font-size: 0.875rem; overflow-wrap: anywhere; }
dt { color: var(--muted); }
.override > summary { cursor: pointer; font-size: 0.875rem; color: var(--accent); }
pre { margin: 0.5rem 0 0; padding: 0.875rem 1rem; max-height: 24rem; overflow: auto; background: var(--shade); border-radius: 8px; }
footer { margin-top: 2.5rem; font-size: 0.875rem; }
@media (max-width: 44rem) {
  body { padding: 1.5rem 1rem; }
  #toolbar { position: static; gap: 0.5rem 1rem; }
  .chart > details > summary { grid-template-columns: auto 1fr 1rem; padding: 0.75rem 0.875rem; }
  .chart > details > summary::after { grid-column: 3; }
  .share, .why { grid-column: 1 / -1; }
  .body { padding: 0.75rem 0.875rem 1rem; }
  table, tbody, tr, tbody th, td { display: block; width: auto; }
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  tr { padding: 0.625rem 0; border-bottom: 1px solid var(--line); }
  tbody th, td { padding: 0.125rem 0; border: 0; }
  .findings li { grid-template-columns: 1fr; justify-items: start; }
}
@media (forced-colors: active) {
  .badge { border: 1px solid; }
}
@media print {
  #toolbar { display: none; }
  .chart { break-inside: avoid; content-visibility: visible; }
}
`;
