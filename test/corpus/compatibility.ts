import type { CorpusChart, Dropped } from "./corpus.ts";
import { fidelitySection, type FidelityInput } from "./fidelity-page.ts";
import type { Exception, Figures, MissClass } from "./figures.ts";

export interface CompatibilityInput {
  readonly helm3: Figures;
  readonly helm4: Figures;
  readonly fidelity: FidelityInput;
  readonly charts: readonly CorpusChart[];
  readonly leftOut: readonly Dropped[];
  /** The reason why a chart is not fully moved, by its id; written by hand. */
  readonly reasons: Readonly<Record<string, string>>;
}

/** The page docs/compatibility.md; it only changes with the corpus, the reasons and what fairlead reaches. */
export function compatibilityPage(input: CompatibilityInput): string {
  const { helm3, helm4, charts, leftOut, reasons } = input;
  const modules = [...new Set(charts.map(({ module, version }) => `\`${module}\` ${version}`))].sort();
  return `# Compatibility

What \`fairlead override\` reaches on real charts: ${helm3.charts} charts of ${modules.length} Go modules, each with
its default values, every source registry in scope, planned by the embedded engine and proven by the real helm for
Kubernetes 1.35.0. This page is
written by \`npm run corpus\`; the modules are pinned by version and checksum in \`test/corpus/modules.json\`.

| | Helm 3 | Helm 4 |
| --- | ---: | ---: |
${row("Charts", helm3.charts, helm4.charts)}
${row("Charts with every image moved", share(helm3.fullyMoved, helm3.charts), share(helm4.fullyMoved, helm4.charts))}
${row("Images, each reference of a chart counted once", helm3.images, helm4.images)}
${row("Images moved", share(helm3.moved, helm3.images), share(helm4.moved, helm4.images))}
${row("`image:` lines that helm printed", helm3.judged.images, helm4.judged.images)}
${row("`image:` lines moved, by an independent look at helm's output", share(helm3.judged.moved, helm3.judged.images), share(helm4.judged.moved, helm4.judged.images))}
${row("The same without `helm test`", share(helm3.judgedWithoutTests.moved, helm3.judgedWithoutTests.images), share(helm4.judgedWithoutTests.moved, helm4.judgedWithoutTests.images))}
${row("The same with the residual plan", share(helm3.judgedWithResidual.moved, helm3.judgedWithResidual.images), share(helm4.judgedWithResidual.moved, helm4.judgedWithResidual.images))}
${row("Charts with every image outside `helm test` moved", share(helm3.movedWithoutTests, helm3.charts), share(helm4.movedWithoutTests, helm4.charts))}
${row("Charts with every image moved with the residual plan", share(helm3.movedWithResidual, helm3.charts), share(helm4.movedWithResidual, helm4.charts))}
${row("Images that show only with more switched on", helm3.explored.images, helm4.explored.images)}
${row("Of these, moved", share(helm3.explored.moved, helm3.explored.images), share(helm4.explored.moved, helm4.explored.images))}
${row("Charts that helm refuses with the override", helm3.refused, helm4.refused)}
${row("Charts reported as a success and not fully moved", helm3.falseSuccesses.length, helm4.falseSuccesses.length)}
${row("Misses that no diagnostic tells of", helm3.untold.length, helm4.untold.length)}

## What did not move, by class

| Class | Images |
| --- | ---: |
${classes(helm3.exceptions)}

## Charts that are not fully moved

Each of them ends with exit code 4 and tells the template, and the line where it is known.

| Chart | Moved | Images that did not | Why |
| --- | ---: | --- | --- |
${helm3.exceptions.map((exception) => exceptionRow(exception, reasons)).join("\n")}

${fidelitySection(input.fidelity)}

## Charts left out

They do not render with their defaults, or a dependency of theirs cannot be had.

| Chart | Reason |
| --- | --- |
${leftOut.map(({ what, reason }) => `| ${cell(what)} | ${cell(firstSentence(reason))} |`).join("\n")}

## Modules

${modules.map((module) => `- ${module}`).join("\n")}
`;
}

function row(title: string, helm3: number | string, helm4: number | string): string {
  return `| ${title} | ${helm3} | ${helm4} |`;
}

function share(part: number, whole: number): string {
  return `${part} (${(Math.floor((part / whole) * 1000) / 10).toFixed(1)} %)`;
}

function classes(exceptions: readonly Exception[]): string {
  const counts = new Map<MissClass, number>();
  for (const { missClass } of exceptions.flatMap(({ misses }) => misses)) {
    counts.set(missClass, (counts.get(missClass) ?? 0) + 1);
  }
  return [...counts]
    .sort(([, left], [, right]) => right - left)
    .map(([name, count]) => `| ${name} | ${count} |`)
    .join("\n");
}

function exceptionRow(
  { chart, images, moved, misses }: Exception,
  reasons: CompatibilityInput["reasons"],
): string {
  const sources = [...new Set(misses.map(({ source }) => `\`${source}\``))].join("<br>");
  return `| ${chart.chartName} ${chart.chartVersion} | ${moved} of ${images} | ${sources} | ${cell(reasons[chart.id] ?? "")} |`;
}

function firstSentence(text: string): string {
  return text.length > 200 ? `${text.slice(0, 199)}…` : text;
}

function cell(text: string): string {
  return text
    .replaceAll(/[|\n]/gu, " ")
    .replaceAll("<", "&lt;")
    .replaceAll(/[*_`[\]{}]/gu, String.raw`\$&`);
}
