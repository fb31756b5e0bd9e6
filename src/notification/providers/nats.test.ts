import { readFile } from "node:fs/promises";
import { connect, type NatsConnection } from "@nats-io/transport-node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createAuthority } from "../../../test/support/certificates.ts";
import { listen } from "../../../test/support/http-server.ts";
import { type NatsServer, startNatsServer } from "../../../test/support/nats-server.ts";
import { sampleNotification, sampleSettings } from "../../../test/support/notification-server.ts";
import { failureFrom } from "../../../test/support/registry-case.ts";
import { createTempDir, type TempDir, withTempDir } from "../../../test/support/temp-dir.ts";
import { describeWithTools } from "../../../test/support/tools.ts";
import { FairleadError } from "../../core/error.ts";
import { createAddressGuard } from "../../core/address-guard.ts";
import { createHttpTransport, type HttpTransportOptions } from "../transport/http-transport.ts";
import { providerFor } from "./provider-for.ts";
import type { ProviderSettings } from "./provider.ts";

const guard = createAddressGuard({ allowLoopback: true });

async function deliver(
  settings: Partial<ProviderSettings>,
  options: HttpTransportOptions = {},
): Promise<void> {
  await providerFor("nats").deliver(
    sampleNotification({ event: { message: "ünï" } }),
    sampleSettings("nats", { channel: "flux.events", ...settings }),
    { transport: createHttpTransport({ guard, ...options }), now: Date.now },
  );
}

await describeWithTools(["nats-server"], "a NATS server", ({ "nats-server": program }) => {
  let folder: TempDir;
  let server: NatsServer;
  let client: NatsConnection;
  beforeAll(async () => {
    folder = await createTempDir();
    server = await startNatsServer(program, folder.path);
    client = await connect({ servers: server.host });
  });
  afterAll(async () => {
    await client.close();
    await server.stop();
    await folder.remove();
  });

  test("gets the event on its subject, under the key of the notification", async () => {
    const subscription = client.subscribe("flux.>", { max: 1 });
    await client.flush();
    await deliver({ address: `nats://${server.host}` });
    for await (const message of subscription) {
      expect(message.subject).toBe("flux.events");
      expect(message.headers?.get("Nats-Msg-Id")).toBe("delivery-0001");
      expect(message.json()).toMatchObject({
        involvedObject: { name: "podinfo" },
        message: "ünï",
        metadata: { summary: "staging cluster" },
      });
    }
  });

  test("keeps a repetition once where JetStream keeps them", async () => {
    const config = JSON.stringify({ name: "EVENTS", subjects: ["kept.>"] });
    await client.request("$JS.API.STREAM.CREATE.EVENTS", config);
    await deliver({ address: server.host, channel: "kept.one" });
    await deliver({ address: server.host, channel: "kept.one" });
    const info = await client.request("$JS.API.STREAM.INFO.EVENTS");
    expect(info.json()).toMatchObject({ state: { messages: 1 } });
  });

  test("is looked for on the next address", async () => {
    await deliver({ address: `nats://127.0.0.1:1,nats://${server.host}` });
  });

  test("that is not there may be tried again", async () => {
    const failure = await failureFrom(deliver({ address: "nats://127.0.0.1:1" }));
    expect(failure).toMatchObject({ code: "delivery-failed", retryable: true });
  });

  test("that is refused is not", async () => {
    const failure = await failureFrom(
      deliver({ address: `nats://${server.host}` }, { guard: createAddressGuard() }),
    );
    expect(failure).toMatchObject({ code: "address-refused", retryable: false });
  });

  test.each(["", "a b", "a.*", "a.>", "a\r\nPUB x 0", ".a"])("subject %j is refused", async (channel) => {
    const failure = await failureFrom(deliver({ address: `nats://${server.host}`, channel }));
    expect(failure).toMatchObject({ code: "delivery-failed", retryable: false });
  });
});

const nkey = {
  public: "UDXU4RCSJNZOIQHZNWXHXORDPRTGNJAHAHFRGZNEEJCPQTT2M7NLCNF4",
  seed: "SUACSSL3UAHUDXKFSNVUZRF5UHPMWZ6BFDTJ7M6USDXIEDNPPQYYYCU3VY",
};

await describeWithTools(["nats-server"], "a NATS server with users", ({ "nats-server": program }) => {
  test.each<[string, string, Partial<ProviderSettings>]>([
    [
      "a user and a password",
      'authorization { users: [ { user: "me", password: "pass-word" } ] }',
      { secret: { username: "me", password: "pass-word" } },
    ],
    [
      "an nkey, which goes before them",
      `authorization { users: [ { nkey: "${nkey.public}" } ] }`,
      { secret: { nkey: `${nkey.seed}\n`, username: "me", password: "pass-word" } },
    ],
  ])("knows %s", (_name, configuration, settings) =>
    withTempDir(async (folder) => {
      const server = await startNatsServer(program, folder, configuration);
      try {
        await deliver({ address: `nats://${server.host}`, ...settings });
        const failure = await failureFrom(deliver({ address: `nats://${server.host}` }));
        expect(failure).toMatchObject({ code: "delivery-failed", retryable: false });
        expect(failure.message).toContain("Authorization Violation");
      } finally {
        await server.stop();
      }
    }),
  );

  test("refuses a subject", () =>
    withTempDir(async (folder) => {
      const users = '{ user: "me", password: "pass-word", permissions: { publish: ["other"] } }';
      const server = await startNatsServer(program, folder, `authorization { users: [ ${users} ] }`);
      const secret = { username: "me", password: "pass-word" };
      const failure = await failureFrom(deliver({ address: `nats://${server.host}`, secret }));
      expect(failure).toMatchObject({ code: "delivery-failed", retryable: false });
      expect(failure.message).toContain("Permissions Violation");
      await server.stop();
    }));

  test("tells nothing of a seed that is none", async () => {
    const host = await greeting("INFO {}\r\n");
    const failure = await failureFrom(deliver({ address: host, secret: { nkey: "SUA-wrong-seed" } }));
    expect(failure.message).toBe("the nkey of the Secret cannot be used");
  });
});

await describeWithTools(["nats-server", "openssl"], "TLS to NATS", ({ "nats-server": program, openssl }) => {
  test.each(["tls://localhost", "nats://localhost", "tls://127.0.0.1"])("%s is checked", (address) =>
    withTempDir(async (folder) => {
      const authority = await createAuthority(openssl, folder, "ca");
      const { certificateFile, keyFile } = await authority.issue("server");
      const server = await startNatsServer(
        program,
        folder,
        `tls { cert_file: "${certificateFile}", key_file: "${keyFile}" }`,
      );
      try {
        const target = `${address}:${server.host.split(":")[1] ?? ""}`;
        await deliver({ address: target }, { ca: await readFile(authority.certificateFile, "utf8") });
        await expect(deliver({ address: target })).rejects.toBeInstanceOf(FairleadError);
      } finally {
        await server.stop();
      }
    }),
  );
});

describe("what is no NATS server", () => {
  test.each([
    ["another protocol", "HTTP/1.1 400 Bad Request\r\n\r\n", "does not speak NATS"],
    ["one without TLS", "INFO {}\r\n", "does not offer TLS"],
    ["one for small messages", 'INFO {"max_payload":10,"tls_available":true}\r\n', "no more than 10 bytes"],
  ])("%s", async (_name, text, message) => {
    const host = await greeting(text);
    const failure = await failureFrom(deliver({ address: `tls://${host}` }));
    expect(failure.message).toContain(message);
  });

  test("one that says nothing ends by time", async () => {
    const host = await greeting("");
    const failure = await failureFrom(deliver({ address: host, timeoutMs: 100 }));
    expect(failure).toMatchObject({ code: "delivery-failed", retryable: true });
  });

  test.each(["http://127.0.0.1:1", "nats://"])("%s is no address of one", async (address) => {
    const failure = await failureFrom(deliver({ address }));
    expect(failure).toMatchObject({ code: "delivery-failed", retryable: false });
  });
});

const closers: (() => void)[] = [];
afterAll(() => {
  for (const close of closers) close();
});

/** A server that says one thing to everybody. */
async function greeting(text: string): Promise<string> {
  const { createServer } = await import("node:net");
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.write(text);
    closers.push(() => void socket.destroy());
  });
  closers.push(() => void server.close());
  return listen(server);
}
