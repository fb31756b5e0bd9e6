import type { ImageFinding, Verdict } from "../../src/relocation/result.ts";
import { countedImages, isInScope } from "../../src/relocation/verdict.ts";
import type { Judgements, SurveyedChart } from "./charts.ts";
import type { Judgement } from "./judge.ts";

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
  readonly judged: Judgement;
  /** The same without the objects of `helm test`. */
  readonly judgedWithoutTests: Judgement;
  /** The same of the override with the residual plan. */
  readonly judgedWithResidual: Judgement;
  /** Charts with every image outside helm-test pods moved. */
  readonly movedWithoutTests: number;
  /** Charts with every image moved by override and residual plan. */
  readonly movedWithResidual: number;
  /** Images that only exploring shows, and those of them that moved. */
  readonly explored: Judgement;
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
    judged: judgedBy(surveyed, ({ override }) => override),
    judgedWithoutTests: judgedBy(surveyed, ({ withoutTests }) => withoutTests),
    judgedWithResidual: judgedBy(surveyed, ({ withResidual }) => withResidual),
    movedWithoutTests: surveyed.filter((chart) => isMovedWithoutTests(chart)).length,
    movedWithResidual: surveyed.filter((chart) => isMovedWithResidual(chart)).length,
    explored: {
      images: sum((chart) => exploredImages(chart).length),
      moved: sum((chart) => exploredImages(chart).filter(({ status }) => status === "moved").length),
    },
    refused: surveyed.filter(
      ({ entry }) => "result" in entry && entry.result.verdict.chartInstall === "failed",
    ).length,
    exceptions,
    falseSuccesses: surveyed.filter((chart) => isFalseSuccess(chart)).map(({ chart }) => chart.id),
    untold: surveyed.flatMap((chart) => untoldMisses(chart)),
  };
}

function isFullyMoved({ entry, judgements }: SurveyedChart): boolean {
  if (!("result" in entry) || judgements === undefined) return false;
  return isGood(entry.result.verdict) && isWhole(judgements.override);
}

/** A chart without an image in scope has nothing that could be proven. */
function isGood({ status, images }: Pick<Verdict, "status" | "images">): boolean {
  return status === "OK" || images === 0;
}

/** By what did not move as much as by helm's output: an image may stand elsewhere than on a line of its own. */
function isMovedWithoutTests({ entry, judgements }: SurveyedChart): boolean {
  if (!("result" in entry) || judgements === undefined || !isWhole(judgements.withoutTests)) return false;
  const missed = countedImages(entry.result.images, entry.result.verdict.chartInstall).filter(
    ({ status }) => status === "not-moved",
  );
  return missed.every((image) => classOf(image) === "literal in a helm-test template");
}

function isMovedWithResidual({ entry, judgements }: SurveyedChart): boolean {
  if (!("result" in entry) || judgements === undefined) return false;
  const { residual, verdict } = entry.result;
  return isGood(residual?.verdict ?? verdict) && isWhole(judgements.withResidual);
}

function isWhole({ images, moved }: Judgement): boolean {
  return images === moved;
}

function exploredImages({ entry }: SurveyedChart): readonly ImageFinding[] {
  if (!("result" in entry)) return [];
  return entry.result.images.filter((image) => image.explored === true && isInScope(image));
}

function judgedBy(surveyed: readonly SurveyedChart[], pick: (all: Judgements) => Judgement): Judgement {
  const found = surveyed.flatMap(({ judgements }) => (judgements === undefined ? [] : [pick(judgements)]));
  return {
    images: found.reduce((total, { images }) => total + images, 0),
    moved: found.reduce((total, { moved }) => total + moved, 0),
  };
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
  const missed = countedImages(images, verdict.chartInstall).filter(({ status }) => status === "not-moved");
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

function isFalseSuccess({ entry, judgements }: SurveyedChart): boolean {
  if (!("result" in entry)) return false;
  const success = entry.exitCode === 0 || entry.result.verdict.status === "OK";
  return success && (judgements === undefined || !isWhole(judgements.withResidual));
}

function untoldMisses({ chart, entry }: SurveyedChart): string[] {
  if (!("result" in entry)) return [];
  const { images, diagnostics } = entry.result;
  return images
    .filter(({ status }) => status === "not-moved")
    .filter(({ source }) => !diagnostics.some(({ message }) => message.includes(source)))
    .map(({ source }) => `${chart.id}: ${source}`);
}
