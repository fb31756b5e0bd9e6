import { escapeLine } from "../../core/escape.ts";
import type { UpgradeComparison } from "../../relocation/upgrade/image-change.ts";
import type { OverrideCheck } from "../../relocation/upgrade/override-check.ts";
import {
  changeNames,
  describeCounts,
  describeCoverage,
  describeDeadLeaf,
  describePlaces,
  describeUncovered,
  describeVersions,
} from "./diff-words.ts";

/** What a chart upgrade does to the images, and to the override where one is checked, for a pull request. */
export function formatDiffMarkdown(comparison: UpgradeComparison, check: OverrideCheck | undefined): string {
  const { old, new: next, images, renamedValues } = comparison;
  const rows = images.map((image) => {
    const [before, after] = describeVersions(image);
    const places = code(describePlaces(image));
    return [changeNames[image.change], code(image.repository), code(before), code(after), places];
  });
  const paragraphs = [
    `### Images of ${code(next.name)}: ${code(old.version)} → ${code(next.version)}`,
    capitalised(describeCounts(comparison)),
    table(["Change", "Repository", "Old", "New", "Places"], rows),
    listOf(
      "Images come from other values:",
      renamedValues.map(({ from, to }) => `${code(from)} → ${code(to)}`),
    ),
    ...(check === undefined ? [] : checkParagraphs(check)),
  ];
  return `${paragraphs.filter((text) => text !== "").join("\n\n")}\n`;
}

function checkParagraphs(check: OverrideCheck): string[] {
  const { images, missing, deadLeaves, file } = check;
  const rows = images
    .filter(({ isCovered }) => !isCovered)
    .map((image) => describeUncovered(image).map((cell) => code(cell)));
  return [
    `**Override:** ${code(file)}${describeCoverage(check).slice(file.length)}.`,
    table(["Not covered", "Places", "Why"], rows),
    listOf(
      "It sets what changes nothing:",
      deadLeaves.map((leaf) => `${code(leaf.path)}: ${describeDeadLeaf(leaf)}`),
    ),
    missing === undefined
      ? ""
      : `To be added or replaced; with that, ${missing.verdict.details}:\n\n${fenced(missing.yaml)}`,
  ];
}

function table(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return "";
  return [titles, titles.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function listOf(title: string, items: readonly string[]): string {
  return items.length === 0 ? "" : [title, "", ...items.map((item) => `- ${item}`)].join("\n");
}

/** A text from anywhere as a code span, within which a table still takes a bar for the end of its cell. */
function code(text: string): string {
  if (text === "") return "";
  const safe = escapeLine(text).replaceAll("|", String.raw`\|`);
  const mark = "`".repeat(longestRun(safe) + 1);
  return mark.length === 1 ? `${mark}${safe}${mark}` : `${mark} ${safe} ${mark}`;
}

function fenced(yaml: string): string {
  const mark = "`".repeat(Math.max(3, longestRun(yaml) + 1));
  const lines = yaml.trimEnd().split("\n");
  return [`${mark}yaml`, ...lines.map((line) => escapeLine(line)), mark].join("\n");
}

function longestRun(text: string): number {
  return Math.max(0, ...Array.from(text.matchAll(/`+/gu), ([run]) => run.length));
}

function capitalised(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
