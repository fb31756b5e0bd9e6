import type { DockerImage } from "../../reference/image-spec.ts";
import type {
  ChangeKind,
  ImageChange,
  ImageVersion,
  UpgradeComparison,
} from "../../relocation/upgrade/image-change.ts";
import type { CheckedImage, DeadLeaf, OverrideCheck } from "../../relocation/upgrade/override-check.ts";
import type { RenderedPlace } from "../../relocation/result.ts";

/** How the kinds of change are called, in the order in which they are counted. */
export const changeNames: Readonly<Record<ChangeKind, string>> = {
  changed: "changed",
  moved: "moved",
  added: "added",
  removed: "removed",
  "switched-on": "switched on",
  "switched-off": "switched off",
  unchanged: "unchanged",
};

/** `2 changed, 1 added; 9 unchanged`. */
export function describeCounts({ counts }: UpgradeComparison): string {
  const names = Object.keys(changeNames) as ChangeKind[];
  const told = names
    .filter((kind) => kind !== "unchanged" && counts[kind] > 0)
    .map((kind) => `${counts[kind]} ${changeNames[kind]}`);
  return `${told.length === 0 ? "no image differs" : told.join(", ")}; ${counts.unchanged} unchanged`;
}

/** What two versions of an image show of it: the whole name of one that was moved, else tag and digest. */
export function describeVersions({ change, old, new: next }: ImageChange): readonly [string, string] {
  const before = change === "moved" ? nameOf(old) : "";
  return [before + describeVersion(old), describeVersion(next)];
}

function nameOf(version: ImageVersion | undefined): string {
  const image = version?.spec.dockerImage;
  return image === undefined ? "" : `${image.registry}/${image.name}:`;
}

function describeVersion(version: ImageVersion | undefined): string {
  if (version === undefined) return "";
  const { tag, digest }: Partial<DockerImage> = version.spec.dockerImage ?? {};
  const short = digest?.replace(/^(?<start>[^:]*:.{12}).+$/u, "$<start>…");
  const text = [...(tag === undefined ? [] : [tag]), ...(short === undefined ? [] : [short])].join("@");
  return text === "" ? "no tag" : text;
}

/** Where an image stands, and what is to be known of it: `Deployment/web (nginx)`. */
export function describePlaces(change: ImageChange): string {
  const { old, new: next } = change;
  const version = next ?? old;
  if (version === undefined) return "";
  const places = namesOfPlaces(version.places).join(", ");
  const values = version.values.map(({ valuePath = "" }) => valuePath).join(", ");
  const where = places === "" ? values : places;
  const note = noteOf(change);
  return note === "" ? where : `${where} [${note}]`;
}

/** That an image is not rendered by one of the versions, where its kind of change does not say so. */
function noteOf({ change, old, new: next }: ImageChange): string {
  if (change === "switched-on" || change === "switched-off") return "";
  if (old?.rendered !== false && next?.rendered !== false) return "";
  if (old === undefined || next === undefined || old.rendered === next.rendered) return "not rendered";
  return next.rendered ? "was not rendered" : "not rendered any more";
}

/** Each object with its container, once. */
function namesOfPlaces(places: readonly RenderedPlace[]): readonly string[] {
  const names = places.map(({ kind, name, container }) =>
    container === undefined ? `${kind}/${name}` : `${kind}/${name} (${container})`,
  );
  return [...new Set(names)];
}

/** What an override does to the images of the new version that are rendered. */
export function describeCoverage({ images, file }: OverrideCheck): string {
  const rendered = images.filter((image) => image.rendered || image.sourceSpec === undefined);
  const covered = rendered.filter(({ isCovered }) => isCovered).length;
  const all = covered === rendered.length ? "all " : `${covered} of `;
  return `${file} covers ${all}${rendered.length} ${rendered.length === 1 ? "image" : "images"} in scope`;
}

/** Where an image in scope is, and why the override does not cover it. */
export function describeUncovered(image: CheckedImage): readonly [string, string, string] {
  const values = image.values.map(({ valuePath = "" }) => valuePath).join(", ");
  const where = image.places.length === 0 ? values : namesOfPlaces(image.places).join(", ");
  return [image.source, image.rendered ? where : `${where} [not rendered]`, image.reason ?? ""];
}

/** Why a leaf of the override changes nothing. */
export function describeDeadLeaf({ reason }: DeadLeaf): string {
  return reason === "gone" ? "the chart has no such value" : "nothing that it renders comes from it";
}
