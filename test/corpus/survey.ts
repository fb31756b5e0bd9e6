import { readFile, writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import path from "node:path";
import { installTool } from "../../tools/install.ts";
import { surveyCorpus } from "./charts.ts";
import { compatibilityPage } from "./compatibility.ts";
import { prepareCorpus } from "./corpus.ts";
import { listRenderCases, measureFidelity, type FidelityFigures } from "./fidelity.ts";
import { figuresOf, type Figures } from "./figures.ts";
import { selectRenderable } from "./renderable.ts";

const page = path.join(import.meta.dirname, "../../docs/compatibility.md");
const bars = {
  charts: 150,
  imagesMoved: 0.92,
  chartsMovedWithoutTests: 0.94,
  equal: 0.995,
  sameMessage: 0.9,
};

const corpus = await prepareCorpus(console.log);
const renderable = await selectRenderable(corpus);
const readReasons = async (file: string): Promise<Record<string, string>> =>
  JSON.parse(await readFile(path.join(import.meta.dirname, file), "utf8")) as Record<string, string>;
const reasons = await readReasons("exceptions.json");
const fidelityReasons = await readReasons("fidelity-exceptions.json");
const jobs = availableParallelism() + 1;
const survey = async (tool: "helm3" | "helm4"): Promise<Figures> =>
  figuresOf(await surveyCorpus(renderable.charts, (await installTool(tool)).path, { jobs, version: tool }));
const helm3 = await survey("helm3");
const helm4 = await survey("helm4");

const renderCases = await listRenderCases(corpus);
const compare = async (version: "helm3" | "helm4"): Promise<FidelityFigures> =>
  measureFidelity({ ...(await installTool(version)), version }, renderCases, corpus.key);
const fidelity = { helm3: await compare("helm3"), helm4: await compare("helm4") };

const text = compatibilityPage({
  helm3,
  helm4,
  fidelity: { ...fidelity, reasons: fidelityReasons },
  charts: renderable.charts,
  leftOut: [...corpus.dropped, ...renderable.refused],
  reasons,
});
const isCurrent = (await readFile(page, "utf8").catch(() => "")) === text;
if (!isCurrent && process.env["CI"] !== "true") await writeFile(page, text);

const unlike = new Set(Object.values(fidelity).flatMap(({ exceptions }) => exceptions.map(({ id }) => id)));
const excepted = new Set(helm3.exceptions.map(({ chart }) => chart.id));
const faults = [
  ...[helm3, helm4]
    .flatMap(({ falseSuccesses }) => falseSuccesses)
    .map((id) => `${id}: success, and not moved`),
  ...[helm3, helm4].flatMap(({ untold }) => untold).map((miss) => `${miss}: no diagnostic tells of it`),
  ...[...excepted]
    .filter((id) => reasons[id] === undefined)
    .map((id) => `${id}: exceptions.json gives no reason`),
  ...Object.keys(reasons)
    .filter((id) => !excepted.has(id))
    .map((id) => `${id}: exceptions.json gives a reason, and the chart is fully moved`),
  ...(isCurrent || process.env["CI"] !== "true"
    ? []
    : ["docs/compatibility.md is not what this run would write"]),
  ...[helm3, helm4].flatMap((figures) => missedBars(figures)),
  ...Object.entries(fidelity).flatMap(([name, figures]) => missedFidelity(name, figures)),
  ...Object.keys(fidelityReasons)
    .filter((id) => !unlike.has(id))
    .map((id) => `${id}: fidelity-exceptions.json gives a reason, and both helms print the same`),
];
for (const [name, figures] of Object.entries({ helm3, helm4 })) print(name, figures);
for (const [name, figures] of Object.entries(fidelity)) printFidelity(name, figures);
for (const fault of faults) console.log(`fault: ${fault}`);
if (faults.length > 0) process.exitCode = 1;

function missedBars(figures: Figures): string[] {
  const { charts, images, moved, movedWithoutTests, movedWithResidual, refused } = figures;
  return [
    ...(charts < bars.charts ? [`only ${charts} charts`] : []),
    ...(moved / images < bars.imagesMoved ? [`only ${moved} of ${images} images moved`] : []),
    ...(movedWithoutTests / charts < bars.chartsMovedWithoutTests
      ? [`only ${movedWithoutTests} of ${charts} charts moved but for helm test`]
      : []),
    ...(movedWithResidual < charts
      ? [`only ${movedWithResidual} of ${charts} charts fully moved with the residual plan`]
      : []),
    ...(refused > 0 ? [`${refused} charts do not render with the override`] : []),
  ];
}

function missedFidelity(name: string, figures: FidelityFigures): string[] {
  const { renders, equal, refusals, sameMessage, exceptions } = figures;
  return [
    ...(equal / renders < bars.equal ? [`${name}: only ${equal} of ${renders} renderings equal`] : []),
    ...(sameMessage / refusals < bars.sameMessage
      ? [`${name}: only ${sameMessage} of ${refusals} refusals with the same message`]
      : []),
    ...exceptions
      .filter(({ id }) => fidelityReasons[id] === undefined)
      .map(({ id }) => `${id}: fidelity-exceptions.json gives no reason`),
  ];
}

function printFidelity(name: string, figures: FidelityFigures): void {
  const { renders, equal, refusals, sameMessage, exceptions } = figures;
  console.log(
    `${name}: ${equal} of ${renders} renderings of the embedded engine equal,` +
      ` ${sameMessage} of ${refusals} refusals with the same message`,
  );
  for (const { id, expected, actual } of exceptions) {
    console.log(`  ${id}\n    helm: ${expected.slice(0, 500)}\n    ours: ${actual.slice(0, 500)}`);
  }
}

function print(name: string, figures: Figures): void {
  const { charts, fullyMoved, images, moved, judged, refused, exceptions, explored } = figures;
  console.log(
    `${name}: ${charts} charts, ${fullyMoved} fully moved, ${figures.movedWithoutTests} but for helm test,` +
      ` ${figures.movedWithResidual} with the residual plan; ${images} images, ${moved} moved;` +
      ` ${judged.moved} of ${judged.images} image lines by helm's output; ${refused} charts refused;` +
      ` ${explored.images} images more by exploring, ${explored.moved} moved`,
  );
  for (const { chart, misses } of exceptions) {
    for (const { source, missClass } of misses) console.log(`  ${chart.id}: ${source}: ${missClass}`);
  }
}
