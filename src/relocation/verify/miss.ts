import type { Where } from "../../core/error.ts";
import type { Chart, ChartInstance } from "../../helm/chart/chart.ts";
import type { YamlMap } from "../../yaml/value.ts";
import { formatValuePath, getAt } from "../../yaml/value-path.ts";
import type { PlannedImage } from "../plan.ts";
import { originsOfImage, type ImageOrigin } from "../rendering/image-origins.ts";
import { createOriginLocator } from "../rendering/text-origins.ts";
import { spansOfImage } from "../rendering/trace.ts";
import { repositoryIdentity } from "../repository-identity.ts";
import type { ImageOutcome } from "./comparison.ts";

/** Why an image of the rendering did not move, and where to look. */
export interface Miss {
  readonly reason: string;
  readonly where: Where;
}

/**
 * Explains an image that the override did not move: from the plan, the override and what the image's text comes
 * from, or the templates' text where that is not known.
 */
export function explainMiss(
  outcome: ImageOutcome,
  planned: readonly PlannedImage[],
  override: YamlMap,
  root: ChartInstance,
): Miss {
  const { image, manifest } = outcome;
  const where = locateTemplate(root.chart, manifest.template);
  if (outcome.status === "misplaced") {
    const became = outcome.actual === undefined ? "is gone" : `became ${outcome.actual}`;
    return { reason: `it ${became} with the override`, where };
  }
  const identity = repositoryIdentity(image.reference);
  const same = planned.filter(({ site }) => repositoryIdentity(site.reference) === identity);
  const obstacle = same.find((candidate) => candidate.obstacle !== undefined)?.obstacle;
  if (obstacle !== undefined) return { reason: obstacle, where };
  const origin = explainOrigin(outcome, root);
  if (origin !== undefined) return origin;
  const site = same[0]?.site;
  if (site !== undefined) {
    const leaf = site.name.find(({ path }) => getAt(override, path) !== undefined);
    return {
      reason:
        leaf === undefined
          ? `the override does not set ${formatValuePath(site.name[0].path)}`
          : `the override sets ${formatValuePath(leaf.path)}, which the template does not read`,
      where: { ...where, valuePath: formatValuePath(site.path) },
    };
  }
  return { reason: "no value was found that makes it", where };
}

/** What puts the name there beside values: known where the rendering is traced, else looked for. */
function explainOrigin({ image, manifest }: ImageOutcome, root: ChartInstance): Miss | undefined {
  if (spansOfImage(manifest, image).length === 0) {
    const literal = findLiteral(root.chart, image.reference.writtenPath, manifest.template);
    return literal && { reason: "the template holds its name as a literal", where: literal };
  }
  const origins = originsOfImage(manifest, image, createOriginLocator(root));
  const source =
    origins.find((origin) => origin.part === "repository" && isForeign(origin)) ??
    origins.find((origin) => origin.part === "registry" && isForeign(origin));
  if (source === undefined) return undefined;
  const { file, line, column } = source;
  return {
    reason: describeOrigin(source),
    where: {
      ...(file === undefined ? {} : { file }),
      ...(line === undefined ? {} : { line }),
      ...(column === undefined ? {} : { column }),
    },
  };
}

/** Whether something besides a value makes a word of the name, rather than the slash between two. */
function isForeign({ kind, text }: ImageOrigin): boolean {
  return kind !== "value" && kind !== "unknown" && /[a-z0-9]/iu.test(text);
}

function describeOrigin({ kind, part, insteadOf = [], ...origin }: ImageOrigin): string {
  const what = part === "registry" ? "its registry" : "its name";
  const empty = insteadOf.map(({ path }) => path).join(" and ");
  const unless = empty === "" ? "" : `, which stands in for ${empty}`;
  switch (kind) {
    case "template":
      return `the template holds ${what} as a literal${unless}`;
    case "file":
      return `the template reads ${what} from a file of the chart${unless}`;
    case "metadata":
      return `${what} comes from .${origin.field ?? ""}${unless}`;
    default:
      return `the function ${origin.function ?? ""} makes ${what}${unless}`;
  }
}

/** The file of the template that helm's `# Source:` line names, from where the chart was found. */
export function locateTemplate(root: Chart, template: string | undefined): Where {
  if (template === undefined) return {};
  const found = templatesOf(root, root.metadata.name).find(({ name }) => name === template);
  return { file: found?.file ?? template };
}

/** The line of a template, the rendering one first, or of a file it may read, that holds a name as a whole. */
function findLiteral(root: Chart, name: string, template: string | undefined): Where | undefined {
  const templates = templatesOf(root, root.metadata.name);
  const own = templates.filter((file) => file.name === template);
  for (const file of [...own, ...templates, ...includedFilesOf(root)]) {
    const content = Buffer.from(file.data).toString("utf8");
    if (!content.includes(name)) continue;
    const index = content.split("\n").findIndex((line) => holdsName(line, name));
    if (index !== -1) return { file: file.file, line: index + 1 };
  }
  return undefined;
}

/** A name of one word, such as `traefik`, only counts on a line that speaks of an image. */
function holdsName(line: string, name: string): boolean {
  if (!name.includes("/") && !/image/iu.test(line)) return false;
  for (let at = line.indexOf(name); at !== -1; at = line.indexOf(name, at + 1)) {
    const before = line[at - 1] ?? " ";
    const after = line[at + name.length] ?? " ";
    if (!/[\w.-]/u.test(before) && !/[\w./-]/u.test(after)) return true;
  }
  return false;
}

interface Template {
  /** As helm names it. */
  readonly name: string;
  readonly file: string;
  readonly data: Uint8Array;
}

/** What `.Files` gives to templates, documents left out. */
function includedFilesOf(chart: Chart): Pick<Template, "file" | "data">[] {
  return [
    ...chart.files
      .filter(({ name }) => !/\.(?:md|txt)$/iu.test(name))
      .map(({ name, data }) => ({ file: `${chart.location}/${name}`, data })),
    ...chart.subcharts.flatMap((subchart) => includedFilesOf(subchart)),
  ];
}

function templatesOf(chart: Chart, prefix: string): Template[] {
  return [
    ...chart.templates.map(({ name, data }) => ({
      name: `${prefix}/${name}`,
      file: `${chart.location}/${name}`,
      data,
    })),
    ...chart.subcharts.flatMap((subchart) =>
      templatesOf(subchart, `${prefix}/charts/${subchart.metadata.name}`),
    ),
  ];
}
