import { createHmac } from "node:crypto";
import { eventJson } from "./event-json.ts";
import { exchange } from "./exchange.ts";
import type { DeliveryContext, NotificationProvider, ProviderSettings } from "./provider.ts";
import { createRequest, segment, tryToken, unusable } from "./request.ts";

const tokenLifeSeconds = 20 * 60;

/**
 * Azure Event Hubs, by their REST API. The address is a connection string with a shared access key, or the name of
 * the hub, with the namespace as channel and a token in the Secret or the workload's identity.
 */
export const azureEventHubProvider: NotificationProvider = {
  deliver: async (notification, settings, context) => {
    const isConnectionString = settings.address.includes("SharedAccessKey");
    const { hub, authorization, secrets } = isConnectionString
      ? sharedAccess(settings, context.now())
      : await bearer(settings, context);
    const url = new URL(`${hub.href}/messages?timeout=60&api-version=2014-01`);
    const request = createRequest(settings, {
      url,
      headers: { authorization, "content-type": "application/atom+xml;type=entry;charset=utf-8" },
      body: eventJson(notification),
      address: "open",
      secrets,
    });
    await exchange(context, request);
  },
};

interface HubAccess {
  readonly hub: URL;
  readonly authorization: string;
  readonly secrets: readonly string[];
}

function sharedAccess(settings: ProviderSettings, nowMs: number): HubAccess {
  if (tryToken(settings) !== undefined) {
    throw unusable("a token and a shared access key cannot be used at the same time");
  }
  const parts = new Map(
    settings.address
      .trim()
      .split(";")
      .map((part) => [part.split("=", 1)[0] ?? "", part.slice(part.indexOf("=") + 1)] as const),
  );
  const [keyName = "", key = "", path = ""] = ["SharedAccessKeyName", "SharedAccessKey", "EntityPath"].map(
    (name) => parts.get(name),
  );
  const endpoint = URL.parse((parts.get("Endpoint") ?? "").replace(/^sb:/u, "https:"));
  if (endpoint === null || keyName === "" || key === "" || path === "") {
    throw unusable(
      "the connection string of the provider is not whole",
      "it has Endpoint, SharedAccessKeyName, SharedAccessKey and EntityPath",
    );
  }
  const hub = new URL(segment(path), endpoint.origin);
  const resource = encodeURIComponent(hub.href.toLowerCase());
  const expiry = Math.floor(nowMs / 1000) + tokenLifeSeconds;
  const signature = createHmac("sha256", key).update(`${resource}\n${expiry}`).digest("base64");
  const token = `sr=${resource}&sig=${encodeURIComponent(signature)}&se=${expiry}&skn=${encodeURIComponent(keyName)}`;
  return {
    hub,
    authorization: `SharedAccessSignature ${token}`,
    secrets: [key, settings.address, token, signature, encodeURIComponent(signature)],
  };
}

/** As Azure's own libraries write it. */
const scope = "https://eventhubs.azure.net//.default";

/** Where tokens of Azure are sent; what is in the Secret may go to a host of its own. */
const azureHost =
  /^[a-z0-9-]+\.servicebus\.(?:windows\.net|chinacloudapi\.cn|usgovcloudapi\.net|cloudapi\.de)$/iu;

async function bearer(settings: ProviderSettings, { workload }: DeliveryContext): Promise<HubAccess> {
  const given = tryToken(settings);
  if (given === undefined && workload === undefined) {
    throw unusable(
      "the provider has neither a shared access key nor a token",
      "there is no workload identity here: give a connection string, or a token in the Secret",
    );
  }
  const namespace = settings.channel.trim();
  if (!/^[A-Za-z0-9][A-Za-z0-9.-]*$/u.test(namespace)) {
    throw unusable("the channel of the provider is no namespace of Event Hubs");
  }
  const host = namespace.includes(".servicebus.") ? namespace : `${namespace}.servicebus.windows.net`;
  const hub = new URL(`https://${host}/${segment(settings.address.trim())}`);
  const token = given ?? (await workloadToken(host, workload));
  return { hub, authorization: `Bearer ${token}`, secrets: [token] };
}

async function workloadToken(host: string, workload: DeliveryContext["workload"]): Promise<string> {
  if (workload === undefined || !azureHost.test(host)) {
    throw unusable(`${host} is no host of Event Hubs, to which alone the tokens of a workload are sent`);
  }
  return workload.azureToken(scope);
}
