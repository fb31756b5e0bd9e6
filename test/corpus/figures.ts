import type { ImageFinding } from "../../src/relocation/result.ts";
import type { SurveyedChart } from "./charts.ts";

/** Why an image did not move, as a class that can be counted. */
export type MissClass =
  | "helm refuses the chart with the override"
  | "literal in a helm-test template"
  | "literal in a template"
  | "default or parts joined inside a template"
  | "value that the template does not read"
  | "became another reference"
  | "chart could not be worked on";

/** A chart that is not fully moved. */
export interface Exception {
  readonly chart: SurveyedChart["chart"];
  readonly images: number;
  readonly moved: number;
  readonly misses: readonly { readonly source: string; readonly missClass: MissClass }[];
}

export interface Figures {
  readonly charts: number;
  readonly fullyMoved: number;
  readonly images: number;
  readonly moved: number;
  /** `image:` lines that helm printed, and those of them that moved. */
  readonly judged: { readonly images: number; readonly moved: number };
  readonly refused: number;
  readonly exceptions: readonly Exception[];
  /** Charts reported as a success that helm refuses or shows unmoved. */
  readonly falseSuccesses: readonly string[];
  /** Misses that no diagnostic tells of. */
  readonly untold: readonly string[];
}

/** Sums up a survey of the corpus. */
export function figuresOf(surveyed: readonly SurveyedChart[]): Figures {
  const sum = (pick: (chart: SurveyedChart) => number): number =>
    surveyed.reduce((total, chart) => total + pick(chart), 0);
  const exceptions = surveyed.filter((chart) => !isFullyMoved(chart)).map((chart) => exceptionOf(chart));
  return {
    charts: surveyed.length,
    fullyMoved: surveyed.length - exceptions.length,
    images: sum(({ entry }) => ("result" in entry ? entry.result.verdict.images : 0)),
    moved: sum(({ entry }) => ("result" in entry ? entry.result.verdict.moved : 0)),
    judged: {
      images: sum(({ judgement }) => judgement?.images ?? 0),
      moved: sum(({ judgement }) => judgement?.moved ?? 0),
    },
    refused: surveyed.filter(
      ({ entry }) => "result" in entry && entry.result.verdict.chartInstall === "failed",
    ).length,
    exceptions,
    falseSuccesses: surveyed.filter((chart) => isFalseSuccess(chart)).map(({ chart }) => chart.id),
    untold: surveyed.flatMap((chart) => untoldMisses(chart)),
  };
}

function isFullyMoved({ entry, judgement }: SurveyedChart): boolean {
  if (!("result" in entry) || judgement === undefined) return false;
  return entry.result.verdict.status === "OK" && judgement.moved === judgement.images;
}

function exceptionOf({ chart, entry }: SurveyedChart): Exception {
  if (!("result" in entry)) {
    return {
      chart,
      images: 0,
      moved: 0,
      misses: [{ source: "", missClass: "chart could not be worked on" }],
    };
  }
  const { verdict, images } = entry.result;
  const missed = images.filter(({ status }) => status === "not-moved");
  return {
    chart,
    images: verdict.images,
    moved: verdict.moved,
    misses: missed.map((image) => ({
      source: image.source,
      missClass:
        verdict.chartInstall === "failed" ? "helm refuses the chart with the override" : classOf(image),
    })),
  };
}

function classOf({ reason = "", places }: ImageFinding): MissClass {
  if (reason.includes("literal")) {
    const isTest = places.every(({ template }) => /\/tests?\//u.test(template ?? ""));
    return isTest ? "literal in a helm-test template" : "literal in a template";
  }
  if (reason.includes("does not read")) return "value that the template does not read";
  if (reason.includes("became")) return "became another reference";
  return "default or parts joined inside a template";
}

function isFalseSuccess({ entry, judgement }: SurveyedChart): boolean {
  if (!("result" in entry)) return false;
  const success = entry.exitCode === 0 || entry.result.verdict.status === "OK";
  return success && (judgement === undefined || judgement.moved < judgement.images);
}

function untoldMisses({ chart, entry }: SurveyedChart): string[] {
  if (!("result" in entry)) return [];
  const { images, diagnostics } = entry.result;
  return images
    .filter(({ status }) => status === "not-moved")
    .filter(({ source }) => !diagnostics.some(({ message }) => message.includes(source)))
    .map(({ source }) => `${chart.id}: ${source}`);
}
