import { once } from "node:events";
import { copyFile, readFile } from "node:fs/promises";
import { Agent as SecureAgent, request as sendHttps } from "node:https";
import type { IncomingMessage } from "node:http";
import { constants } from "node:http2";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { connect as connectTls, type ConnectionOptions, type TLSSocket } from "node:tls";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type Authority,
  type CertificateFiles,
  createAuthority,
} from "../../../../test/support/certificates.ts";
import {
  askByHttp2,
  openHttp2,
  openRaw,
  startTestGateway,
  type TestGateway,
} from "../../../../test/support/gateway.ts";
import {
  type StandIn,
  type StandInOptions,
  type StandInRequest,
  startStandIn,
} from "../../../../test/support/stand-in-api-server.ts";
import { createTempDir, type TempDir } from "../../../../test/support/temp-dir.ts";
import { describeWithTools } from "../../../../test/support/tools.ts";
import type { GatewayOptions } from "./gateway.ts";

/** What the stand-in says it was asked. */
interface Echo {
  readonly user: string;
  readonly method: string;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly version: string;
  readonly body: string;
}

const token = { authorization: "Bearer good" };

await describeWithTools(["openssl"], "the gateway's server", ({ openssl }) => {
  let folder: TempDir;
  let authority: Authority;
  let proxyAuthority: Authority;
  let strangers: Authority;
  let server: CertificateFiles;
  let trust: ConnectionOptions;
  const running: (StandIn | { stop(): Promise<void> })[] = [];

  beforeAll(async () => {
    folder = await createTempDir("gateway");
    authority = await createAuthority(openssl, folder.path, "ca");
    proxyAuthority = await createAuthority(openssl, folder.path, "proxy-ca");
    strangers = await createAuthority(openssl, folder.path, "strangers-ca");
    server = await authority.issue("server");
    trust = { ca: await readFile(authority.certificateFile) };
  });
  afterAll(async () => {
    for (const one of running.toReversed()) await one.stop();
    await folder.remove();
  });

  async function standIn(options: Partial<StandInOptions> = {}): Promise<StandIn> {
    const started = await startStandIn({
      certificate: server,
      frontProxyCaFile: proxyAuthority.certificateFile,
      protocol: "h2",
      answer: (request, response, user) => {
        void echo(request, user).then((told) => {
          response.setHeader("warning", ['299 - "one"', '299 - "two"']);
          response.setHeader("audit-id", "a1");
          response.setHeader("retry-after", "3");
          response.writeHead(200, { "content-type": "application/json" });
          return response.end(JSON.stringify(told));
        });
      },
      ...options,
    });
    running.push(started);
    return started;
  }

  async function gateway(upstream: StandIn, options: Partial<GatewayOptions> = {}): Promise<TestGateway> {
    const frontProxy = await proxyAuthority.issue("front-proxy");
    const started = await startTestGateway(upstream.url, {
      upstreamCaFile: authority.certificateFile,
      frontProxy: { cert: frontProxy.certificateFile, key: frontProxy.keyFile },
      tls: { cert: server.certificateFile, key: server.keyFile },
      clientCaFile: authority.certificateFile,
      ...options,
    });
    running.push({ stop: () => started.stop(0) });
    return started;
  }

  async function clientOf(
    name: string,
    groups: readonly string[],
    by = authority,
  ): Promise<ConnectionOptions> {
    const files = await by.issue(name, groups);
    return { ...trust, cert: await readFile(files.certificateFile), key: await readFile(files.keyFile) };
  }

  describe.each(["h2", "http/1.1"] as const)("in front of a server that speaks %s", (protocol) => {
    let upstream: StandIn;
    let front: TestGateway;
    beforeAll(async () => {
      upstream = await standIn({ protocol });
      front = await gateway(upstream);
    });

    test("a token and all end-to-end fields pass, and those of the connection do not", async () => {
      const session = openHttp2(front.url, trust);
      const { status, headers, rawHeaders, body } = await askByHttp2(
        session,
        {
          ":path": "/api/v1/pods?limit=5&x=%2F",
          ":method": "POST",
          ...token,
          "impersonate-user": "jane",
          "impersonate-group": ["a", "b"],
          "x-forwarded-for": "1.2.3.4",
          "x-real-ip": "1.2.3.4",
          te: "trailers",
          cookie: "c=d",
        },
        Buffer.from("hello"),
      );
      session.close();
      const told = JSON.parse(String(body)) as Echo;
      expect(status).toBe(200);
      expect(told).toMatchObject({
        user: "token",
        method: "POST",
        url: "/api/v1/pods?limit=5&x=%2F",
        version: protocol === "h2" ? "2.0" : "1.1",
        body: "hello",
      });
      expect(told.headers).toMatchObject({
        authorization: "Bearer good",
        "impersonate-user": "jane",
        "impersonate-group": "a, b",
        "x-forwarded-for": "127.0.0.1",
        "x-forwarded-proto": "https",
        cookie: "c=d",
      });
      expect(Object.keys(told.headers)).not.toContain("te");
      expect(Object.keys(told.headers)).not.toContain("x-real-ip");
      expect(headers).toMatchObject({ "audit-id": "a1", "retry-after": "3" });
      expect(rawHeaders.filter((field) => field === "warning")).toHaveLength(2);
    });

    test("HTTP/1.1 fields that Connection names end at the gateway", async () => {
      const { answer, body } = await askByHttp1(`${front.url}/version`, trust, {
        ...token,
        connection: "close, x-private",
        "x-private": "1",
        "keep-alive": "timeout=5",
        "proxy-authorization": "Basic x",
      });
      const told = JSON.parse(String(body)) as Echo;
      for (const name of ["x-private", "keep-alive", "proxy-authorization"]) {
        expect(Object.keys(told.headers)).not.toContain(name);
      }
      expect(answer.rawHeaders.filter((field) => field.toLowerCase() === "warning")).toHaveLength(2);
    });

    test("a client certificate's user and groups are told upstream, and its token is not", async () => {
      const tls = await clientOf("alice", ["dev", "ops"]);
      const session = openHttp2(front.url, tls);
      const headers = { ":path": "/version", "X-Remote-User": "system:admin", ...token };
      const byHttp2 = JSON.parse(String((await askByHttp2(session, headers)).body)) as Echo;
      session.close();
      const byHttp1 = JSON.parse(
        String((await askByHttp1(`${front.url}/version`, tls, { ...token, "X-REMOTE-USER": "x" })).body),
      ) as Echo;
      for (const told of [byHttp2, byHttp1]) {
        expect(told.user).toBe("alice (dev, ops)");
        expect(Object.keys(told.headers)).not.toContain("authorization");
      }
    });

    const spoof = {
      "X-Remote-User": "system:admin",
      "x-remote-group": "system:masters",
      "X-Remote-Extra-Scopes": "all",
      "X-Remote-Uid": "1",
    };
    test.each([
      ["without a certificate", async () => Promise.resolve(trust)],
      ["with a certificate of another authority", async () => clientOf("system:admin", [], strangers)],
      [
        "with a certificate of the front proxy's authority",
        async () => clientOf("mallory", [], proxyAuthority),
      ],
    ])("who says of himself who he is, %s, gains nothing", async (_title, tlsOf) => {
      const tls = await tlsOf();
      // The way of the verified must be open beside.
      const alice = openHttp2(front.url, await clientOf("alice", []));
      expect((await askByHttp2(alice, { ":path": "/version" })).status).toBe(200);
      const session = openHttp2(front.url, tls);
      expect((await askByHttp2(session, { ":path": "/version", ...spoof })).status).toBe(401);
      const withToken = await askByHttp2(session, { ":path": "/version", ...token, ...spoof });
      const told = JSON.parse(String(withToken.body)) as Echo;
      expect(told.user).toBe("token");
      expect(Object.keys(told.headers).filter((name) => name.startsWith("x-remote"))).toEqual([]);
      alice.close();
      session.close();
      expect((await askByHttp1(`${front.url}/version`, tls, spoof)).status).toBe(401);
    });

    test("fields in trailers are no fields", async () => {
      const raw = openRaw(front.url, trust);
      raw.socket.write(
        "POST /version HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer good\r\nTransfer-Encoding: chunked\r\n" +
          "Trailer: X-Remote-User\r\nConnection: close\r\n\r\n2\r\nhi\r\n0\r\nX-Remote-User: root\r\n\r\n",
      );
      const answer = await raw.ended;
      expect(answer).toContain('"body":"hi"');
      expect(answer).not.toContain("root");
    });

    test("a DELETE whose body has no length is framed", async () => {
      const session = openHttp2(front.url, trust);
      const headers = { ":method": "DELETE", ":path": "/api/v1/pods", ...token };
      const { body } = await askByHttp2(session, headers, Buffer.from('{"kind":"DeleteOptions"}'));
      session.close();
      expect((JSON.parse(String(body)) as Echo).body).toBe('{"kind":"DeleteOptions"}');
    });

    test("HEAD has the answer's fields and no body", async () => {
      const session = openHttp2(front.url, trust);
      const answer = await askByHttp2(session, { ":method": "HEAD", ":path": "/version", ...token });
      session.close();
      expect([answer.status, answer.headers["audit-id"], answer.body.length]).toEqual([200, "a1", 0]);
      expect((await askByHttp1(`${front.url}/version`, trust, token, { method: "HEAD" })).status).toBe(200);
    });
  });

  test("plain HTTP on loopback, in front of kubectl proxy under a base path", async () => {
    const seen: string[] = [];
    const upstream = await startStandIn({
      protocol: "http/1.1",
      answer: (request, response, user) => {
        seen.push(`${user} ${request.method} ${request.url}`);
        response.end("ok");
      },
      upgrade: (_request, socket) => {
        socket.end("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: a\r\n\r\nhello");
      },
    });
    running.push(upstream);
    const front = await startTestGateway(`${upstream.url}/clusters/a/`);
    const answer = await fetch(`${front.url}/api/v1/pods?limit=1`, { headers: token });
    expect([answer.status, await answer.text(), seen]).toEqual([
      200,
      "ok",
      ["token GET /clusters/a/api/v1/pods?limit=1"],
    ]);
    const raw = openRaw(front.url);
    raw.socket.end(
      "GET /x HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer good\r\nConnection: Upgrade\r\nUpgrade: a\r\n\r\n",
    );
    expect(await raw.ended).toMatch(/hello$/u);
    await front.stop(0);
  });

  test("where nobody answers, a Status says so without telling where", async () => {
    const upstream = await standIn();
    const front = await gateway(upstream);
    await upstream.stop();
    const session = openHttp2(front.url, trust);
    const { status, headers, body } = await askByHttp2(session, { ":path": "/version", ...token });
    session.close();
    expect([status, headers["content-type"], headers["retry-after"]]).toEqual([503, "application/json", "1"]);
    expect(JSON.parse(String(body))).toEqual({
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message: "the API server cannot be reached (ECONNREFUSED)",
      reason: "ServiceUnavailable",
      code: 503,
    });
  });

  test("an API server whose certificate is not trusted is not spoken to", async () => {
    const front = await gateway(await standIn(), { upstreamCaFile: strangers.certificateFile });
    const session = openHttp2(front.url, trust);
    const { status, body } = await askByHttp2(session, { ":path": "/version", ...token });
    session.close();
    expect([status, String(body)]).toEqual([503, expect.stringContaining("UNABLE_TO_VERIFY_LEAF_SIGNATURE")]);
  });

  test("an answer that breaks off upstream breaks off for the client", async () => {
    const upstream = await standIn({
      answer: (request, response) => {
        response.writeHead(200);
        response.write("half");
        const end = (): void => {
          if ("stream" in request) request.stream.close(Number(request.url?.slice(1)));
        };
        setTimeout(end, 50);
      },
    });
    const front = await gateway(upstream);
    const session = openHttp2(front.url, trust);
    for (const code of [constants.NGHTTP2_INTERNAL_ERROR, constants.NGHTTP2_CANCEL]) {
      await expect(askByHttp2(session, { ":path": `/${code}`, ...token })).rejects.toThrow("INTERNAL_ERROR");
    }
    session.close();
    await expect(askByHttp1(`${front.url}/2`, trust, token)).rejects.toThrow("aborted");
  });

  test("a client that leaves ends its request upstream", async () => {
    let closed = 0;
    const upstream = await standIn({
      answer: (_request, response) => {
        response.writeHead(200);
        response.write("{}\n");
        response.on("close", () => (closed += 1));
      },
    });
    const front = await gateway(upstream);
    const session = openHttp2(front.url, trust);
    const stream = session.request({ ":path": "/api/v1/pods?watch=1", ...token });
    await once(stream, "data");
    stream.close(constants.NGHTTP2_CANCEL);
    const raw = openRaw(front.url, trust);
    raw.socket.write("GET /api/v1/pods?watch=1 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer good\r\n\r\n");
    await raw.until("{}");
    raw.socket.destroy();
    await expect.poll(() => closed).toBe(2);
    session.close();
  });

  test("a slow reader slows its own answer down alone", async () => {
    let written = 0;
    const upstream = await standIn({
      answer: (request, response) => {
        response.writeHead(200);
        if (request.url !== "/endless") {
          response.end("ok");
          return;
        }
        const chunk = Buffer.alloc(65_536, "x");
        const write = (): void => {
          while (written < 256 * 1024 * 1024) {
            written += chunk.length;
            if (response.write(chunk)) continue;
            response.once("drain", write);
            return;
          }
        };
        write();
      },
    });
    const front = await gateway(upstream);
    const session = openHttp2(front.url, trust);
    const stalled = session.request({ ":path": "/endless", ...token });
    await once(stalled, "response");
    await sleep(300);
    const before = written;
    expect((await askByHttp2(session, { ":path": "/other", ...token })).status).toBe(200);
    await sleep(100);
    expect([written < 4 * 1024 * 1024, written]).toEqual([true, before]);
    session.destroy();
  });

  test("what a server about to leave has surely not looked at is asked on another connection", async () => {
    let refusals = 0;
    const upstream = await standIn({
      answer: (request, response) => {
        if (refusals < 2 && "stream" in request) {
          refusals += 1;
          request.stream.close(constants.NGHTTP2_REFUSED_STREAM);
        } else response.writeHead(200).end("ok");
      },
    });
    const front = await gateway(upstream);
    const session = openHttp2(front.url, trust);
    expect((await askByHttp2(session, { ":path": "/version", ...token })).status).toBe(200);
    const body = Buffer.from("x");
    refusals = 1;
    const written = await askByHttp2(session, { ":method": "POST", ":path": "/version", ...token }, body);
    session.close();
    expect([written.status, written.headers["retry-after"]]).toEqual([503, "1"]);
  });

  test("after GOAWAY what is open goes on, and what is new takes another connection", async () => {
    const open: (() => void)[] = [];
    const upstream = await standIn({
      answer: (request, response) => {
        response.writeHead(200);
        if (request.url === "/slow") {
          response.write("a");
          open.push(() => void response.end("b"));
        } else response.end("ok");
      },
    });
    const front = await gateway(upstream);
    const session = openHttp2(front.url, trust);
    const slow = askByHttp2(session, { ":path": "/slow", ...token });
    await expect.poll(() => open.length).toBe(1);
    const before = upstream.connections();
    for (const one of upstream.sessions) one.close();
    await sleep(50);
    expect((await askByHttp2(session, { ":path": "/version", ...token })).status).toBe(200);
    expect(upstream.connections()).toBe(before + 1);
    for (const end of open) end();
    expect(String((await slow).body)).toBe("ab");
    session.close();
  });

  test("a write whose connection breaks before an answer is not sent again", async () => {
    let asked = 0;
    const upstream = await standIn({
      answer: (request) => {
        asked += 1;
        if ("stream" in request) request.stream.session?.destroy();
      },
    });
    const front = await gateway(upstream);
    const session = openHttp2(front.url, trust);
    const headers = { ":method": "DELETE", ":path": "/api/v1/namespaces/a/pods/b", ...token };
    const { status, headers: told } = await askByHttp2(session, headers);
    session.close();
    expect([status, told["retry-after"], asked]).toEqual([503, undefined, 1]);
  });

  test("as many connections as the peer's limit of streams asks for", async () => {
    const upstream = await standIn({
      maxConcurrentStreams: 10,
      answer: (_request, response) => void response.writeHead(200).write("{}\n"),
    });
    const front = await gateway(upstream);
    const session = openHttp2(front.url, trust);
    const watch = async (): Promise<void> => {
      const stream = session.request({ ":path": "/api/v1/pods?watch=1", ...token });
      stream.on("error", () => undefined);
      await once(stream, "data");
    };
    await watch();
    for (let round = 0; round < 4; round++) await Promise.all(Array.from({ length: 10 }, watch));
    expect(upstream.sessions.size).toBeGreaterThanOrEqual(5);
    expect(upstream.sessions.size).toBeLessThanOrEqual(8);
    session.destroy();
  });

  describe("requests that servers behind each other could read differently", () => {
    let front: TestGateway;
    let asked: string[];
    beforeAll(async () => {
      asked = [];
      const upstream = await standIn({
        protocol: "http/1.1",
        answer: (request, response) => {
          asked.push(request.url ?? "");
          response.writeHead(200).end("ok");
        },
      });
      front = await gateway(upstream);
    });

    const host = "Host: a\r\nAuthorization: Bearer good\r\n";
    const chunked = "Transfer-Encoding: chunked\r\n";
    test.each([
      ["a length and chunks", `POST /x HTTP/1.1\r\n${host}Content-Length: 5\r\n${chunked}\r\n0\r\n\r\n`],
      ["two lengths", `POST /x HTTP/1.1\r\n${host}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`],
      ["one length twice", `POST /x HTTP/1.1\r\n${host}Content-Length: 1\r\nContent-Length: 1\r\n\r\na`],
      ["a length with a sign", `POST /x HTTP/1.1\r\n${host}Content-Length: +1\r\n\r\na`],
      ["chunks last but one", `POST /x HTTP/1.1\r\n${host}Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n`],
      ["a blank before a colon", `POST /x HTTP/1.1\r\n${host}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n`],
      ["a folded field", `GET /x HTTP/1.1\r\n${host}X-A: b\r\n X-Remote-User: root\r\n\r\n`],
      ["bare line feeds", `GET /x HTTP/1.1\nHost: a\nAuthorization: Bearer good\n\n`],
      ["a bare line feed in a field", `GET /x HTTP/1.1\r\n${host}X-A: b\nX-Remote-User: root\r\n\r\n`],
      ["a bare carriage return", `GET /x HTTP/1.1\r\n${host}X-A: b\rX-Remote-User: root\r\n\r\n`],
      ["a chunk size with more", `POST /x HTTP/1.1\r\n${host}${chunked}\r\n1;a\nb\r\nx\r\n0\r\n\r\n`],
      ["an absolute target", `GET http://other/x HTTP/1.1\r\n${host}\r\n`],
      ["a target without a slash", `GET x HTTP/1.1\r\n${host}\r\n`],
      ["an asterisk", `OPTIONS * HTTP/1.1\r\n${host}\r\n`],
      ["a target with bytes beyond ASCII", `GET /\xc3\xa4 HTTP/1.1\r\n${host}\r\n`],
      ["no host", "GET /x HTTP/1.1\r\nAuthorization: Bearer good\r\n\r\n"],
      ["TRACE", `TRACE /x HTTP/1.1\r\n${host}\r\n`],
      ["CONNECT", `CONNECT other:443 HTTP/1.1\r\n${host}\r\n`],
      ["an unknown method", `GE\0T /x HTTP/1.1\r\n${host}\r\n`],
      [
        "an upgrade with a body",
        `POST /x HTTP/1.1\r\n${host}Connection: Upgrade\r\nUpgrade: a\r\nContent-Length: 1\r\n\r\na`,
      ],
      ["a header of 80 KiB", `GET /x HTTP/1.1\r\n${host}X-A: ${"a".repeat(80 * 1024)}\r\n\r\n`],
    ])("%s", async (_title, bytes) => {
      asked.length = 0;
      const raw = openRaw(front.url, trust);
      raw.socket.write(`${bytes}GET /smuggled HTTP/1.1\r\n${host}Connection: close\r\n\r\n`, "latin1");
      const answer = await Promise.race([raw.ended, sleep(10_000, "nothing")]);
      raw.socket.destroy();
      expect(answer).toMatch(/^(?:$|HTTP\/1\.1 4\d\d )/u);
      expect(asked.filter((target) => target !== "/smuggled")).toEqual([]);
    });

    test("repeated fields that must stand once are refused or pass as one", async () => {
      asked.length = 0;
      const { status } = await askByHttp1(`${front.url}/x`, trust, {
        authorization: "Bearer good",
        "X-A": ["1", "2"],
      });
      expect(status).toBe(200);
    });
  });

  test("clients that send slowly or nothing are cut off, and open watches are not", async () => {
    const upstream = await standIn({
      answer: (request, response) => {
        request.resume();
        response.writeHead(200);
        response.write("{}\n");
      },
    });
    const front = await gateway(upstream, {
      limits: { handshakeMs: 300, headersMs: 300, requestMs: 300, idleMs: 300 },
    });
    const watching = openHttp2(front.url, trust);
    const watch = watching.request({ ":path": "/api/v1/pods?watch=1", ...token });
    await once(watch, "data");
    const rawWatch = openRaw(front.url, trust);
    rawWatch.socket.write(
      "GET /api/v1/pods?watch=1 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer good\r\n\r\n",
    );
    await rawWatch.until("{}");

    const noHandshake = openRaw(front.url.replace("https", "http"));
    const noRequest = openRaw(front.url, trust);
    const slowHeader = openRaw(front.url, trust);
    slowHeader.socket.write("GET / HTTP/1.1\r\nHost:");
    const slowBody = openRaw(front.url, trust);
    slowBody.socket.write(
      "POST / HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer good\r\nContent-Length: 9\r\n\r\na",
    );
    const idle = openHttp2(front.url, trust);
    const slowUpload = watching.request({ ":method": "POST", ":path": "/", ...token }, { endStream: false });
    slowUpload.on("error", () => undefined);
    slowUpload.write("a");
    await Promise.all([
      noHandshake.ended,
      noRequest.ended,
      slowHeader.ended,
      slowBody.ended,
      once(idle, "close"),
      new Promise((resolve) => {
        slowUpload.once("close", resolve);
      }),
    ]);
    await sleep(1500);
    expect([watch.closed, rawWatch.socket.closed]).toEqual([false, false]);
    watching.destroy();
    rawWatch.socket.destroy();
  });

  describe("upgrades", () => {
    let upstream: StandIn;
    let front: TestGateway;
    beforeAll(async () => {
      upstream = await standIn({
        upgrade: (request, socket, head) => {
          const {
            upgrade = "",
            "x-remote-user": user = "none",
            "x-stream-protocol-version": version = "",
          } = request.headers;
          socket.write(
            `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${upgrade}\r\n` +
              `X-Stream-Protocol-Version: ${String(version)}\r\n\r\n${request.method} ${request.url} as ${String(user)};`,
          );
          const chunks: Buffer[] = [head];
          socket.on("data", (chunk: Buffer) => chunks.push(chunk));
          // Says what it got only once the client has ended its half.
          socket.on("end", () => socket.end(`got ${Buffer.concat(chunks).toString()}`));
        },
      });
      front = await gateway(upstream);
    });

    test.each(["SPDY/3.1", "websocket"])(
      "%s: both halves end on their own, and early bytes arrive",
      async (name) => {
        const raw = openRaw(front.url, { ...(await clientOf("bob", [])) });
        raw.socket.write(
          `POST /api/v1/namespaces/a/pods/b/exec?command=x HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: ${name}\r\n` +
            "X-Remote-User: root\r\nX-Stream-Protocol-Version: v4.channel.k8s.io\r\nContent-Length: 0\r\n\r\nearly,",
        );
        await raw.until("as bob;");
        raw.socket.end("late");
        const answer = await raw.ended;
        expect(answer).toMatch(/^HTTP\/1\.1 101 Switching Protocols\r\n/u);
        expect(answer.toLowerCase()).toContain(`upgrade: ${name.toLowerCase()}\r\n`);
        expect(answer.toLowerCase()).toContain("x-stream-protocol-version: v4.channel.k8s.io\r\n");
        expect(answer).toContain("POST /api/v1/namespaces/a/pods/b/exec?command=x as bob;got early,late");
      },
    );

    test("without credentials, who says of himself who he is gets the API server's refusal", async () => {
      const raw = openRaw(front.url, trust);
      raw.socket.write(
        "GET /api/v1/namespaces/a/pods/b/exec HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, X-Remote-Group\r\n" +
          "Upgrade: websocket\r\nX-Remote-User: system:admin\r\nX-Remote-Group: system:masters\r\n\r\n",
      );
      expect(await raw.ended).toMatch(/^HTTP\/1\.1 401 Unauthorized\r\n[^]*\r\n\r\nno$/u);
    });

    test("a tunnel that breaks on one side breaks on the other", async () => {
      const raw = openRaw(front.url, { ...(await clientOf("bob", [])) });
      raw.socket.write("GET /x HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: a\r\n\r\n");
      await raw.until("as bob;");
      const metrics = async (): Promise<string> =>
        (await fetch(`http://${front.addresses.metrics}/metrics`)).text();
      expect(await metrics()).toContain("fairlead_gateway_open_upgrades 1\n");
      raw.socket.destroy();
      await expect.poll(metrics).toContain("fairlead_gateway_open_upgrades 0\n");
    });
  });

  test("certificates are read again when they change, and broken ones are not used", async () => {
    const files = { cert: path.join(folder.path, "own.pem"), key: path.join(folder.path, "own.key") };
    const use = async (from: CertificateFiles): Promise<void> => {
      await copyFile(from.certificateFile, files.cert);
      await copyFile(from.keyFile, files.key);
    };
    const [first, second] = [await authority.issue("first"), await authority.issue("second")];
    await use(first);
    const front = await gateway(await standIn(), { tls: files, pollMs: 20 });
    const shown = async (): Promise<string> => {
      const { hostname: host, port } = new URL(front.url);
      const socket: TLSSocket = connectTls({ ...trust, host, port: Number(port) });
      await once(socket, "secureConnect");
      const name = socket.getPeerCertificate().subject.CN;
      socket.destroy();
      return String(name);
    };
    const session = openHttp2(front.url, trust);
    expect(await shown()).toBe("first");
    await use(second);
    await expect.poll(shown).toBe("second");
    await copyFile(first.certificateFile, files.cert);
    await expect.poll(() => front.log.filter((line) => line.startsWith("error"))).toHaveLength(1);
    await sleep(100);
    expect(await shown()).toBe("second");
    expect(front.log.filter((line) => line.startsWith("error"))).toHaveLength(1);
    // What was open goes on.
    expect((await askByHttp2(session, { ":path": "/version", ...token })).status).toBe(200);
    session.close();
  });

  test("a front-proxy certificate that changes is shown to the API server from then on", async () => {
    const files = { cert: path.join(folder.path, "proxy.pem"), key: path.join(folder.path, "proxy.key") };
    const use = async (from: CertificateFiles): Promise<void> => {
      await copyFile(from.certificateFile, files.cert);
      await copyFile(from.keyFile, files.key);
    };
    await use(await strangers.issue("not-trusted"));
    const front = await gateway(await standIn(), { frontProxy: files, pollMs: 20 });
    const session = openHttp2(front.url, await clientOf("carol", []));
    const status = async (): Promise<number> => (await askByHttp2(session, { ":path": "/version" })).status;
    expect(await status()).toBe(401);
    await use(await proxyAuthority.issue("trusted"));
    await expect.poll(status).toBe(200);
    session.close();
  });

  test("it drains: watches end at a line at once, requests have time, and nothing new is taken", async () => {
    const ends: (() => void)[] = [];
    let asked = 0;
    const upstream = await standIn({
      answer: (request, response) => {
        asked += 1;
        response.writeHead(200);
        if (request.url?.includes("half") === true) {
          response.write('{"a":1}\n{"b"');
          ends.push(() => void response.write(':2}\n{"c"'));
        } else if (request.url?.includes("watch") === true) response.write('{"a":1}\n');
        else {
          response.write("slow ");
          ends.push(() => void response.end("done"));
        }
      },
    });
    const front = await gateway(upstream);
    const session = openHttp2(front.url, trust);
    const goaway = once(session, "goaway");
    const watch = askByHttp2(session, { ":path": "/api/v1/pods?watch=1", ...token });
    const half = askByHttp2(session, { ":path": "/api/v1/pods?watch=1&half", ...token });
    const slow = askByHttp2(session, { ":path": "/slow", ...token });
    const byHttp1 = askByHttp1(`${front.url}/api/v1/pods?watch=1`, trust, token);
    await expect.poll(() => asked, { timeout: 5000 }).toBe(4);
    await sleep(300);
    const stopped = front.stop(5000);
    expect(String((await watch).body)).toBe('{"a":1}\n');
    expect(String((await byHttp1).body)).toBe('{"a":1}\n');
    await goaway;
    await expect(
      once(connectTls({ ...trust, port: Number(new URL(front.url).port) }), "secureConnect"),
    ).rejects.toThrow("ECONNREFUSED");
    expect(await (await fetch(`http://${front.addresses.metrics}/readyz`)).text()).toContain("shutting down");
    for (const end of ends) end();
    expect(String((await half).body)).toBe('{"a":1}\n{"b":2}\n');
    expect(String((await slow).body)).toBe("slow done");
    await stopped;
  });

  test("it does not wait for ever", async () => {
    const upstream = await standIn({
      answer: (_request, response) => void response.writeHead(200).write("x"),
    });
    const front = await gateway(upstream);
    const session = openHttp2(front.url, trust);
    const never = askByHttp2(session, { ":path": "/slow", ...token });
    never.catch(() => undefined);
    await sleep(100);
    const startedAt = performance.now();
    await front.stop(300);
    expect(performance.now() - startedAt).toBeLessThan(2500);
    await expect(never).rejects.toThrow("INTERNAL_ERROR");
  });

  test("the log and the metrics tell what was asked, and no secrets", async () => {
    const front = await gateway(await standIn());
    const session = openHttp2(front.url, await clientOf("dave", []));
    const paths = [
      "/api/v1/namespaces/a/pods?limit=5&continue=secret1&labelSelector=a%3Db",
      "/api/v1/namespaces/a/pods/b/exec?command=secret2&container=c",
      "/api/v1/namespaces/a/services/b/proxy/secret3?secret4",
    ];
    for (const target of paths) {
      await askByHttp2(session, { ":path": target, authorization: "Bearer secret5", cookie: "secret6" });
    }
    session.close();
    await expect.poll(() => front.log.length).toBe(3);
    const log = front.log.join("\n");
    expect(log).not.toContain("secret");
    expect(log).toContain('path="/api/v1/namespaces/a/pods?limit=5&…&labelSelector=a=b" user=dave');
    expect(log).toContain("/services/b/proxy/…?…");
    const metrics = await (await fetch(`http://${front.addresses.metrics}/metrics`)).text();
    expect(metrics).toContain('fairlead_gateway_requests_total{verb="list",resource="pods",code="200"} 1');
    expect(metrics).toContain('fairlead_gateway_upstream_sessions{identity="front-proxy"} 1');
  });

  test("5,000 open watches take 50 connections upstream and little memory", { timeout: 60_000 }, async () => {
    const upstream = await standIn({
      maxConcurrentStreams: 100,
      answer: (_request, response) => void response.writeHead(200).write('{"type":"ADDED"}\n'),
    });
    const front = await gateway(upstream);
    const session = openHttp2(front.url, trust);
    const watches = Array.from({ length: 5000 }, async () => {
      const stream = session.request({ ":path": "/api/v1/pods?watch=1", ...token });
      stream.on("error", () => undefined);
      await once(stream, "data");
    });
    await Promise.all(watches);
    expect(upstream.sessions.size).toBeLessThan(70);
    const metrics = await (await fetch(`http://${front.addresses.metrics}/metrics`)).text();
    expect(metrics).toContain("fairlead_gateway_open_watches 5000\n");
    await front.stop(1000);
  });

  test.each([
    ["plain text beyond loopback", { listen: { port: 0 }, tls: undefined, clientCaFile: undefined }],
    ["client certificates without a certificate of its own", { tls: undefined }],
    ["client certificates without a front-proxy certificate", { frontProxy: undefined }],
  ])("%s: refused", async (_title, options) => {
    await expect(gateway(await standIn(), options)).rejects.toMatchObject({ code: "config-invalid" });
  });
});

async function echo(request: StandInRequest, user: string): Promise<Echo> {
  const body = await (request as IncomingMessage).toArray();
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
  );
  const { method = "", url = "", httpVersion: version } = request;
  return { user, method, url, headers, version, body: Buffer.concat(body).toString() };
}

async function askByHttp1(
  url: string,
  tls: ConnectionOptions,
  headers: Record<string, string | string[]>,
  { method = "GET", body }: { method?: string; body?: string } = {},
): Promise<{ status: number; answer: IncomingMessage; body: Buffer }> {
  const agent = new SecureAgent({ ...(tls as object), maxCachedSessions: 0 });
  const sent = sendHttps(url, { agent, headers, method });
  sent.end(body);
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  const read = Buffer.concat(await answer.toArray());
  agent.destroy();
  return { status: answer.statusCode ?? 0, answer, body: read };
}
