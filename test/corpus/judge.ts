/** What an independent look at two renderings of helm finds. */
export interface Judgement {
  /** `image:` lines of the original that hold a reference, occurrences counted. */
  readonly images: number;
  /** Those that stand under the target in the other, with the same last name, tag and digest. */
  readonly moved: number;
}

/**
 * Judges an override by what helm printed, without fairlead's own YAML reader and verification: the lines
 * that name an image are taken in the order in which they stand.
 */
export function judge(original: string, overridden: string, target: string): Judgement {
  const before = imageLines(original);
  const after = imageLines(overridden);
  const moved = before.filter((image, index) => {
    const other = after[index];
    return other !== undefined && other.startsWith(`${target}/`) && lastName(other) === lastName(image);
  });
  return { images: before.length, moved: before.length === after.length ? moved.length : 0 };
}

function imageLines(rendered: string): string[] {
  const lines = rendered.matchAll(/^[ -]*image: *["']?(?<image>[a-z0-9][^\s"'#{}]*)["']? *$/gmu);
  const images = [...lines].flatMap(({ groups }) => groups?.["image"] ?? []);
  // Istio's injector puts the image in the place of this word when a pod is made.
  return images.filter((image) => image !== "auto");
}

/** The last path component with tag and digest. */
function lastName(image: string): string {
  return image.slice(image.lastIndexOf("/", image.includes("@") ? image.indexOf("@") : image.length) + 1);
}
