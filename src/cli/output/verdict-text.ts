import type { Diagnostic, Severity } from "../../core/diagnostic.ts";
import { formatWhere, type FairleadError, type Where } from "../../core/error.ts";
import { escapeLine } from "../../core/escape.ts";
import { findUntoldMisses, type Miss } from "../../relocation/report/finding.ts";
import {
  type ChartStatus,
  describeExplored,
  formatPercent,
  sumTotals,
  type Totals,
} from "../../relocation/report/totals.ts";
import { isWhole } from "../../relocation/residual/prove-residual.ts";
import type { ChartResult, ImageFinding, ResidualSummary, TargetCheck } from "../../relocation/result.ts";
import { isInScope } from "../../relocation/verdict.ts";
import type { Colours } from "./terminal.ts";

export interface VerdictTextOptions {
  readonly colours: Colours;
  /** Whether each image is told too. */
  readonly verbose: boolean;
}

/**
 * What a person is told after a run over one chart, one line each and safe to print: findings, images that
 * did not move, projects that must exist, and last the verdict.
 */
export function describeResult(result: ChartResult, options: VerdictTextOptions): readonly string[] {
  const { verdict, projects } = result;
  const lines = [
    ...(options.verbose ? result.images : []).flatMap((image) => describeImage(image)),
    ...result.diagnostics.flatMap((diagnostic) => describeDiagnostic(diagnostic, options.colours)),
    ...findUntoldMisses(result).flatMap((miss) => describeMiss(miss, options.colours)),
  ];
  lines.push(...describeProjects(projects));
  lines.push(...describeOtherRegistries(result));
  const totals = sumTotals([{ result, exitCode: 0, durationMs: 0 }]);
  lines.push(...describeBeyond(totals));
  const status = styleStatus(verdict.status, options.colours);
  const chart = escapeLine(`${result.chart.name} ${result.chart.version}`);
  lines.push(`${status}: ${chart}: ${escapeLine(verdict.details)}`);
  lines.push(`Image Match Rate ${formatPercent(verdict.rate)}, Chart Install ${verdict.chartInstall}`);
  if (verdict.chartInstall === "not-run") {
    lines.push("Nothing has proven this override.");
  }
  return [
    ...lines,
    ...describeResidual(result.residual, options.colours),
    ...describeTargetCheck(result.targetCheck),
  ];
}

/** What the target was found to have. */
function describeTargetCheck(check: TargetCheck | undefined): readonly string[] {
  if (check === undefined) return [];
  const { checked, same, present, missing, different } = check;
  const parts = [
    ...(missing === 0 ? [] : [`${missing} missing`]),
    ...(different === 0 ? [] : [`${different} with another digest`]),
    ...(present === 0 ? [] : [`${present} not compared with the source`]),
  ];
  const details = parts.length === 0 ? "" : ` (${parts.join(", ")})`;
  return [`At the target: ${same + present} of ${count(checked, "image")}${details}`];
}

/** What is set for parts of charts that they do not show as they are. */
export function describeBeyond(totals: Totals): readonly string[] {
  const { notRendered } = totals;
  const explored = describeExplored(totals);
  return [
    ...(explored === undefined ? [] : [explored]),
    ...(notRendered === 0 ? [] : [`Set for parts that nothing has rendered: ${notRendered}`]),
  ];
}

/** What stays to be changed after the override, and the verdict on both together. */
function describeResidual(residual: ResidualSummary | undefined, colours: Colours): readonly string[] {
  if (residual === undefined) return [];
  const { objects, fields, hooks, verdict } = residual;
  const left = `Values do not reach ${count(fields, "field")} of ${count(objects, "object")}`;
  const hooksNote =
    hooks === 0
      ? []
      : [`Of these, ${count(hooks, "hook")}, which Helm 3 keeps from post-renderers; Helm 4 does not.`];
  const told = isWhole(residual) ? `${verdict.details}, and nothing else changes` : verdict.details;
  return [
    `${fields === 0 ? "Values reach every field" : left}.`,
    ...hooksNote,
    `${styleStatus(verdict.status, colours)}: override and residual plan together: ${escapeLine(told)}`,
  ];
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

/** Where the images come from whose registry no source names, if none is in scope: a name may be mistyped. */
function describeOtherRegistries({ images, verdict }: ChartResult): readonly string[] {
  if (verdict.images > 0 || images.some(isInScope)) return [];
  const others = images.filter(({ status }) => status === "out-of-scope");
  const registries = new Set(others.flatMap(({ sourceSpec }) => sourceSpec?.dockerImage?.registry ?? []));
  if (registries.size === 0) return [];
  return [escapeLine(`No image comes from a source registry; they come from: ${[...registries].join(", ")}`)];
}

/** One line for each registry, and one for what serves in the place of its projects. */
function describeProjects(projects: ChartResult["projects"]): readonly string[] {
  return [...Map.groupBy(projects, ({ host }) => host)].flatMap(([host, group]) => {
    const names = group.map(({ name }) => name).join(", ");
    const alternatives = [...new Set(group.flatMap(({ alternative }) => alternative ?? []))].join(", ");
    const line = escapeLine(`Projects that must exist at ${host}: ${names}`);
    return alternatives === "" ? [line] : [line, escapeLine(`  or ${alternatives}`)];
  });
}

/** An image with its target and where its values stand, one line and more for the places. */
function describeImage({ source, target, status, values, enabled }: ImageFinding): readonly string[] {
  const goes = target === undefined || status === "not-moved" ? "" : ` -> ${target}`;
  const off = enabled ? "" : " (switched off)";
  return [`${status}: ${escapeLine(source)}${escapeLine(goes)}${off}`, ...values.flatMap(describePlace)];
}

/** Lines as text, with a line end after each. */
export function toText(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}

/** An error as lines that are safe to print: the sentence, the place, what to do next. */
export function describeError(
  error: Pick<FairleadError, "message" | "where" | "hint">,
  colours: Colours,
): readonly string[] {
  return [
    ...describeMessage(colours.red("error"), error.message),
    ...describePlace(error.where),
    ...describeHint(error.hint),
  ];
}

function describeMiss({ image, reason, hint, places }: Miss, colours: Colours): readonly string[] {
  return [
    ...describeMessage(colours.red("error"), `${image.source} is not moved: ${reason}`),
    ...places.flatMap(describePlace),
    ...describeHint(hint),
  ];
}

/** A finding as lines that are safe to print. */
export function describeDiagnostic(diagnostic: Diagnostic, colours: Colours): readonly string[] {
  const styles: Readonly<Record<Severity, (text: string) => string>> = {
    error: colours.red,
    warning: colours.yellow,
    info: colours.cyan,
  };
  return [
    ...describeMessage(styles[diagnostic.severity](diagnostic.severity), diagnostic.message),
    ...describePlace(diagnostic.where),
    ...describeHint(diagnostic.hint),
  ];
}

const maxMessageLines = 12;
/** Of a line: Helm names every level of templates that include one another without end, and what is wrong at last. */
const maxLineStart = 2_000;
const maxLineEnd = 1_000;

/**
 * A message behind a head that is safe to print. Helm's messages have several lines: a bar before the
 * further ones keeps them apart from lines of our own.
 */
export function describeMessage(head: string, message: string): readonly string[] {
  const [first = "", ...rest] = message.split(/\r?\n/u);
  const shown = rest.slice(0, maxMessageLines - 1);
  const more = rest.length - shown.length;
  return [
    `${head}: ${escapeLine(withoutMiddle(first))}`,
    ...shown.map((line) => `  | ${escapeLine(withoutMiddle(line))}`),
    ...(more === 0 ? [] : [`  | … and ${more} more lines`]),
  ];
}

function withoutMiddle(line: string): string {
  const more = line.length - maxLineStart - maxLineEnd;
  if (more <= 0) return line;
  const [start, end] = [line.slice(0, maxLineStart), line.slice(-maxLineEnd)];
  return `${start.toWellFormed()} … and ${more} more characters … ${end.toWellFormed()}`;
}

/** The line that says where, if that is known. */
export function describePlace(where: Where): readonly string[] {
  const place = formatWhere(where);
  return place === "" ? [] : [`  at ${escapeLine(place)}`];
}

/** The line that says what to do next, if there is one. */
export function describeHint(hint: string | undefined): readonly string[] {
  return hint === undefined ? [] : [`  hint: ${escapeLine(hint)}`];
}

/** A chart's status in its colour. */
export function styleStatus(status: ChartStatus, colours: Colours): string {
  const styles: Readonly<Record<ChartStatus, (text: string) => string>> = {
    FAILED: colours.red,
    CRITICAL: colours.red,
    WARNING: colours.yellow,
    UNVERIFIED: colours.blue,
    OK: colours.green,
  };
  return colours.bold(styles[status](status));
}
