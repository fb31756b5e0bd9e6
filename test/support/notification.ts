import type { NotificationEvent } from "../../src/notification/event.ts";
import type { OutboxEntry, PlannedDelivery } from "../../src/notification/outbox/entry.ts";

/** An event of a test. */
export function notificationEvent(changes: Partial<NotificationEvent> = {}): NotificationEvent {
  return {
    involvedObject: {
      apiVersion: "helm.toolkit.fluxcd.io/v2",
      kind: "HelmRelease",
      namespace: "apps",
      name: "podinfo",
    },
    severity: "info",
    timestamp: "2026-08-01T00:00:00Z",
    message: "upgraded",
    reason: "UpgradeSucceeded",
    metadata: {},
    reportingController: "helm-controller",
    ...changes,
  };
}

/** What the alert `apps/<name>` makes of an event. */
function plannedDelivery(destination: string, alert = "all"): PlannedDelivery {
  return { alert: { namespace: "apps", name: alert }, destination, metadata: { revision: "1" } };
}

/** An entry of the object `name` for destinations. */
export function outboxEntry(
  name: string,
  message: string,
  destinations: readonly string[] = ["apps/chat"],
): OutboxEntry {
  const event = notificationEvent({
    message,
    involvedObject: { kind: "HelmRelease", namespace: "apps", name },
  });
  return {
    event,
    deliveries: destinations.map((destination) => plannedDelivery(destination)),
    kubernetesEvents: [],
  };
}
