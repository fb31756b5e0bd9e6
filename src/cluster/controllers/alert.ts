import { excerpt } from "../../core/escape.ts";
import { tryCompilePattern } from "../../notification/alert/message-pattern.ts";
import type { Alert } from "../../notification/objects/alert.ts";
import { alertKind } from "../../notification/objects/notification-kinds.ts";
import { objectKey } from "../../objects/object-meta.ts";
import { resourceTypes } from "../api/resource-types.ts";
import { type KindReconciler, referenceKey } from "./kind-reconciler.ts";
import { readyOutcome, suspendedOutcome } from "./ready-outcome.ts";

export interface AlertPorts {
  /** Whether there is such a Provider that is valid. */
  readonly hasProvider: (namespace: string, name: string) => boolean;
}

/** Besides being told of Providers that come. */
const lookAgainMs = 10 * 60_000;

/** Tells of each Alert whether it can do what it is for. */
export function createAlertReconciler({ hasProvider }: AlertPorts): KindReconciler<Alert> {
  return {
    kind: "Alert",
    type: resourceTypes.Alert,
    reads: alertKind,
    hasFinalizer: false,
    reconcile: async (alert, raw) => {
      if (alert.spec.suspend) return suspendedOutcome;
      return readyOutcome(raw, findProblem(alert, hasProvider) ?? inOrder);
    },
    referencesOf: (alert) => [referenceKey("Provider", providerOf(alert))],
  };
}

type Verdict = Parameters<typeof readyOutcome>[1];

const inOrder: Verdict = { result: "ready", reason: "Succeeded", message: "Initialized" };

function findProblem(alert: Alert, hasProvider: AlertPorts["hasProvider"]): Verdict | undefined {
  for (const list of ["inclusionList", "exclusionList"] as const) {
    for (const [index, pattern] of alert.spec[list].entries()) {
      const compiled = tryCompilePattern(pattern);
      if ("matches" in compiled) continue;
      const message = `spec.${list}[${index}] is no regular expression and counts for nothing: ${excerpt(compiled.problem)}`;
      return { result: "stalled", reason: "ValidationFailed", message };
    }
  }
  const provider = providerOf(alert);
  if (hasProvider(provider.namespace, provider.name)) return undefined;
  return {
    result: "retry",
    reason: "ProviderNotFound",
    message: `there is no valid Provider ${objectKey(provider)}`,
    requeueAfterMs: lookAgainMs,
  };
}

function providerOf({ meta, spec }: Alert): { readonly namespace: string; readonly name: string } {
  return { namespace: meta.namespace, name: spec.providerRef.name };
}
