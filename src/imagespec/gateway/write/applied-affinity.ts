import type { ImageFormat } from "../../convert/node-formats.ts";
import { isJsonArray, memberAt, type JsonObject } from "../../json/value.ts";
import {
  areOurs,
  formatsByContainer,
  keepRequirements,
  requiredNodes,
  requiredPath,
  settleNodeAffinity,
} from "./node-affinity.ts";
import { templateAt } from "./template-images.ts";

/** A server-side apply. */
export interface AppliedBy {
  readonly manager: string | null;
  readonly isForced: boolean;
  /** Where the object's pod template stands. */
  readonly templatePath: readonly string[];
}

/**
 * Gives an applied template the requirements on nodes that go with it and with what others have in the object. Another
 * one's requirements stand: ours would be a conflict, and on fields that nobody has written.
 * @param template is changed
 */
export function settleAppliedAffinity(template: JsonObject, live: JsonObject, by: AppliedBy): void {
  const { templatePath } = by;
  const liveTemplate = templateAt(live, templatePath);
  const present = requiredNodes(liveTemplate);
  const own = formatsByContainer(template);
  const hasAci = [...own.values()].includes("aci");
  const isUsers = present !== undefined && !areOurs(present);
  // A pod's affinity cannot be changed once it is there.
  const isPod = templatePath.length === 0;
  const isOthers = hasAci && !by.isForced && othersOwn(live, by, requiredPath);
  if (!isUsers && (isPod || isOthers)) {
    keepRequirements(template, liveTemplate);
    return;
  }
  const others = Array.from(formatsByContainer(liveTemplate)).filter(([key]) => isOfOthers(key, live, by));
  const formats: ReadonlyMap<string, ImageFormat> = new Map([...others, ...own]);
  settleNodeAffinity(template, new Set(hasAci && !isUsers ? formats.values() : []));
}

function isOfOthers(container: string, live: JsonObject, by: AppliedBy): boolean {
  const [list = "", name] = container.split("/");
  return othersOwn(live, by, [list], `k:${JSON.stringify({ name })}`);
}

/** Whether a manager owns a field who is not the one that applies. @param path below the pod's spec */
function othersOwn(
  live: JsonObject,
  { manager, templatePath }: AppliedBy,
  path: readonly string[],
  ...item: readonly string[]
): boolean {
  const owned = [...[...templatePath, "spec", ...path].map((key) => `f:${key}`), ...item];
  const entries = memberAt(live, ["metadata", "managedFields"]);
  return (isJsonArray(entries) ? entries : []).some((entry) => {
    const isOwn = memberAt(entry, ["manager"]) === manager && memberAt(entry, ["operation"]) === "Apply";
    return !isOwn && memberAt(entry, ["fieldsV1", ...owned]) !== undefined;
  });
}
