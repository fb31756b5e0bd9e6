import { FairleadError } from "../../core/error.ts";
import { tryProvider } from "../../notification/explain/try-provider.ts";
import { providerKind } from "../../notification/objects/notification-kinds.ts";
import type { Provider } from "../../notification/objects/provider.ts";
import { readProviderSecrets } from "../../notification/objects/provider-secrets.ts";
import { objectKey } from "../../objects/object-meta.ts";
import { resourceTypes } from "../api/resource-types.ts";
import type { Finding } from "../conditions/conditions.ts";
import type { JsonObject } from "../conditions/status-patch.ts";
import type { ClusterSecrets } from "../notification/cluster-secrets.ts";
import type { DeliveryLog, DeliveryOutcome } from "../notification/delivery-log.ts";
import { type KindReconciler, referenceKey } from "./kind-reconciler.ts";
import { readyOutcome, suspendedOutcome } from "./ready-outcome.ts";

export interface ProviderPorts {
  readonly secrets: Pick<ClusterSecrets, "getFresh">;
  readonly deliveries: Pick<DeliveryLog, "told" | "forget">;
}

/** Nobody tells of changed Secrets. */
const lookAgainMs = 10 * 60_000;

/** Tells of each Provider whether it is of use, and how deliveries to it go. */
export function createProviderReconciler({ secrets, deliveries }: ProviderPorts): KindReconciler<Provider> {
  return {
    kind: "Provider",
    type: resourceTypes.Provider,
    reads: providerKind,
    hasFinalizer: false,
    reconcile: async (provider, raw, signal) => {
      if (provider.spec.suspend) return suspendedOutcome;
      const outcome = deliveries.told(objectKey(provider.meta));
      return readyOutcome(raw, {
        ...(await examine(provider, secrets, signal)),
        ...(outcome === undefined ? {} : deliveryStatus(outcome)),
      });
    },
    referencesOf: ({ meta }) => [deliveriesKey(objectKey(meta))],
    forget: (name) => deliveries.forget(objectKey(name)),
  };
}

/** The reference by which a Provider is looked at again when deliveries to it go another way. @param provider `namespace/name` */
export function deliveriesKey(provider: string): string {
  const slash = provider.indexOf("/");
  return referenceKey("Deliveries", { namespace: provider.slice(0, slash), name: provider.slice(slash + 1) });
}

type Verdict = Parameters<typeof readyOutcome>[1];

async function examine(
  provider: Provider,
  secrets: ProviderPorts["secrets"],
  signal: AbortSignal,
): Promise<Verdict> {
  const found = await readProviderSecrets(provider, { get: async (name) => secrets.getFresh(name) });
  try {
    await tryProvider(provider, found, signal);
  } catch (error) {
    if (!(error instanceof FairleadError) || signal.aborted) throw error;
    const { code, message } = error;
    if (code === "object-missing") return { result: "retry", reason: "SecretNotFound", message, error };
    // What a Secret says may be put right without another specification.
    const result = code !== "config-invalid" && namesSecret(provider) ? "retry" : "stalled";
    return { result, reason: "ValidationFailed", message, error };
  }
  return { result: "ready", reason: "Succeeded", message: "Initialized", requeueAfterMs: lookAgainMs };
}

function namesSecret({ spec }: Provider): boolean {
  return [spec.secretRef, spec.certSecretRef, spec.proxySecretRef].some((each) => each !== undefined);
}

function deliveryStatus({ timeMs, result, message }: DeliveryOutcome): {
  readonly status: JsonObject;
  readonly findings: readonly Finding[];
} {
  const time = `${new Date(timeMs).toISOString().slice(0, 19)}Z`;
  const isDelivered = result === "delivered";
  return {
    status: { lastDelivery: { time, result, message: isDelivered ? undefined : message } },
    findings: [
      {
        type: "Delivering",
        status: isDelivered ? "True" : "False",
        reason: isDelivered ? "Succeeded" : "DeliveryFailed",
        message: isDelivered ? "notifications are delivered" : message,
      },
    ],
  };
}
