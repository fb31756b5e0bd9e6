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

const requiredPath = ["affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution"];

/** The formats of a template's images. */
export function formatsOf(template: JsonObject | undefined): ReadonlySet<ImageFormat> {
  const live = Array.from(readLiveContainers(template).values());
  // What is no reference is for the runtime to refuse, which is Docker's.
  return new Set(live.map(({ spec }) => (spec === undefined ? "dockerImage" : formatOf(spec))));
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

/** Whether requirements are such as {@link requirementsFor} makes, and no user's. */
export function areOurs(requirements: JsonValue | undefined): boolean {
  const formats: readonly (readonly ImageFormat[])[] = [["aci"], ["aci", "dockerImage"]];
  return formats.some((list) => equalJson(requirements, requirementsFor(new Set(list))));
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
  objectAt(template, ["spec", ...requiredPath.slice(0, -1)])?.set(requiredPath.at(-1) ?? "", wanted);
}

/** Removes a member, and the objects on the way that it leaves empty below `spec`. */
function removeMember(template: JsonObject, path: readonly string[]): void {
  const parent = memberAt(template, path.slice(0, -1));
  if (!isJsonObject(parent)) return;
  parent.delete(path.at(-1) ?? "");
  if (parent.size === 0 && path.length > 2) removeMember(template, path.slice(0, -1));
}
