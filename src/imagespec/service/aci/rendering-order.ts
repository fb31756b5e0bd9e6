import { FairleadError } from "../../../core/error.ts";
import type { ImageManifest } from "./image-manifest.ts";
import { createPathFilter, type PathFilter } from "./path-whitelist.ts";

/** What is known of an image that is rendered. */
export interface RenderedImage {
  readonly id: string;
  readonly manifest: ImageManifest;
  readonly imageBytes: number;
  /** IDs, in their order. */
  readonly dependencies: readonly string[];
}

/** The files of one image, as they are laid over those before. */
export interface RenderingStep {
  readonly image: RenderedImage;
  /** Of the image and of all that need it. */
  readonly filter: PathFilter;
}

/** What overlay file systems stack. */
const maxSteps = 127;

/**
 * The order in which files are laid over one another: each image after its dependencies, which come in theirs (appc
 * specification, "Image Manifest": each dependency can overwrite files of the one before). Of files that would be
 * laid down twice, the last time is the one that counts.
 * @param find gives an image by its ID
 * @throws FairleadError `limit-exceeded` for more steps than a file system can stack, and what `find` throws
 */
export function renderingOrder(
  rootId: string,
  find: (id: string) => RenderedImage,
): readonly RenderingStep[] {
  const steps: RenderingStep[] = [];
  const seen = new Set<string>();
  // From the last to the first, so that what comes again is what was seen.
  const visit = (id: string, outer: readonly string[], filters: readonly PathFilter[]): void => {
    const image = find(id);
    const { pathWhitelist } = image.manifest;
    const owners = pathWhitelist.length === 0 ? outer : [...new Set([...outer, id])].toSorted();
    const key = JSON.stringify([id, owners]);
    if (seen.has(key)) return;
    seen.add(key);
    if (seen.size > maxSteps) {
      throw new FairleadError("limit-exceeded", `the image is made of more than ${maxSteps} layers`);
    }
    const all = pathWhitelist.length === 0 ? filters : [...filters, createPathFilter(pathWhitelist)];
    steps.push({ image, filter: (path, isFolder) => all.every((filter) => filter(path, isFolder)) });
    for (const dependency of image.dependencies.toReversed()) visit(dependency, owners, all);
  };
  visit(rootId, [], []);
  return steps.toReversed();
}
