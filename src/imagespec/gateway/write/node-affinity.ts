import { formatOf, type ImageFormat, nodeSelectorTermsFor } from "../../convert/node-formats.ts";
import {
  equalJson,
  fromPlain,
  isJsonObject,
  memberAt,
  objectAt,
  type JsonObject,
  type JsonValue,
} from "../../json/value.ts";
import { readLiveContainers } from "./template-images.ts";

/** Where a pod's spec has them. */
export const requiredPath: readonly string[] = [
  "affinity",
  "nodeAffinity",
  "requiredDuringSchedulingIgnoredDuringExecution",
];

/** The formats of a template's images, by the keys of its containers. */
export function formatsByContainer(template: JsonObject | undefined): ReadonlyMap<string, ImageFormat> {
  return new Map(
    // What is no reference is for the runtime to refuse, which is Docker's.
    Array.from(readLiveContainers(template), ([key, { spec }]) => [
      key,
      spec === undefined ? "dockerImage" : formatOf(spec),
    ]),
  );
}

/** The formats of a template's images. */
export function formatsOf(template: JsonObject | undefined): ReadonlySet<ImageFormat> {
  return new Set(formatsByContainer(template).values());
}

/** The requirements on nodes that a template has; undefined where it has none. */
export function requiredNodes(template: JsonObject | undefined): JsonValue | undefined {
  return memberAt(template, ["spec", ...requiredPath]) ?? undefined;
}

/** The requirements on nodes that pods with these formats get; undefined where they may run anywhere. */
export function requirementsFor(formats: ReadonlySet<ImageFormat>): JsonValue | undefined {
  const nodeSelectorTerms = nodeSelectorTermsFor(formats);
  return nodeSelectorTerms === undefined ? undefined : fromPlain({ nodeSelectorTerms });
}

/** Whether formats differ from those before, so that the requirements on nodes are to follow. */
export function formatsDiffer(before: ReadonlySet<ImageFormat>, after: ReadonlySet<ImageFormat>): boolean {
  return before.size !== after.size || [...before].some((format) => !after.has(format));
}

/** Whether requirements are such as {@link requirementsFor} makes, and no user's. */
export function areOurs(requirements: JsonValue | undefined): boolean {
  const formats: readonly (readonly ImageFormat[])[] = [["aci"], ["aci", "dockerImage"]];
  return formats.some((list) => equalJson(requirements, requirementsFor(new Set(list))));
}

/**
 * Lets the requirements of an updated template follow a change of its formats. Where these stay, so do the requirements:
 * a write that changes nothing makes no new pods.
 */
export function followFormats(template: JsonObject, live: JsonObject | undefined): void {
  const formats = formatsOf(template);
  if (formatsDiffer(formatsOf(live), formats)) settleNodeAffinity(template, formats);
}

/** Gives a template our requirements as they stand, which the manifest that it was made with does not have. */
export function keepRequirements(template: JsonObject, live: JsonObject | undefined): void {
  const present = requiredNodes(live);
  const written = requiredNodes(template);
  if (present === undefined || !areOurs(present) || (written !== undefined && !areOurs(written))) return;
  setRequirements(template, present);
}

/** Gives a template the requirements of its formats, or takes ours away, unless the user has set some. */
export function settleNodeAffinity(template: JsonObject, formats: ReadonlySet<ImageFormat>): void {
  const present = requiredNodes(template);
  if (present !== undefined && !areOurs(present)) return;
  const wanted = requirementsFor(formats);
  if (wanted === undefined) {
    if (present !== undefined) removeMember(template, ["spec", ...requiredPath]);
    return;
  }
  setRequirements(template, wanted);
}

function setRequirements(template: JsonObject, requirements: JsonValue): void {
  objectAt(template, ["spec", ...requiredPath.slice(0, -1)])?.set(requiredPath.at(-1) ?? "", requirements);
}

/** Removes a member, and the objects on the way that it leaves empty below `spec`. */
function removeMember(template: JsonObject, path: readonly string[]): void {
  const parent = memberAt(template, path.slice(0, -1));
  if (!isJsonObject(parent)) return;
  parent.delete(path.at(-1) ?? "");
  if (parent.size === 0 && path.length > 2) removeMember(template, path.slice(0, -1));
}
