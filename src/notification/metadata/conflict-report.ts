import type { Logger } from "../../core/log.ts";
import { warningOnAlert } from "../alert/alert-event.ts";
import type { Alert } from "../objects/alert.ts";
import type { KubernetesEvent } from "../recorder/kubernetes-event.ts";
import type { CombinedMetadata, MetadataConflict } from "./combine-metadata.ts";

const conflictText =
  "metadata key conflicts detected (please refer to the Alert API docs and Flux RFC 0008 for more information)";
const summaryText =
  "warning: specifying an alert summary with '.spec.summary' is deprecated, use '.spec.eventMetadata.summary' instead";

/** Tells the log, in Flux's words, of a deprecated summary and of keys that more than one source gives. */
export function logMetadata(
  { conflicts, usesSummary }: CombinedMetadata,
  alert: Pick<Alert, "meta">,
  logger: Logger,
): void {
  const fields = { alert: `${alert.meta.namespace}/${alert.meta.name}` };
  if (usesSummary) logger.info(summaryText, fields);
  if (conflicts.length === 0) return;
  logger.info(`warning: ${conflictText}`, { ...fields, conflictingKeys: JSON.stringify(conflicts) });
}

/**
 * The Kubernetes Event on the Alert that lists all conflicts, as RFC-0008 asks: in its annotations as Flux has
 * them, and in its message, which people see.
 * @returns undefined where there is no conflict
 */
export function conflictEvent(
  conflicts: readonly MetadataConflict[],
  alert: Pick<Alert, "meta" | "apiVersion">,
): KubernetesEvent | undefined {
  if (conflicts.length === 0) return undefined;
  const annotations = Object.create(null) as Record<string, string>;
  for (const { key, sources } of conflicts) annotations[key] = sources.join(", ");
  const message = `${conflictText}: ${conflicts.map(describe).join("; ")}`;
  return warningOnAlert(alert, { reason: "MetadataAppendFailed", message, annotations });
}

function describe({ key, sources }: MetadataConflict): string {
  return `${key} (${sources.join(", ")})`;
}
