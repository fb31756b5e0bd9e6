import { load as loadDocument } from "js-yaml";

/** What an independent look at two renderings of helm finds. */
export interface Judgement {
  /** Images of containers in the original, occurrences counted. */
  readonly images: number;
  /** Those that stand under the target in the other, with the same last name, tag and digest. */
  readonly moved: number;
}

/**
 * Judges an override by what helm printed, with another YAML reader and another way of looking than
 * fairlead's own verification: containers are taken in the order in which they stand.
 */
export function judge(original: string, overridden: string, target: string): Judgement {
  const before = containerImages(original);
  const after = containerImages(overridden);
  const moved = before.filter((image, index) => {
    const other = after[index];
    return other !== undefined && other.startsWith(`${target}/`) && lastName(other) === lastName(image);
  });
  return { images: before.length, moved: before.length === after.length ? moved.length : 0 };
}

function containerImages(rendered: string): string[] {
  return rendered.split(/^---.*$/mu).flatMap((text) => {
    if (!/^kind:/mu.test(text)) return [];
    const images: string[] = [];
    collect(loadDocument(text), images);
    return images;
  });
}

function collect(value: unknown, images: string[]): void {
  if (Array.isArray(value)) {
    for (const item of value) collect(item, images);
  } else if (typeof value === "object" && value !== null) {
    for (const [key, child] of Object.entries(value)) {
      if (/^(?:c|initC|ephemeralC)ontainers$/u.test(key) && Array.isArray(child)) {
        for (const container of child as unknown[]) collectContainer(container, images);
      } else collect(child, images);
    }
  }
}

function collectContainer(container: unknown, images: string[]): void {
  if (typeof container !== "object" || container === null || !("image" in container)) return;
  if (typeof container.image === "string") images.push(container.image);
}

/** The last path component with tag and digest. */
function lastName(image: string): string {
  return image.slice(image.lastIndexOf("/", image.includes("@") ? image.indexOf("@") : image.length) + 1);
}
