import { createPrivateKey } from "node:crypto";
import { eventJson } from "./event-json.ts";
import { exchange, textOf } from "./exchange.ts";
import type { DeliveryContext, NotificationProvider, ProviderSettings } from "./provider.ts";
import { createRequest, segment, tryToken, unusable } from "./request.ts";
import { truncate } from "./truncate.ts";

const tokenLifeSeconds = 60 * 60;

/**
 * Google Pub/Sub, by its REST API: the address is the project, the channel the topic, the Secret's token the JSON
 * key of a service account, which signs its own tokens (AIP-4111); without one, the workload's identity counts. The
 * Secret's headers are attributes.
 */
export const googlePubSubProvider: NotificationProvider = {
  deliver: async (notification, settings, context) => {
    const { address: project, channel: topic } = settings;
    if (project.trim() === "" || topic === "") throw unusable("the provider has no project or no topic");
    const { origin, token, secrets } = await accessOf(settings, context);
    const attributes = Object.fromEntries(
      Object.entries({ ...settings.headers, "idempotency-key": notification.idempotencyKey }).map(
        ([name, value]) => [truncate(name, 256, "bytes"), truncate(value, 1_024, "bytes")],
      ),
    );
    const data = Buffer.from(eventJson(notification)).toString("base64");
    const path = `/v1/projects/${segment(project.trim())}/topics/${segment(topic)}:publish`;
    const request = createRequest(
      { ...settings, headers: {} },
      {
        url: new URL(path, origin),
        headers: { authorization: `Bearer ${token}` },
        json: { messages: [{ data, attributes }] },
        address: "open",
        secrets: [...secrets, ...Object.values(settings.headers)],
      },
    );
    await exchange(context, request);
  },
};

interface ServiceAccount {
  readonly email: string;
  readonly keyId: string;
  readonly privateKey: string;
  readonly domain: string;
}

interface PubSubAccess {
  readonly origin: string;
  readonly token: string;
  readonly secrets: readonly string[];
}

async function accessOf(settings: ProviderSettings, context: DeliveryContext): Promise<PubSubAccess> {
  const given = tryToken(settings);
  if (given !== undefined) {
    const account = parseAccount(given);
    const origin = `https://pubsub.${account.domain}`;
    const token = await signToken(account, `${origin}/`, context.now());
    return { origin, token, secrets: [token, account.privateKey] };
  }
  if (context.workload === undefined) {
    throw unusable(
      "the Secret of the provider has no token",
      "there is no workload identity here: give the JSON key of a service account",
    );
  }
  const token = await context.workload.gcpToken();
  return { origin: "https://pubsub.googleapis.com", token, secrets: [token] };
}

function parseAccount(token: string): ServiceAccount {
  const key = tryJson(token);
  const domain = textOf(key, "universe_domain") || "googleapis.com";
  const account = {
    email: textOf(key, "client_email"),
    keyId: textOf(key, "private_key_id"),
    privateKey: textOf(key, "private_key"),
    domain,
  };
  const isWhole = account.email !== "" && account.privateKey !== "" && /^[a-z0-9][a-z0-9.-]*$/u.test(domain);
  if (!isWhole) throw unusable("the token of the Secret is no JSON key of a service account");
  return account;
}

async function signToken(account: ServiceAccount, audience: string, nowMs: number): Promise<string> {
  const { SignJWT } = await import("jose");
  const seconds = Math.floor(nowMs / 1000);
  try {
    return await new SignJWT({})
      .setProtectedHeader({ alg: "RS256", typ: "JWT", kid: account.keyId })
      .setIssuer(account.email)
      .setSubject(account.email)
      .setAudience(audience)
      .setIssuedAt(seconds)
      .setExpirationTime(seconds + tokenLifeSeconds)
      .sign(createPrivateKey(account.privateKey));
  } catch {
    // The cause may quote the key.
    throw unusable("the private key of the service account cannot be used");
  }
}

function tryJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
