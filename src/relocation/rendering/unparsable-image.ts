import { tryParseReference } from "../../reference/reference.ts";
import { isYamlMap, type YamlValue } from "../../yaml/value.ts";
import type { ValuePath } from "../../yaml/value-path.ts";
import type { Manifest } from "./manifest.ts";

/** A container's image that is no reference: no runtime can pull it, and nobody can tell where it comes from. */
export interface UnparsableContainerImage {
  readonly path: ValuePath;
  readonly text: string;
}

/** The images of containers, at any depth of a manifest, that cannot be read as references. */
export function findUnparsableImages({ content }: Manifest): UnparsableContainerImage[] {
  const images: UnparsableContainerImage[] = [];
  // One path that grows and shrinks: documents such as those of CRDs have very many places.
  const path: (string | number)[] = [];
  const visitAt = (step: string | number, value: YamlValue): void => {
    path.push(step);
    visit(value);
    path.pop();
  };
  const visit = (value: YamlValue): void => {
    if (Array.isArray(value)) {
      for (const [index, item] of (value as readonly YamlValue[]).entries()) visitAt(index, item);
    } else if (isYamlMap(value)) {
      for (const key of Object.keys(value)) visitAt(key, value[key] ?? null);
    } else if (typeof value === "string" && value !== "" && isContainerImage(path)) {
      if (tryParseReference(value) === undefined) images.push({ path: [...path], text: value });
    }
  };
  visit(content);
  return images;
}

function isContainerImage(path: ValuePath): boolean {
  return (
    path.at(-1) === "image" &&
    typeof path.at(-2) === "number" &&
    /^(?:c|initC|ephemeralC)ontainers$/u.test(String(path.at(-3)))
  );
}
