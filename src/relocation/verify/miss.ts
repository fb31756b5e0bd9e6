import type { Where } from "../../core/error.ts";
import type { Chart } from "../../helm/chart/chart.ts";
import { formatValuePath } from "../../yaml/value-path.ts";
import type { PlannedImage } from "../plan.ts";
import { repositoryIdentity } from "../repository-identity.ts";
import type { ImageOutcome } from "./comparison.ts";

/** Why an image of the rendering did not move, and where to look. */
export interface Miss {
  readonly reason: string;
  readonly where: Where;
}

/** Explains an image that the override did not move, from the plan and the templates' text. */
export function explainMiss(outcome: ImageOutcome, planned: readonly PlannedImage[], root: Chart): Miss {
  const { image, manifest } = outcome;
  const template = manifest.template;
  const where: Where = template === undefined ? {} : { file: template };
  if (outcome.status === "misplaced") {
    const became = outcome.actual === undefined ? "is gone" : `became ${outcome.actual}`;
    return { reason: `it ${became} with the override`, where };
  }
  const identity = repositoryIdentity(image.reference);
  const same = planned.filter(({ site }) => repositoryIdentity(site.reference) === identity);
  const obstacle = same.find((candidate) => candidate.obstacle !== undefined)?.obstacle;
  if (obstacle !== undefined) return { reason: obstacle, where };
  const literal = findLiteral(root, image.reference.writtenPath, template);
  if (literal !== undefined) {
    return { reason: "the template holds it as a literal, which no value reaches", where: literal };
  }
  const site = same[0]?.site;
  if (site !== undefined) {
    return {
      reason: `the override sets ${formatValuePath(site.name[0].path)}, which the template does not read`,
      where: { ...where, valuePath: formatValuePath(site.path) },
    };
  }
  return { reason: "no value was found that makes it", where };
}

/** The line of a template, the rendering one first, that holds a text. */
function findLiteral(root: Chart, text: string, template: string | undefined): Where | undefined {
  const files = templatesOf(root, root.metadata.name);
  const own = files.filter(({ name }) => name === template);
  for (const { name, data } of [...own, ...files]) {
    const content = Buffer.from(data).toString("utf8");
    const index = content.indexOf(text);
    if (index === -1) continue;
    return { file: name, line: content.slice(0, index).split("\n").length };
  }
  return undefined;
}

function templatesOf(chart: Chart, prefix: string): { name: string; data: Uint8Array }[] {
  return [
    ...chart.templates.map(({ name, data }) => ({ name: `${prefix}/${name}`, data })),
    ...chart.subcharts.flatMap((subchart) =>
      templatesOf(subchart, `${prefix}/charts/${subchart.metadata.name}`),
    ),
  ];
}
