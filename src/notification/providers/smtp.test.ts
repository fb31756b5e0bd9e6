import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createAuthority } from "../../../test/support/certificates.ts";
import {
  type SampleDelivery,
  sampleNotification,
  sampleNowMs,
  sampleSettings,
} from "../../../test/support/notification-server.ts";
import { failureFrom } from "../../../test/support/registry-case.ts";
import { type MailServer, startMailServer } from "../../../test/support/smtp-server.ts";
import { withTempDir } from "../../../test/support/temp-dir.ts";
import { describeWithTools } from "../../../test/support/tools.ts";
import { createAddressGuard } from "../../core/address-guard.ts";
import { createHttpTransport, type HttpTransportOptions } from "../transport/http-transport.ts";
import { providerFor } from "./provider-for.ts";

const guard = createAddressGuard({ allowLoopback: true });
const people = { channel: "ops@example.com, dev+flux@example.com", username: "flux@example.com" };

async function deliver(sample: SampleDelivery, options: HttpTransportOptions = {}): Promise<void> {
  const settings = sampleSettings("smtp", { ...people, ...sample.settings });
  await providerFor("smtp").deliver(sampleNotification(sample), settings, {
    transport: createHttpTransport({ guard, ...options }),
    now: () => sampleNowMs,
  });
}

/** The header of a mail, unfolded. */
function headerOf(mail: string, name: string): string | undefined {
  const head = (mail.split("\r\n\r\n", 1)[0] ?? "").replaceAll(/\r\n[ \t]+/gu, " ");
  return head
    .split("\r\n")
    .find((line) => line.toLowerCase().startsWith(`${name.toLowerCase()}: `))
    ?.slice(name.length + 2);
}

describe("smtp", () => {
  let server: MailServer;
  beforeAll(async () => {
    server = await startMailServer();
  });
  afterAll(() => server.stop());

  test("hands over a mail to all recipients", async () => {
    await deliver({
      event: { severity: "error", reason: "HealthCheckFailed", message: "timeout <b>\n.\n..end ünï" },
      settings: { address: `smtp://${server.host}` },
    });
    const mail = server.received.at(-1);
    expect(mail).toMatchObject({
      from: "flux@example.com",
      to: ["ops@example.com", "dev+flux@example.com"],
      secure: false,
    });
    const data = mail?.data ?? "";
    expect(headerOf(data, "From")).toBe("flux@example.com");
    expect(headerOf(data, "To")).toBe("ops@example.com, dev+flux@example.com");
    expect(headerOf(data, "Subject")).toBe("[error] kustomization/podinfo.flux-system: health check failed");
    expect(headerOf(data, "Auto-Submitted")).toBe("auto-generated");
    expect(headerOf(data, "Date")).toBe("Mon, 04 May 2026 03:02:00 +0000");
    expect(data).toContain("text/plain");
    expect(data).toContain("text/html");
    expect(data).toContain("timeout &lt;b&gt;");
  });

  test("names a repetition by the same ID", async () => {
    const settings = { address: `smtp://${server.host}` };
    await deliver({ settings });
    await deliver({ settings });
    await deliver({ notification: { idempotencyKey: "other" }, settings });
    const ids = server.received.slice(-3).map(({ data }) => headerOf(data, "Message-ID"));
    expect(ids[0]).toMatch(/^<[0-9a-f]{32}@fairlead>$/u);
    expect(ids[1]).toBe(ids[0]);
    expect(ids[2]).not.toBe(ids[0]);
  });

  test("nothing that an event says becomes a header or a command", async () => {
    const hostile = "x\r\nBcc: evil@example.com\r\n\r\nbody\r\n.\r\nMAIL FROM:<evil@example.com>";
    await deliver({
      event: {
        message: hostile,
        reason: hostile,
        reportingController: hostile,
        involvedObject: { kind: hostile, namespace: hostile, name: hostile },
      },
      notification: { metadata: { [hostile]: hostile } },
      settings: { address: `smtp://${server.host}` },
    });
    const data = server.received.at(-1)?.data ?? "";
    expect(headerOf(data, "Bcc")).toBeUndefined();
    expect(server.received.at(-1)?.from).toBe("flux@example.com");
    expect(server.commands.filter((line) => line.includes("evil"))).toEqual([]);
  });

  test.each([
    ["no recipient", { channel: "" }],
    ["a recipient with a line end", { channel: "a@example.com\r\nRCPT TO:<b@example.com>" }],
    ["a recipient with a name", { channel: "Ops <ops@example.com>" }],
    ["no sender", { username: "flux" }],
    ["another address", { address: "http://127.0.0.1" }],
  ])("%s is refused", async (_name, settings) => {
    const failure = await failureFrom(
      deliver({ settings: { address: `smtp://${server.host}`, ...settings } }),
    );
    expect(failure).toMatchObject({ code: "delivery-failed", retryable: false });
  });

  test("the sender may stand in the address", async () => {
    const settings = { address: `smtp://${server.host}?from=other@example.com`, username: "" };
    await deliver({ settings });
    expect(server.received.at(-1)?.from).toBe("other@example.com");
  });

  test("a login is not sent in the clear", async () => {
    const secret = { username: "me", password: "pass-word" };
    const failure = await failureFrom(deliver({ settings: { address: `smtp://${server.host}`, secret } }));
    expect(failure).toMatchObject({ code: "delivery-failed" });
    expect(server.commands.filter((line) => line.startsWith("AUTH"))).toEqual([]);
  });

  test("an address that is refused is not connected to", async () => {
    const settings = { address: `smtp://${server.host}` };
    const failure = await failureFrom(deliver({ settings }, { guard: createAddressGuard() }));
    expect(failure.code).toBe("address-refused");
  });
});

test.each([
  ["a transient answer", 451, true],
  ["a lasting answer", 550, false],
])("%s", async (_name, code, retryable) => {
  const server = await startMailServer({
    refuse: () => code,
  });
  const failure = await failureFrom(deliver({ settings: { address: `smtp://${server.host}` } }));
  expect(failure).toMatchObject({ code: "delivery-failed", retryable });
  await server.stop();
});

test("one recipient that is refused is told of", async () => {
  const server = await startMailServer({
    refuse: (recipient) => (recipient.startsWith("dev+flux") ? 550 : undefined),
  });
  const failure = await failureFrom(deliver({ settings: { address: `smtp://${server.host}` } }));
  expect(failure.message).toContain("refused 1 of 2 recipients");
  await server.stop();
});

test("no server may be tried again", async () => {
  const failure = await failureFrom(deliver({ settings: { address: "smtp://127.0.0.1:1" } }));
  expect(failure).toMatchObject({ code: "delivery-failed", retryable: true });
});

await describeWithTools(["openssl"], "smtp over TLS", ({ openssl }) => {
  const login = { username: "me", password: "pass-word" };

  test.each([
    ["STARTTLS", "smtp", false],
    ["TLS from the beginning", "smtps", true],
  ])("%s carries a login", (_name, scheme, implicit) =>
    withTempDir(async (folder) => {
      const authority = await createAuthority(openssl, folder, "ca");
      const issued = await authority.issue("server");
      const [ca, cert, key] = await Promise.all(
        [authority.certificateFile, issued.certificateFile, issued.keyFile].map((file) =>
          readFile(file, "utf8"),
        ),
      );
      const server = await startMailServer({ tls: { cert: cert ?? "", key: key ?? "", implicit }, login });
      try {
        const address = `${scheme}://localhost:${server.host.split(":")[1] ?? ""}`;
        await deliver({ settings: { address, secret: login } }, { ca });
        expect(server.received).toMatchObject([{ secure: true, user: "me" }]);
        const untrusted = await failureFrom(deliver({ settings: { address, secret: login } }));
        expect(untrusted.code).toBe("delivery-failed");
        const wrong = { username: "me", password: "wrong-word" };
        const refused = await failureFrom(deliver({ settings: { address, secret: wrong } }, { ca }));
        expect(refused).toMatchObject({ code: "delivery-failed", retryable: false });
        expect(refused.message).not.toContain("wrong-word");
        expect(server.received).toHaveLength(1);
      } finally {
        await server.stop();
      }
    }),
  );
});
