import type { Diagnostic } from "../../core/diagnostic.ts";
import { formatWhere, type Where } from "../../core/error.ts";
import type { ChartResult, ImageFinding } from "../result.ts";
import { countedImages } from "../verdict.ts";

/** An image in scope that did not move, and what is known of why. */
export interface Miss {
  readonly image: ImageFinding;
  /** Never empty. */
  readonly reason: string;
  readonly hint: string | undefined;
  /** Where to look: what its diagnostics name, else its values, else the chart's templates that rendered it. */
  readonly places: readonly Where[];
}

/** The images that the verdict counts as not moved, in the chart's order. */
export function findMisses(result: ChartResult): readonly Miss[] {
  return countedImages(result.images, result.verdict.chartInstall)
    .filter((image) => image.status === "not-moved")
    .map((image) => {
      const own = result.diagnostics.filter((diagnostic) => tellsOf(diagnostic, image));
      return {
        image,
        reason: image.reason ?? own[0]?.message ?? "no reason is known",
        hint: own.find(({ hint }) => hint !== undefined)?.hint,
        places: placesOf(image, own),
      };
    });
}

/** The misses that no diagnostic tells of. */
export function findUntoldMisses(result: ChartResult): readonly Miss[] {
  return findMisses(result).filter(
    ({ image }) => !result.diagnostics.some((diagnostic) => tellsOf(diagnostic, image)),
  );
}

/** The diagnostics that say more than the list of misses says: all but a miss's own. */
export function findFurtherDiagnostics(result: ChartResult): readonly Diagnostic[] {
  const misses = findMisses(result);
  return result.diagnostics.filter((diagnostic) => !misses.some((miss) => tellsOf(diagnostic, miss.image)));
}

/** A place as {@link formatWhere} tells it, its file as seen from the chart. */
export function formatWhereInside(where: Where, chart: ChartResult["chart"]): string {
  const folder = `${chart.path}/`;
  if (where.file?.startsWith(folder) !== true) return formatWhere(where);
  return formatWhere({ ...where, file: where.file.slice(folder.length) });
}

function tellsOf(diagnostic: Diagnostic, image: ImageFinding): boolean {
  return diagnostic.image === image.source;
}

function placesOf(image: ImageFinding, own: readonly Diagnostic[]): readonly Where[] {
  const candidates = [
    own.map(({ where }) => where),
    image.values,
    image.places.map(({ template }) => (template === undefined ? {} : { file: template })),
  ];
  return candidates.map(withoutRepeats).find((places) => places.length > 0) ?? [];
}

/** Each known place once. */
function withoutRepeats(places: readonly Where[]): readonly Where[] {
  const unique = new Map(places.map((where) => [formatWhere(where), where]));
  unique.delete("");
  return [...unique.values()];
}
