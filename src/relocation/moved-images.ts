import { joinReference, type ImageReference } from "../reference/reference.ts";
import { formatValuePath, type ValuePath } from "../yaml/value-path.ts";
import type { ImageSite, NameLeaf } from "./discover/image-site.ts";
import type { VersionLeaf, VersionLeaves } from "./discover/version-leaf.ts";
import type { LeafEdit, Plan, PlannedImage } from "./plan.ts";

/** An image that an override moves, and the leaves of it that can follow a registry. */
export interface MovedImage {
  readonly source: ImageReference;
  readonly target: ImageReference;
  /** The reference as the chart writes it. */
  readonly text: string;
  /** The map or the leaf that the image is. */
  readonly path: ValuePath;
  /** No two have one path. */
  readonly leaves: readonly ImageLeaf[];
}

/** A leaf and what of an image it holds: all of it, its name, its tag or its digest. */
export interface ImageLeaf {
  readonly role: "image" | "name" | "tag" | "digest";
  /** In the terms of the coalesced values. */
  readonly path: ValuePath;
  /** What the override has there. */
  readonly value: string;
  /** What stands there without the override: for `image`, what goes before tag and digest. */
  readonly origin: string;
  /** What the template puts around it; empty for all but tags and digests. */
  readonly before: string;
  readonly after: string;
  /** Why it must not follow the image alone. */
  readonly obstacle?: string;
}

/** Why an override cannot set a leaf; undefined where it can. */
export type LeafRule = (path: ValuePath) => string | undefined;

/** The images that a plan moves, each with the leaves that hold its name, tag and digest. */
export function movedImages(plan: Plan, isFixed: LeafRule): readonly MovedImage[] {
  const edits = new Map(plan.edits.map((edit) => [keyOf(edit.path), edit]));
  const stays = plan.images.filter((image) => !isMoved(image));
  const taken = new Map(
    stays.flatMap(({ site }) => versionPaths(site).map((path) => [keyOf(path), site.text] as const)),
  );
  const obstacleOf: LeafRule = (path) => {
    const stays = taken.get(keyOf(path));
    return stays === undefined ? isFixed(path) : `it also makes ${stays}, which stays where it is`;
  };
  const images = plan.images.flatMap(({ site, relocation, obstacle }) =>
    relocation === undefined || obstacle !== undefined
      ? []
      : site.versions.map((versions): MovedImage => {
          const target = relocation.reference;
          const leaves = leavesOf(site, versions, target, edits);
          return {
            source: site.reference,
            target,
            text: site.text,
            path: site.path,
            leaves: leaves.map((leaf) => withObstacle(leaf, obstacleOf)),
          };
        }),
  );
  return withoutContradictions(images);
}

function isMoved({ relocation, obstacle }: PlannedImage): boolean {
  return relocation !== undefined && obstacle === undefined;
}

function versionPaths({ name, versions }: ImageSite): readonly ValuePath[] {
  const leaves = versions.flatMap(({ tag, digest }) => [tag, digest]);
  return [...name, ...leaves].flatMap((leaf) => (leaf === undefined ? [] : [leaf.path]));
}

function leavesOf(
  site: ImageSite,
  { tag, digest }: VersionLeaves,
  target: ImageReference,
  edits: ReadonlyMap<string, LeafEdit>,
): readonly ImageLeaf[] {
  const named = nameLeafOf(site, target, edits);
  if (named?.role === "image") return [named];
  const names = new Set(site.name.map(({ path }) => keyOf(path)));
  const versions = [versionLeaf("tag", tag), versionLeaf("digest", digest)];
  return [named, ...versions.filter((leaf) => leaf !== undefined && !names.has(keyOf(leaf.path)))].filter(
    (leaf) => leaf !== undefined,
  );
}

/** The leaf that the override sets to the whole name at the target, be it with tag and digest. */
function nameLeafOf(
  { name, whole, reference }: ImageSite,
  target: ImageReference,
  edits: ReadonlyMap<string, LeafEdit>,
): ImageLeaf | undefined {
  const targetName = joinReference(target.registry, target.path, {});
  const isWhole = (leaf: NameLeaf): boolean =>
    leaf.prefix === "" && edits.get(keyOf(leaf.path))?.to === `${targetName}${leaf.suffix}`;
  const leaf = [...(whole === undefined ? [] : [whole]), ...name].find(isWhole);
  if (leaf === undefined) return undefined;
  const { path, text, suffix } = leaf;
  // A tag of the leaf with a digest of another one is no image that a policy could write.
  if (suffix !== "" && suffix !== joinReference("", "", reference)) return undefined;
  const role = suffix === "" ? "name" : "image";
  return { role, path, value: `${targetName}${suffix}`, origin: text, before: "", after: "" };
}

function versionLeaf(role: "tag" | "digest", leaf: VersionLeaf | undefined): ImageLeaf | undefined {
  if (leaf === undefined) return undefined;
  const { path, text, before, after } = leaf;
  return { role, path, value: text, origin: text, before, after };
}

function withObstacle(leaf: ImageLeaf, obstacleOf: LeafRule): ImageLeaf {
  // What holds the name is set by the plan, which knows what else it makes.
  const obstacle = leaf.role === "tag" || leaf.role === "digest" ? obstacleOf(leaf.path) : undefined;
  return obstacle === undefined ? leaf : { ...leaf, obstacle };
}

/** An empty leaf stands for what each chart has in its place, which need not be one and the same. */
function withoutContradictions(images: readonly MovedImage[]): readonly MovedImage[] {
  const values = new Map<string, Set<string>>();
  for (const { path, value } of images.flatMap(({ leaves }) => leaves)) {
    values.set(keyOf(path), (values.get(keyOf(path)) ?? new Set<string>()).add(value));
  }
  const check = (leaf: ImageLeaf): ImageLeaf => {
    const wanted = [...(values.get(keyOf(leaf.path)) ?? [])];
    if (wanted.length < 2 || leaf.obstacle !== undefined) return leaf;
    return {
      ...leaf,
      obstacle: `${formatValuePath(leaf.path)} would have to be ${wanted.join(" and ")} at once`,
    };
  };
  return images.map((image) => ({ ...image, leaves: image.leaves.map(check) }));
}

function keyOf(path: ValuePath): string {
  return JSON.stringify(path);
}
