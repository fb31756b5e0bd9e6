import { escapeLine } from "../../core/escape.ts";
import type { ChangeKind, UpgradeComparison } from "../../relocation/upgrade/image-change.ts";
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
import { formatTable, type TableColumn } from "./table.ts";
import type { Colours, Terminal } from "./terminal.ts";

const changeColumns: readonly TableColumn[] = [
  { title: "change" },
  { title: "repository", shrinks: true },
  { title: "old", shrinks: true },
  { title: "new", shrinks: true },
  { title: "places", shrinks: true },
];

const uncoveredColumns: readonly TableColumn[] = [
  { title: "not covered", shrinks: true },
  { title: "places", shrinks: true },
  { title: "why", shrinks: true },
];

/** What a chart upgrade does to the images, and to the override where one is checked, for a terminal. */
export function formatDiffTable(
  comparison: UpgradeComparison,
  check: OverrideCheck | undefined,
  { width, colours }: Terminal,
): string {
  const { old, new: next, images, renamedValues } = comparison;
  const options = { width, styleTitle: colours.bold };
  const rows = images.map((image) => {
    const kind = { text: changeNames[image.change], style: styleOf(image.change, colours) };
    const [before, after] = describeVersions(image);
    return [kind, image.repository, before, after, describePlaces(image)];
  });
  const title = `${old.name} ${old.version} → ${next.name === old.name ? "" : `${next.name} `}${next.version}`;
  const paragraphs = [
    `${colours.bold(escapeLine(title))}: ${describeCounts(comparison)}\n`,
    rows.length === 0 ? "" : formatTable(changeColumns, rows, options),
    listOf(
      "Images come from other values:",
      renamedValues.map(({ from, to }) => `${from} → ${to}`),
    ),
    ...(check === undefined ? [] : checkParagraphs(check, options, colours)),
  ];
  return paragraphs.filter((text) => text !== "").join("\n");
}

function checkParagraphs(
  check: OverrideCheck,
  options: Parameters<typeof formatTable>[2],
  colours: Colours,
): string[] {
  const uncovered = check.images
    .filter(({ isCovered }) => !isCovered)
    .map((image) => describeUncovered(image));
  const { missing, deadLeaves } = check;
  const dead = deadLeaves.map((leaf) => `${leaf.path}: ${describeDeadLeaf(leaf)}`);
  return [
    `${colours.bold(escapeLine(describeCoverage(check)))}\n`,
    uncovered.length === 0 ? "" : formatTable(uncoveredColumns, uncovered, options),
    listOf("It sets what changes nothing:", dead),
    missing === undefined
      ? ""
      : listOf(
          `To be added or replaced; with that, ${missing.verdict.details}:`,
          missing.yaml.trimEnd().split("\n"),
        ),
  ];
}

function listOf(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? "" : [title, ...lines.map((line) => `  ${escapeLine(line)}`), ""].join("\n");
}

function styleOf(change: ChangeKind, colours: Colours): (text: string) => string {
  const styles: Readonly<Record<ChangeKind, (text: string) => string>> = {
    added: colours.green,
    "switched-on": colours.green,
    removed: colours.red,
    "switched-off": colours.red,
    changed: colours.yellow,
    moved: colours.yellow,
    unchanged: colours.dim,
  };
  return styles[change];
}
