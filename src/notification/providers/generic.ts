import type { Notification } from "../event.ts";
import { eventJson } from "./event-json.ts";
import { exchange } from "./exchange.ts";
import type { NotificationProvider, OutgoingRequest, ProviderSettings } from "./provider.ts";
import { addressOf, createRequest } from "./request.ts";

/** Posts the event as JSON. */
export const genericProvider: NotificationProvider = {
  deliver: async (notification, settings, context) => {
    await exchange(context, eventRequest(notification, settings, eventJson(notification)));
  },
};

/**
 * The request that carries an event on. The key of the notification stays the same for each attempt, so that a
 * receiver can tell a repetition (draft-ietf-httpapi-idempotency-key-header).
 * @throws FairleadError `delivery-failed`
 */
export function eventRequest(
  { event, idempotencyKey }: Notification,
  settings: ProviderSettings,
  body: string,
  signature: Readonly<Record<string, string>> = {},
): OutgoingRequest {
  return createRequest(settings, {
    url: addressOf(settings),
    headers: { "gotk-component": event.reportingController, "idempotency-key": idempotencyKey },
    fixedHeaders: signature,
    body,
    address: "hook",
  });
}
