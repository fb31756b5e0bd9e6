import type { Alert } from "../objects/alert.ts";
import type { KubernetesEvent } from "../recorder/kubernetes-event.ts";

/** A Kubernetes Event's message is cut off at this length. */
const maxMessageLength = 1024;

/** A Kubernetes Event of type Warning on an Alert. */
export function warningOnAlert(
  { apiVersion, meta }: Pick<Alert, "meta" | "apiVersion">,
  {
    reason,
    message,
    annotations = {},
  }: Partial<KubernetesEvent> & Pick<KubernetesEvent, "reason" | "message">,
): KubernetesEvent {
  const { namespace, name, uid } = meta;
  return {
    involvedObject: { apiVersion, kind: "Alert", namespace, name, ...(uid === undefined ? {} : { uid }) },
    type: "Warning",
    reason,
    message: shorten(message),
    annotations,
  };
}

function shorten(text: string): string {
  return text.length <= maxMessageLength ? text : `${text.slice(0, maxMessageLength - 1).toWellFormed()}…`;
}
