import type { DockerImage } from "../../reference/image-spec.ts";
import type { ChartResult } from "../result.ts";

/**
 * One `source target` line for each image that the override moves, sorted and without repeats: what a loop
 * over `crane copy` or `skopeo copy` takes. References are canonical; a digest stands without its tag, since
 * skopeo refuses both together.
 */
export function formatImageList(results: readonly ChartResult[]): string {
  const lines = new Set<string>();
  for (const image of results.flatMap(({ images }) => images)) {
    const source = image.sourceSpec?.dockerImage;
    const target = image.targetSpec?.dockerImage;
    if (
      (image.status !== "moved" && image.status !== "planned") ||
      source === undefined ||
      target === undefined
    )
      continue;
    lines.add(`${formatPullable(source)} ${formatPullable(target)}\n`);
  }
  return [...lines].sort().join("");
}

function formatPullable(image: DockerImage): string {
  const name = `${image.registry}/${image.name}`;
  return image.digest === undefined ? `${name}:${image.tag ?? "latest"}` : `${name}@${image.digest}`;
}
