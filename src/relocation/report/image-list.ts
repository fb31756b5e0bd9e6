import type { Diagnostic } from "../../core/diagnostic.ts";
import type { DockerImage } from "../../reference/image-spec.ts";
import { isWhole } from "../residual/prove-residual.ts";
import type { ChartResult } from "../result.ts";

/**
 * One `source target` line for each image that the override, or the residual plan with it, moves, sorted and without repeats: what a loop
 * over `crane copy` or `skopeo copy` takes. References are canonical; a digest stands without its tag, since
 * skopeo refuses both together.
 */
export function formatImageList(results: readonly ChartResult[]): string {
  const lines = new Set<string>();
  for (const { images, residual } of results) {
    const isReached = residual !== undefined && isWhole(residual);
    for (const { status, sourceSpec, targetSpec, explored } of images) {
      const source = sourceSpec?.dockerImage;
      const target = targetSpec?.dockerImage;
      const moves =
        status === "moved" ||
        status === "planned" ||
        (status === "not-moved" && isReached && explored !== true);
      if (!moves || source === undefined || target === undefined) continue;
      lines.add(`${formatPullable(source)} ${formatPullable(target)}\n`);
    }
  }
  return [...lines].sort().join("");
}

/** The images whose line says `latest` for want of a tag, which their template may well add. */
export function findUntaggedImages({ images }: ChartResult): Diagnostic[] {
  return images
    .filter(({ status, sourceSpec }) => {
      const image = sourceSpec?.dockerImage;
      return status === "planned" && image?.tag === undefined && image?.digest === undefined;
    })
    .map(({ source, values }) => ({
      code: "unverified",
      severity: "warning",
      message: `${source} has no tag in the values; the image list says latest`,
      where: values[0] ?? {},
      hint: "a rendering tells its tag: --verify, with the values that switch it on",
      image: source,
    }));
}

function formatPullable(image: DockerImage): string {
  const name = `${image.registry}/${image.name}`;
  return image.digest === undefined ? `${name}:${image.tag ?? "latest"}` : `${name}@${image.digest}`;
}
