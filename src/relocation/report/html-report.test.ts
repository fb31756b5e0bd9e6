import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { formatHtmlReport } from "./html-report.ts";
import {
  createEntry,
  createImage,
  createPlannedImage,
  createResult,
  failedEntry,
} from "./testdata/survey.ts";

const context = { toolVersion: "0.1.0", generatedAt: new Date("2026-11-21T03:12:00Z") };

function createChart(name: string, misses: number): ReturnType<typeof createEntry> {
  const missed = createImage({ source: "redis:7", status: "not-moved", reason: "hard-coded" });
  const images = [createImage(), ...Array.from({ length: misses }, () => missed)];
  return createEntry(createResult(images, { chart: { name, version: "1.0.0", path: name } }));
}

test("the page's policy allows exactly its own style and script, and it loads nothing", () => {
  const page = formatHtmlReport([createChart("shop", 1)], context);
  const policy = /Content-Security-Policy" content="([^"]+)"/u.exec(page)?.[1] ?? "";
  const hash = (tag: string): string => {
    const text = new RegExp(`<${tag}>(.*)</${tag}>`, "su").exec(page)?.[1] ?? "";
    return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
  };
  expect(policy.split("; ")).toEqual([
    "default-src 'none'",
    `style-src ${hash("style")}`,
    `script-src ${hash("script")}`,
    "base-uri 'none'",
    "form-action 'none'",
  ]);
  expect(page).not.toMatch(/ style=| src=|<link|@import|url\(| on[a-z]+=/u);
});

test("charts come worst first", () => {
  const entries = [
    createChart("b", 0),
    createChart("a", 0),
    createChart("few", 1),
    createChart("many", 3),
    failedEntry,
  ];
  const names = [...formatHtmlReport(entries, context).matchAll(/data-name="([^"]+)"/gu)].map(
    (match) => match[1],
  );
  expect(names).toEqual(["charts/broken", "many", "few", "a", "b"]);
});

test("a closed chart tells what did not move and why", () => {
  const summary = /<summary>.*?<\/summary>/su.exec(formatHtmlReport([createChart("shop", 2)], context))?.[0];
  expect(summary).toContain(`<span class="badge CRITICAL">CRITICAL</span>`);
  expect(summary).toContain(`1 of 3 moved<svg`);
  expect(summary).toContain(
    `<code>redis:7</code> hard-coded<span class="muted"> at charts/shop/values.yaml:4 (web.image), and 1 more</span>`,
  );
});

test("a miss shows the place that its finding names, before values and objects", () => {
  const missed = createImage({ status: "not-moved", reason: "hard-coded" });
  const where = { file: "shop/templates/_helpers.tpl", line: 68 };
  const result = createResult([missed], {
    chart: { name: "shop", version: "1.0.0", path: "shop" },
    diagnostics: [
      { code: "image-not-moved", severity: "error", message: "not moved", where, image: missed.source },
    ],
  });
  const page = formatHtmlReport([createEntry(result)], context);
  expect(page).toContain(
    `<ul class="places"><li>templates/_helpers.tpl:68</li><li>charts/shop/values.yaml:4`,
  );
  expect(page).not.toContain("<h4>Findings</h4>");
});

test("what a rendered chart does not show is quiet, and counted apart", () => {
  const off = { source: "redis:7", places: [], reason: "its list is your own" };
  const images = [
    createImage(),
    createPlannedImage(),
    createPlannedImage({ source: "alpine:3" }),
    createImage({ ...off, status: "not-moved" }),
  ];
  const page = formatHtmlReport([createEntry(createResult(images))], context);
  expect(page).toContain("<h1>All 1 image moved.</h1>");
  expect(page).toContain("Set for parts that nothing has rendered: 2</p>");
  expect(page).toContain(`data-problem="no"`);
  expect(page.match(/<tr class="[a-z-]+">/gu)).toEqual([
    `<tr class="moved">`,
    ...Array.from({ length: 3 }, () => `<tr class="not-rendered">`),
  ]);
  expect(page).toContain("It would not move: its list is your own");
});

test("a message of several lines keeps them, and a closed chart shows the first", () => {
  const { failure } = failedEntry;
  const error = { ...failure.error, message: "values do not fit:\n- image: <string> is wanted" };
  const page = formatHtmlReport([{ ...failedEntry, failure: { ...failure, error } }], context);
  expect(page).toContain(`<span class="why">values do not fit:</span>`);
  expect(page).toContain(`<p class="message">values do not fit:\n- image: &lt;string&gt; is wanted</p>`);
});

test.each([
  { name: "all moved", entries: [createChart("a", 0)], sentence: "All 1 image moved." },
  { name: "some not", entries: [createChart("a", 1)], sentence: "1 of 2 images moved, 1 not moved." },
  { name: "none in scope", entries: [createEntry(createResult([]))], sentence: "No image is in scope." },
  { name: "a failure", entries: [failedEntry], sentence: "No image is in scope. 1 chart failed." },
  {
    name: "nothing rendered",
    entries: [createEntry(createResult([createPlannedImage()]))],
    sentence: "All 1 image planned, none proven.",
  },
])("the headline says: $name", ({ entries, sentence }) => {
  expect(formatHtmlReport(entries, context)).toContain(`<h1>${sentence}</h1>`);
});

test("an override keeps its lines", () => {
  const result = createResult([createImage()], { override: "a: 1\nb:\n    c: <x>\n" });
  expect(formatHtmlReport([createEntry(result)], context)).toContain("a: 1\nb:\n    c: &lt;x&gt;</pre>");
});

test("a big survey stays quick and small", () => {
  const entries = Array.from({ length: 545 }, (_, index) => createChart(`chart-${index}`, index % 4));
  const startMs = performance.now();
  const page = formatHtmlReport(entries, context);
  expect(performance.now() - startMs).toBeLessThan(2000);
  expect(page.length).toBeLessThan(3_000_000);
});
