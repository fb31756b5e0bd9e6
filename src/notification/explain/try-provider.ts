import type { Secret } from "../../objects/secret.ts";
import { compileCel } from "../cel/cel-expression.ts";
import type { Notification } from "../event.ts";
import type { Provider } from "../objects/provider.ts";
import { providerSettings } from "../objects/provider-settings.ts";
import { providerFor } from "../providers/provider-for.ts";
import { providerAccess } from "../server/provider-access.ts";
import type { ProviderSettings } from "../providers/provider.ts";
import { createRecordingTransport } from "../transport/recording-transport.ts";

const commit = "0".repeat(40);

/** With all that any type of Provider asks for. */
const sample: Notification = {
  event: {
    involvedObject: {
      apiVersion: "kustomize.toolkit.fluxcd.io/v1",
      kind: "Kustomization",
      namespace: "default",
      name: "sample",
      uid: "00000000-0000-0000-0000-000000000000",
    },
    severity: "info",
    timestamp: "2026-01-01T00:00:00Z",
    message: "sample",
    reason: "ReconciliationSucceeded",
    metadata: {},
    reportingController: "kustomize-controller",
  },
  metadata: { revision: `main@sha1:${commit}`, commit, change_request: "1" },
  alert: { namespace: "default", name: "sample", uid: "00000000-0000-0000-0000-000000000000" },
  idempotencyKey: "sample",
};

/**
 * Tries whether a Provider and its Secrets make a destination. Nothing is sent, so that whether it is there, and takes
 * what is sent, stays open.
 * @param secrets by `namespace/name`
 * @throws FairleadError why they do not, telling no secret: `object-missing` for a Secret, `config-invalid` where only
 *   another specification helps
 */
export async function tryProvider(
  provider: Provider,
  secrets: ReadonlyMap<string, Secret>,
  signal?: AbortSignal,
): Promise<void> {
  const { commitStatusExpr } = provider.spec;
  const settings = providerSettings(provider, secrets);
  providerAccess(provider, secrets);
  if (commitStatusExpr !== undefined) await compileCel(commitStatusExpr, ["event", "alert", "provider"]);
  await tryDestination(settings, signal);
}

/** As {@link tryProvider}, of a destination that is put together. @throws as it does */
export async function tryDestination(settings: ProviderSettings, signal?: AbortSignal): Promise<void> {
  // Whether there is one, and what it may do, only a delivery can say.
  const workload = { azureToken: async () => "sample", gcpToken: async () => "sample" };
  const context = {
    transport: createRecordingTransport(),
    workload,
    now: () => Date.parse(sample.event.timestamp),
    signal,
  };
  await providerFor(settings.type).deliver(sample, settings, context);
}
