import { eventJson } from "./event-json.ts";
import type { NatsCredentials, NotificationProvider, ProviderSettings } from "./provider.ts";
import { tryLogin, unusable } from "./request.ts";
import { secretsOf } from "./secrets.ts";

/** NATS: the event as JSON on the subject that the channel names. JetStream drops repetitions by the message's ID. */
export const natsProvider: NotificationProvider = {
  deliver: async (notification, settings, context) => {
    const { address, channel } = settings;
    if (address.trim() === "") throw unusable("the provider has no address");
    if (!/^[^\s.*>]+(?:\.[^\s.*>]+)*$/u.test(channel) || channel.length > 255) {
      throw unusable("the channel of the provider is no subject of NATS");
    }
    const publication = {
      server: withoutLogin(address.trim()),
      subject: channel,
      headers: { "Nats-Msg-Id": notification.idempotencyKey },
      body: eventJson(notification),
      credentials: credentialsOf(settings),
      secrets: [...secretsOf(settings), ...loginsOf(address)],
    };
    await context.transport.publish(publication, context.signal);
  },
};

/** As in Flux: a credentials file goes before an nkey, and that before a user and a password. */
function credentialsOf(settings: ProviderSettings): NatsCredentials {
  const { creds = "", nkey = "" } = settings.secret;
  if (creds !== "") return { kind: "creds", creds };
  if (nkey !== "") return { kind: "nkey", seed: nkey };
  const login = tryLogin(settings);
  if (login !== undefined) return { kind: "password", ...login };
  const [address] = settings.address.split(",").map((text) => URL.parse(text.trim()));
  if (address === null || address === undefined || address.username === "") return { kind: "none" };
  const [username, password] = [address.username, address.password].map((text) => decodeURIComponent(text));
  return { kind: "password", username: username ?? "", password: password ?? "" };
}

function withoutLogin(address: string): string {
  return address.replace(/\/\/[^/@,]*@/gu, "//");
}

function loginsOf(address: string): readonly string[] {
  return [...address.matchAll(/\/\/[^/@,:]*:(?<password>[^/@,]*)@/gu)].map(
    ({ groups }) => groups?.["password"] ?? "",
  );
}
