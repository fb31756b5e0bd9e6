import type { ChartResult } from "../result.ts";
import { type ImageChange, isToBeFetched } from "./image-change.ts";
import { imageIdentity } from "./occurrence.ts";

/** A new version's result with those images alone that the old one did not pull. */
export function resultToFetch(result: ChartResult, changes: readonly ImageChange[]): ChartResult {
  const wanted = new Set(
    changes.flatMap((change) =>
      isToBeFetched(change) && change.new !== undefined ? [imageIdentity(change.new.spec)] : [],
    ),
  );
  const images = result.images.filter(
    ({ sourceSpec }) => sourceSpec !== undefined && wanted.has(imageIdentity(sourceSpec)),
  );
  return { ...result, images };
}
