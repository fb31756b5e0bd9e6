import { warningOnAlert } from "../alert/alert-event.ts";
import { involvedObjectText } from "../alert/mismatch.ts";
import type { NotificationObjects } from "../objects/notification-objects.ts";
import type { DueDelivery } from "../outbox/entry.ts";
import type { KubernetesEvent } from "../recorder/kubernetes-event.ts";

const alertVersion = "notification.toolkit.fluxcd.io/v1beta3";

/**
 * What the owner of an Alert is told of a delivery that was given up, in Flux's words.
 * @param error why the last attempt failed
 */
export function deadLetterEvent(
  { alert, event }: DueDelivery,
  error: string,
  { alerts }: Pick<NotificationObjects, "alerts">,
): KubernetesEvent {
  const known = alerts.get(`${alert.namespace}/${alert.name}`) ?? {
    apiVersion: alertVersion,
    meta: { ...alert, labels: {}, annotations: {}, generation: 0, where: {} },
  };
  const object = involvedObjectText(event.involvedObject);
  return warningOnAlert(known, {
    reason: "NotificationDispatchFailed",
    message: `failed to send notification for ${object}: ${error}`,
  });
}
