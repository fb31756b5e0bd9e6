import { eventJson } from "./event-json.ts";
import { githubApi } from "./github-api.ts";
import type { NotificationProvider } from "./provider.ts";
import { truncate } from "./truncate.ts";

/** What GitHub takes of the type of an event. */
const maxType = 100;

/** A `repository_dispatch` on GitHub, which starts workflows with the event as their payload. */
export const githubDispatchProvider: NotificationProvider = {
  deliver: async (notification, settings, context) => {
    const { kind, name, namespace } = notification.event.involvedObject;
    const { call, repository } = await githubApi(settings, context);
    const json = {
      event_type: truncate(`${kind}/${name}.${namespace}`, maxType),
      client_payload: JSON.parse(eventJson(notification)) as unknown,
    };
    await call({ method: "POST", path: `${repository}/dispatches`, json });
  },
};
