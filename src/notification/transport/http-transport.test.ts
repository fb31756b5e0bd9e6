import { readFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createAuthority } from "../../../test/support/certificates.ts";
import {
  cut,
  endless,
  type FaultyRegistry,
  json,
  raw,
  reset,
  stalled,
  startFaultyRegistry,
} from "../../../test/support/faulty-registry.ts";
import { startHttpServer } from "../../../test/support/http-server.ts";
import { startHttpProxy, startSocks5Proxy } from "../../../test/support/proxies.ts";
import { failureFrom } from "../../../test/support/registry-case.ts";
import { withTempDir } from "../../../test/support/temp-dir.ts";
import { describeWithTools } from "../../../test/support/tools.ts";
import { createHostLimits } from "../../registry/transport/host-limits.ts";
import type { DeliveryTransport, OutgoingRequest } from "../providers/provider.ts";
import { createAddressGuard } from "../../core/address-guard.ts";
import { createHttpTransport, type HttpTransportOptions } from "./http-transport.ts";

const guard = createAddressGuard({ allowLoopback: true });
let server: FaultyRegistry;
let other: FaultyRegistry;

beforeAll(async () => {
  [server, other] = await Promise.all([startFaultyRegistry(), startFaultyRegistry()]);
});
afterAll(() => Promise.all([server.stop(), other.stop()]));

function transport(options: HttpTransportOptions = {}): DeliveryTransport {
  return createHttpTransport({ guard, ...options });
}

function requestTo(url: string, parts: Partial<OutgoingRequest> = {}): OutgoingRequest {
  return { method: "POST", url, headers: {}, body: "{}", secrets: [], ...parts };
}

describe("an answer", () => {
  test("is given whatever its status", async () => {
    server.answer("/a", raw(418, "tea", { "X-Kind": "pot" }));
    expect(await transport().send(requestTo(`${server.url}/a`))).toMatchObject({
      status: 418,
      headers: { "x-kind": "pot" },
      body: "tea",
    });
  });

  test.each([
    [undefined, 64 * 1024],
    [100_000, 100_000],
  ])("is read up to %s", async (maxResponseBytes, length) => {
    server.answer("/long", endless(200, "x".repeat(1_000)));
    const parts = maxResponseBytes === undefined ? {} : { maxResponseBytes };
    const { body } = await transport().send(requestTo(`${server.url}/long`, parts));
    expect(body.length).toBe(length);
  });

  test.each([
    ["a reset", reset],
    ["one that is cut", cut],
  ])("%s may be tried again", async (_name, answer) => {
    server.answer("/broken", answer);
    const failure = await failureFrom(transport().send(requestTo(`${server.url}/broken`)));
    expect(failure).toMatchObject({ code: "delivery-failed", retryable: true });
  });

  test("one that does not end ends by time", async () => {
    server.answer("/stalled", stalled);
    const failure = await failureFrom(transport({ timeoutMs: 100 }).send(requestTo(`${server.url}/stalled`)));
    expect(failure).toMatchObject({ code: "delivery-failed", retryable: true });
    expect(failure.message).toBe(`${server.host} did not answer within 0.1 s`);
  });

  test("nobody waits for once the caller has gone", async () => {
    server.answer("/gone", stalled);
    const controller = new AbortController();
    const sent = transport().send(requestTo(`${server.url}/gone`), controller.signal);
    const reason = new Error("enough");
    controller.abort(reason);
    await expect(sent).rejects.toBe(reason);
  });
});

describe("a redirect", () => {
  test("on the same host is followed with method and body", async () => {
    server.answer("/old", raw(308, "", { location: "/new" }));
    server.answer("/new", json(200, { ok: true }));
    const headers = { authorization: "Bearer x" };
    const { status } = await transport().send(requestTo(`${server.url}/old`, { headers }));
    expect(status).toBe(200);
    expect(server.seen.at(-1)).toEqual({ method: "POST", path: "/new", authorization: "Bearer x" });
  });

  test.each([
    ["to another host", "POST", 307, (): string => `${other.url}/new`],
    ["of another kind", "POST", 302, (): string => "/new"],
    ["to another scheme", "GET", 301, (): string => `https://${server.host}/new`],
    ["to a file", "GET", 301, (): string => "file:///etc/passwd"],
  ] as const)("%s is not followed", async (_name, method, status, location) => {
    server.answer("/away", raw(status, "", { location: location() }));
    const answer = await transport().send({ method, url: `${server.url}/away`, headers: {}, secrets: [] });
    expect(answer.status).toBe(status);
    expect(other.seen).toEqual([]);
  });

  test("to itself ends", async () => {
    server.answer("/loop", raw(307, "", { location: "/loop" }));
    expect(await transport().send(requestTo(`${server.url}/loop`))).toMatchObject({ status: 307 });
  });
});

describe("the guard", () => {
  test.each(["http://169.254.169.254/latest", "http://[fe80::1]/", "http://0x7f.1/", "http://2130706433/"])(
    "%s is refused",
    async (url) => {
      const failure = await failureFrom(createHttpTransport().send(requestTo(url)));
      expect(failure).toMatchObject({ code: "address-refused", retryable: false });
    },
  );

  test("a name is refused for what it is connected to", async () => {
    const url = server.url.replace("127.0.0.1", "localhost");
    const failure = await failureFrom(createHttpTransport().send(requestTo(`${url}/a`)));
    expect(failure).toMatchObject({ code: "address-refused" });
    expect((await transport().send(requestTo(`${url}/v2/`))).status).toBe(200);
  });

  test("a proxy is no way round it", async () => {
    const proxy = { address: "http://127.0.0.1:9" };
    const own = createHttpTransport({ proxy });
    expect(await failureFrom(own.send(requestTo("http://example.com/")))).toMatchObject({
      code: "address-refused",
    });
    const proxied = transport({ proxy });
    expect(await failureFrom(proxied.send(requestTo("http://169.254.169.254/")))).toMatchObject({
      code: "address-refused",
    });
    const named = createHttpTransport({ proxy: { address: "http://localhost:9" } });
    expect(await failureFrom(named.send(requestTo("http://example.com/")))).toMatchObject({
      code: "address-refused",
    });
  });
});

describe("a proxy", () => {
  test("with a login is used", async () => {
    const proxy = await startHttpProxy({ username: "me", password: "pass" });
    server.answer("/proxied", json(200, {}));
    const settings = { address: proxy.url, username: "me", password: "pass" };
    const answer = await transport({ proxy: settings }).send(requestTo(`${server.url}/proxied`));
    expect(answer.status).toBe(200);
    expect(proxy.reached).toEqual([server.host]);
    await proxy.stop();
  });

  test("of SOCKS5 is used", async () => {
    const proxy = await startSocks5Proxy();
    server.answer("/proxied", json(200, {}));
    const answer = await transport({ proxy: { address: proxy.url } }).send(
      requestTo(`${server.url}/proxied`),
    );
    expect(answer.status).toBe(200);
    expect(proxy.reached).toEqual([server.host]);
    await proxy.stop();
  });

  test("that is none is refused at once", () => {
    expect(() => transport({ proxy: { address: "ftp://secret@proxy" } })).toThrow(
      expect.objectContaining({ code: "config-invalid" }),
    );
  });
});

test("a host gets no more requests at a time than it should", async () => {
  let active = 0;
  let most = 0;
  const release = Promise.withResolvers<undefined>();
  const full = Promise.withResolvers<undefined>();
  const answerLater = async (response: ServerResponse): Promise<void> => {
    active += 1;
    most = Math.max(most, active);
    if (active === 3) full.resolve(undefined);
    await release.promise;
    active -= 1;
    response.end("{}");
  };
  const slow = await startHttpServer((_request, response) => void answerLater(response));
  const limited = transport({ limits: createHostLimits({ maxConcurrent: 3 }) });
  const sent = Array.from({ length: 10 }, () => limited.send(requestTo(`${slow.url}/`)));
  await full.promise;
  release.resolve(undefined);
  await Promise.all(sent);
  expect(most).toBe(3);
  await slow.stop();
});

await describeWithTools(["openssl"], "TLS", ({ openssl }) => {
  test("trusts a CA beside the system's, and shows a certificate", () =>
    withTempDir(async (folder) => {
      const authority = await createAuthority(openssl, folder, "ca");
      const [own, client] = [await authority.issue("server"), await authority.issue("client")];
      const [ca, cert, key, clientCert, clientKey] = await Promise.all(
        [
          authority.certificateFile,
          own.certificateFile,
          own.keyFile,
          client.certificateFile,
          client.keyFile,
        ].map((file) => readFile(file, "utf8")),
      );
      const secure = await startHttpServer((_request, response) => void response.end("{}"), {
        cert: cert ?? "",
        key: key ?? "",
        ca: ca ?? "",
        requestCert: true,
        rejectUnauthorized: true,
      });
      const clientCertificate = { cert: clientCert ?? "", key: clientKey ?? "" };
      const trusted = transport({ ca, clientCertificate });
      expect((await trusted.send(requestTo(`${secure.url}/`))).status).toBe(200);
      expect(
        await failureFrom(transport({ clientCertificate }).send(requestTo(`${secure.url}/`))),
      ).toMatchObject({
        code: "delivery-failed",
      });
      await secure.stop();
    }));
});
