import type { ImageFinding, Verdict, VerdictStatus } from "./result.ts";

/** Document 002 §7.1: 100 % is OK, from 98 % on a warning, below it critical. */
const warningRate = 98;

export interface VerdictInput {
  readonly images: number;
  readonly moved: number;
  readonly threshold: number;
  readonly chartInstall: Verdict["chartInstall"];
  /** Whether anything beside the images changed. */
  readonly hasUnexpectedChange: boolean;
}

/** An image that the rate of a chart is about. */
export interface CountedImage extends ImageFinding {
  readonly status: "moved" | "planned" | "not-moved";
}

/**
 * The images that a verdict counts: those in scope that were rendered, and what is no reference at all; not those
 * that only exploring shows.
 * Where nothing was rendered, all in scope.
 */
export function countedImages(
  images: readonly ImageFinding[],
  chartInstall: Verdict["chartInstall"],
): readonly CountedImage[] {
  return images
    .filter(isInScope)
    .filter(({ explored }) => explored !== true)
    .filter(
      ({ places, sourceSpec }) => chartInstall === "not-run" || places.length > 0 || sourceSpec === undefined,
    );
}

/** Whether an image is one that fairlead was asked to move. */
export function isInScope(image: ImageFinding): image is CountedImage {
  return image.status === "moved" || image.status === "planned" || image.status === "not-moved";
}

/** The share of the images in scope that moved, as a verdict. A chart with no image in scope is at 100 %. */
export function judge(input: VerdictInput): Verdict {
  const { images, moved, threshold, chartInstall } = input;
  const rate = images === 0 ? 100 : (moved / images) * 100;
  const failed = images - moved;
  const tail = failed === 0 ? `(${images}/${images})` : `(${failed}/${images} failed)`;
  return {
    status: statusOf(input, rate),
    images,
    moved,
    rate,
    threshold,
    chartInstall,
    details: `${formatRate(rate)}% images matched ${tail}`,
  };
}

function statusOf({ chartInstall, hasUnexpectedChange }: VerdictInput, rate: number): VerdictStatus {
  if (chartInstall === "failed" || hasUnexpectedChange || rate < warningRate) return "CRITICAL";
  if (rate < 100) return "WARNING";
  return chartInstall === "passed" ? "OK" : "UNVERIFIED";
}

/** One decimal, cut rather than rounded, so that 99.96 % is never called 100 %. */
function formatRate(rate: number): string {
  return rate === 100 ? "100" : (Math.floor(rate * 10) / 10).toFixed(1);
}
