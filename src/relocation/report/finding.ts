import type { Diagnostic, DiagnosticCode } from "../../core/diagnostic.ts";
import type { ChartResult, ImageFinding } from "../result.ts";
import { imagesInScope } from "./totals.ts";

/** An image in scope that did not move, and what is known of why. */
export interface Miss {
  readonly image: ImageFinding;
  /** Never empty. */
  readonly reason: string;
  readonly hint: string | undefined;
}

/** The images in scope that did not move, in the chart's order. */
export function findMisses(result: ChartResult): readonly Miss[] {
  return imagesInScope(result)
    .filter((image) => image.status === "not-moved")
    .map((image) => {
      const own = result.diagnostics.find((diagnostic) => tellsOf(diagnostic, image));
      return { image, reason: image.reason ?? own?.message ?? "no reason is known", hint: own?.hint };
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

const missCodes: ReadonlySet<DiagnosticCode> = new Set([
  "image-not-moved",
  "image-misplaced",
  "reference-unparsable",
  "target-rule-broken",
]);

function tellsOf(diagnostic: Diagnostic, image: ImageFinding): boolean {
  return missCodes.has(diagnostic.code) && mentions(diagnostic.message, image.source);
}

/** Whether a text names a reference as a whole, not as a part of a longer one. */
function mentions(text: string, reference: string): boolean {
  for (let at = text.indexOf(reference); at !== -1; at = text.indexOf(reference, at + 1)) {
    const before = text.slice(0, at).at(-1) ?? " ";
    const after = text.slice(at + reference.length).replace(/^[.:,;]+(?=\s|$)/u, " ")[0] ?? " ";
    if (!/[\w./:@-]/u.test(before) && !/[\w./:@-]/u.test(after)) return true;
  }
  return false;
}
