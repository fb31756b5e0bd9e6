import type { Where } from "../../core/error.ts";
import { fromImageSpec, type ImageSpec } from "../../reference/image-spec.ts";
import { joinReference } from "../../reference/reference.ts";
import { formatValuePath } from "../../yaml/value-path.ts";
import type { ListedImage, ListedPlace } from "../list-images.ts";
import { valuesOfOrigins } from "../rendering/image-origins.ts";
import { repositoryIdentity } from "../repository-identity.ts";
import type { RenderedPlace } from "../result.ts";

/** An image at one place of a rendering, or in one value that nothing renders. */
export interface Occurrence {
  readonly source: string;
  readonly spec: ImageSpec;
  /** Repository, tag and digest: the same however the chart writes them. */
  readonly identity: string;
  readonly repository: string;
  /** Absent for a value that nothing renders. */
  readonly place?: RenderedPlace;
  readonly values: readonly Where[];
  /** The leaves that make each part of the text, where that is known. */
  readonly leaves: ReadonlyMap<string, ReadonlySet<string>>;
}

/** What makes two images the same, however a chart writes them. */
export function imageIdentity(spec: ImageSpec): string {
  return joinReference("", repositoryOf(spec), spec.dockerImage ?? {});
}

function repositoryOf(spec: ImageSpec): string {
  return repositoryIdentity(fromImageSpec(spec));
}

/** Each place of an image, and each value of it that makes none of them. */
export function occurrencesOf(images: readonly ListedImage[]): Occurrence[] {
  return images.flatMap(({ source, spec, places, values }): Occurrence[] => {
    const base = { source, spec, identity: imageIdentity(spec), repository: repositoryOf(spec) };
    const rendered = places.map((listed) => {
      const { origins, ...place } = listed;
      const own = new Set(valuesOfOrigins(origins).map((path) => formatValuePath(path)));
      return {
        ...base,
        place,
        values: values.filter(({ valuePath = "" }) => own.has(valuePath)),
        leaves: leavesOf(listed),
      };
    });
    const used = new Set(rendered.flatMap((occurrence) => occurrence.values));
    const others = values.filter((where) => !used.has(where));
    const leaves = new Map<string, ReadonlySet<string>>();
    return [...rendered, ...others.map((where) => Object.assign({ values: [where], leaves }, base))];
  });
}

function leavesOf({ origins }: ListedPlace): Map<string, Set<string>> {
  const leaves = new Map<string, Set<string>>();
  for (const { part, path } of origins) {
    if (part === "separator" || path === undefined) continue;
    leaves.set(part, (leaves.get(part) ?? new Set<string>()).add(path));
  }
  return leaves;
}
