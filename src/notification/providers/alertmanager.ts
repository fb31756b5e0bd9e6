import { messageOf, metadataOf, timestampOf } from "./event-json.ts";
import { exchange } from "./exchange.ts";
import type { NotificationProvider } from "./provider.ts";
import { addressOf, basic, createRequest, tryLogin, tryToken } from "./request.ts";

/** Prometheus Alertmanager: an alert (API v2) whose labels are the metadata. It ends by Alertmanager's own timeout. */
export const alertmanagerProvider: NotificationProvider = {
  deliver: async (notification, settings, context) => {
    const { event } = notification;
    const { kind, name, namespace } = event.involvedObject;
    const { summary, ...metadata } = Object.fromEntries(metadataOf(notification));
    const labels = {
      ...metadata,
      alertname: `Flux${kind}${titleCase(event.reason)}`,
      severity: event.severity,
      reason: event.reason,
      kind,
      name,
      namespace,
      reportingcontroller: event.reportingController,
    };
    const alert = {
      status: "firing",
      labels: sorted(labels),
      annotations: { message: messageOf(notification), ...(summary === undefined ? {} : { summary }) },
      startsAt: timestampOf(event),
      // Go writes the zero time, which Alertmanager takes for none.
      endsAt: "0001-01-01T00:00:00Z",
    };
    const token = tryToken(settings);
    const login = tryLogin(settings);
    const authorization =
      login === undefined ? token && `Bearer ${token}` : basic(login.username, login.password);
    const request = createRequest(settings, {
      url: addressOf(settings),
      ...(authorization === undefined ? {} : { headers: { authorization } }),
      json: [alert],
    });
    await exchange(context, request);
  },
};

/** A text with the first letter of each word large and the others small (Unicode's title case). */
function titleCase(text: string): string {
  return text.replace(/[\p{L}\p{N}\p{M}_]+/gu, (word) => {
    const [first = "", ...rest] = Array.from(word);
    return first.toUpperCase() + rest.join("").toLowerCase();
  });
}

function sorted(labels: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(labels).toSorted(([left], [right]) => (left < right ? -1 : 1)));
}
