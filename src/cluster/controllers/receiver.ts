import { receiverKind } from "../../notification/objects/notification-kinds.ts";
import type { Receiver } from "../../notification/objects/receiver.ts";
import { prepareReceiver, type PreparedReceiver } from "../../notification/receivers/prepare-receiver.ts";
import { resourceTypes } from "../api/resource-types.ts";
import type { ClusterSecrets } from "../notification/cluster-secrets.ts";
import type { KindReconciler, StatusObject } from "./kind-reconciler.ts";
import { readyOutcome, suspendedOutcome } from "./ready-outcome.ts";

export interface ReceiverPorts {
  readonly secrets: Pick<ClusterSecrets, "getFresh">;
}

/** Tells of each Receiver under which path it is served, or why it is not. */
export function createReceiverReconciler({ secrets }: ReceiverPorts): KindReconciler<Receiver> {
  return {
    kind: "Receiver",
    type: resourceTypes.Receiver,
    reads: receiverKind,
    reconcile: async (receiver, raw) => {
      const { spec, meta } = receiver;
      if (spec.suspend) return suspendedOutcome;
      const name = spec.secretRef?.name;
      const source =
        name === undefined ? undefined : await secrets.getFresh({ namespace: meta.namespace, name });
      return readyOutcome(raw, verdictOn(await prepareReceiver(receiver, source), raw));
    },
  };
}

function verdictOn(
  { receiver, path, problem }: PreparedReceiver,
  { status }: StatusObject,
): Parameters<typeof readyOutcome>[1] {
  if (problem?.reason === "TokenNotFound") {
    return { result: "retry", ...problem, status: { webhookPath: null } };
  }
  if (problem !== undefined) {
    const message = `Reconciliation failed terminally due to configuration error: ${problem.message}`;
    const { webhookPath } = { ...status };
    return { result: "stalled", reason: problem.reason, message, status: { webhookPath } };
  }
  return {
    result: "ready",
    reason: "Succeeded",
    message: `Receiver initialized for path: ${path}`,
    status: { webhookPath: path },
    requeueAfterMs: receiver.spec.intervalMs,
  };
}
