import { prepareCorpus } from "./corpus.ts";
import { selectRenderable } from "./renderable.ts";

const corpus = await prepareCorpus(console.log);
const renderable = await selectRenderable(corpus);
for (const { what, reason } of [...corpus.dropped, ...renderable.refused]) {
  console.log(`left out: ${what} because ${reason}`);
}
const modules = new Set(renderable.charts.map((chart) => chart.module));
console.log(
  `${renderable.charts.length} charts of ${modules.size} modules render with Helm 3 and Helm 4;` +
    ` ${corpus.dropped.length + renderable.refused.length} left out`,
);
