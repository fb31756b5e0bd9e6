import { metadataOf, unixSecondsOf } from "./event-json.ts";
import { exchange } from "./exchange.ts";
import { objectName } from "./object-name.ts";
import type { NotificationProvider } from "./provider.ts";
import { addressOf, basic, createRequest, tryLogin, tryToken } from "./request.ts";
import { truncate } from "./truncate.ts";

/** Grafana's tables hold no longer tags. */
const maxTag = 100;

/** Grafana: an annotation of the Graphite kind, tagged by the metadata. */
export const grafanaProvider: NotificationProvider = {
  deliver: async (notification, settings, context) => {
    const { event } = notification;
    const { kind, name, namespace } = event.involvedObject;
    const tags = [
      "flux",
      event.reportingController,
      ...metadataOf(notification).map(([key, value]) => `${tagPart(key)}: ${tagPart(value)}`),
      `kind: ${kind}`,
      `name: ${name}`,
      `namespace: ${namespace}`,
    ];
    const token = tryToken(settings);
    const login = tryLogin(settings);
    const authorization =
      token === undefined ? login && basic(login.username, login.password) : `Bearer ${token}`;
    const request = createRequest(settings, {
      url: addressOf(settings),
      ...(authorization === undefined ? {} : { headers: { authorization } }),
      json: { when: unixSecondsOf(event), text: objectName(event), tags },
    });
    await exchange(context, request);
  },
};

/** A colon divides a tag's key from its value. */
function tagPart(text: string): string {
  return truncate(text.replaceAll(":", "|"), maxTag);
}
