import { generateKeyPairSync } from "node:crypto";
import { describe, expect, test } from "vitest";
import {
  sampleNotification,
  sampleNowMs,
  sampleSettings,
} from "../../../test/support/notification-server.ts";
import { failureFrom } from "../../../test/support/registry-case.ts";
import { FairleadError } from "../../core/error.ts";
import { tryDestination } from "../explain/try-provider.ts";
import { createRecordingTransport } from "../transport/recording-transport.ts";
import { isProviderType, providerFor, providerTypes } from "./provider-for.ts";
import type { DeliveryTransport, IncomingResponse, ProviderSettings, ProviderType } from "./provider.ts";

const secrets = ["hook-S3cret-path-0001", "query-s3cret-0002", "token:s3cret-0003", "password-s3cret-0004"];
const [hookPath = "", query = "", token = "", password = ""] = secrets;
const privateKey = generateKeyPairSync("rsa", { modulusLength: 2048 })
  .privateKey.export({ type: "pkcs8", format: "pem" })
  .toString();
const account = JSON.stringify({ client_email: "a@b.example", private_key_id: "k", private_key: privateKey });
const repository = "https://git.example/org/repo";

/** What each type needs, with a secret wherever it may have one. */
function settingsOf(type: ProviderType): ProviderSettings {
  const secret = { token, username: "me", password };
  const own: Partial<Record<ProviderType, Partial<ProviderSettings>>> = {
    azuredevops: { address: "https://dev.azure.com/org/project/_git/repo" },
    azureeventhub: {
      address: `Endpoint=sb://x.servicebus.windows.net/;SharedAccessKeyName=n;SharedAccessKey=${password};EntityPath=hub`,
      secret: {},
    },
    bitbucket: { address: "https://bitbucket.org/org/repo" },
    bitbucketserver: { address: "https://git.example/scm/org/repo.git" },
    gitea: { address: repository },
    giteapullrequestcomment: { address: repository },
    github: { address: repository },
    githubdispatch: { address: repository },
    githubpullrequestcomment: { address: repository },
    gitlab: { address: repository },
    gitlabmergerequestcomment: { address: repository },
    googlepubsub: { address: "project", secret: { token: account } },
    nats: { address: `nats://me:${password}@nats.example:4222`, channel: "flux.events" },
    sentry: { address: "https://publickey01:secretkey01@sentry.example/7" },
    smtp: { address: "smtp://mail.example", channel: "ops@example.com", username: "flux@example.com" },
    telegram: { address: "" },
  };
  return sampleSettings(type, {
    address: `https://hooks.example/services/${hookPath}?sig=${query}`,
    channel: "stream/topic",
    secret,
    ...own[type],
  });
}

const notification = sampleNotification({
  notification: {
    metadata: { commit: "5394cb7f48332b2de7c17dd8b8384bbc84b7e738", change_request: "42", summary: "s" },
  },
});

const fail = (): Promise<never> =>
  Promise.reject(new FairleadError("delivery-failed", `no ${secrets.join(" ")}`, { retryable: true }));
const never = (): Promise<never> => new Promise<never>(() => undefined);

/** Answers each request in the same way. */
function answering(answer: (url: string) => Partial<IncomingResponse>): DeliveryTransport {
  return {
    send: (request) => {
      const { status = 200, headers = {}, body = "" } = answer(request.url);
      return Promise.resolve({ status, headers, body: `${body} ${JSON.stringify(request)}` });
    },
    publish: fail,
    mail: fail,
  };
}

describe.each(providerTypes)("%s", (type) => {
  test("tells all that is secret in what it sends", async () => {
    const transport = createRecordingTransport();
    await providerFor(type).deliver(notification, settingsOf(type), { transport, now: () => sampleNowMs });
    expect(transport.recorded.length).toBeGreaterThan(0);
    for (const message of transport.recorded) {
      const sent =
        message.kind === "request"
          ? message.request
          : message.kind === "mail"
            ? message.mail
            : message.publication;
      const { secrets: told, ...shown } = sent;
      const masked = [...told]
        .toSorted((left, right) => right.length - left.length)
        .reduce((text, secret) => text.replaceAll(secret, "***"), JSON.stringify(shown));
      for (const secret of [...secrets, encodeURIComponent(token), "secretkey01", privateKey.slice(40, 80)]) {
        expect(masked).not.toContain(secret);
        expect(masked).not.toContain(Buffer.from(secret).toString("base64"));
      }
      const basic = /Basic (?<login>[\w+/=]+)/u.exec(masked)?.groups?.["login"];
      expect(basic).toBeUndefined();
    }
  });

  test("is found to be a destination", async () => {
    await tryDestination(settingsOf(type));
  });

  test("ends by its time, and when its caller wants", async () => {
    const transport = { send: never, publish: never, mail: never };
    const settings = { ...settingsOf(type), timeoutMs: 20 };
    const failure = await failureFrom(
      providerFor(type).deliver(notification, settings, { transport, now: () => sampleNowMs }),
    );
    expect(failure).toMatchObject({
      code: "delivery-failed",
      message: `${type} took longer than 0.02 s`,
      retryable: true,
    });
    const reason = new Error("enough");
    const stopped = providerFor(type).deliver(notification, settings, {
      transport,
      now: () => sampleNowMs,
      signal: AbortSignal.abort(reason),
    });
    await expect(stopped).rejects.toBe(reason);
  });
});

describe.each(providerTypes.filter((type) => type !== "nats" && type !== "smtp"))("%s by HTTP", (type) => {
  test.each<[number, boolean]>([
    [400, false],
    [401, false],
    [408, true],
    [410, false],
    [425, true],
    [429, true],
    [500, true],
    [503, true],
    [302, false],
  ])("an answer of %i", async (status, retryable) => {
    const transport = answering(() => ({ status, headers: { "retry-after": "7" } }));
    const failure = await failureFrom(
      providerFor(type).deliver(notification, settingsOf(type), { transport, now: () => sampleNowMs }),
    );
    expect(failure).toMatchObject({
      code: "delivery-failed",
      retryable,
      retryAfterMs: retryable ? 7_000 : undefined,
    });
    for (const secret of [...secrets, "secretkey01"]) expect(failure.message).not.toContain(secret);
    expect(failure.message).toContain(String(status));
    expect(failure.cause).toBeUndefined();
  });
});

test("a long wait is cut to an hour", async () => {
  const transport = answering(() => ({ status: 429, headers: { "retry-after": "999999" } }));
  const failure = await failureFrom(
    providerFor("generic").deliver(notification, settingsOf("generic"), {
      transport,
      now: () => sampleNowMs,
    }),
  );
  expect(failure.retryAfterMs).toBe(3_600_000);
});

test("a wait may be a date", async () => {
  const date = new Date(sampleNowMs + 90_000).toUTCString();
  const transport = answering(() => ({ status: 503, headers: { "retry-after": date } }));
  const failure = await failureFrom(
    providerFor("generic").deliver(notification, settingsOf("generic"), {
      transport,
      now: () => sampleNowMs,
    }),
  );
  expect(failure.retryAfterMs).toBe(90_000);
});

test("types are known by their names", () => {
  expect(providerTypes).toHaveLength(35);
  expect(["slack", "constructor", "Slack"].map(isProviderType)).toEqual([true, false, false]);
});
