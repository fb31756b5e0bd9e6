import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { type AddressInfo, createServer, type Socket } from "node:net";
import path from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, expect, onTestFinished, test } from "vitest";
import { startHttpServer, type TestServer } from "../../../test/support/http-server.ts";
import { createTempDir, type TempDir } from "../../../test/support/temp-dir.ts";
import { FairleadError } from "../../core/error.ts";
import { ApiClient, type ApiClientOptions } from "./api-client.ts";
import type { ApiExchange } from "./api-transport.ts";
import type { ApiObject, ResourceType, WatchEvent } from "./api-object.ts";
import { openClusterAccess } from "./cluster-access.ts";

const configMaps: ResourceType = { group: "", version: "v1", resource: "configmaps", namespaced: true };
const policies: ResourceType = {
  group: "image.toolkit.fluxcd.io",
  version: "v1",
  resource: "imagepolicies",
  namespaced: true,
};
const one = { namespace: "a", name: "one" };
const object = { metadata: { namespace: "a", name: "one", uid: "u", resourceVersion: "7" } };
const token = "secret-token-of-the-test";

interface Received {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

type Answer = (response: ServerResponse, request: Received) => void;

const servers: TestServer[] = [];
const clients: ApiClient[] = [];
const folders: TempDir[] = [];

afterEach(async () => {
  await Promise.all(clients.splice(0).map(async (client) => client.close()));
  await Promise.all(servers.splice(0).map(async (server) => server.stop()));
  await Promise.all(folders.splice(0).map(async (folder) => folder.remove()));
});

/** A client of a server that gives these answers, the last one again and again. */
async function connect(
  answers: readonly Answer[],
  { user = { token }, ...options }: ApiClientOptions & { readonly user?: object } = {},
): Promise<{ readonly client: ApiClient; readonly received: readonly Received[]; readonly folder: string }> {
  const received: Received[] = [];
  const server = await startHttpServer((request, response) => {
    const serve = async (): Promise<void> => {
      const { method, url, headers } = request;
      const all = { method, url, headers, body: await text(request) };
      received.push(all);
      answers[Math.min(received.length, answers.length) - 1]?.(response, all);
    };
    void serve();
  });
  servers.push(server);
  const cluster = { server: `${server.url}/base/`, "insecure-skip-tls-verify": true };
  const { client, folder } = await clientOf(cluster, user, options);
  return { client, received, folder };
}

/** A client of a kubeconfig with one cluster and one user. */
async function clientOf(
  cluster: object,
  user: object,
  options: ApiClientOptions = {},
): Promise<{ readonly client: ApiClient; readonly folder: string }> {
  const folder = await createTempDir("api-client");
  folders.push(folder);
  const kubeconfig = path.join(folder.path, "config");
  const config = {
    clusters: [{ name: "c", cluster }],
    users: [{ name: "u", user }],
    contexts: [{ name: "x", context: { cluster: "c", user: "u", namespace: "own" } }],
    "current-context": "x",
  };
  await writeFile(kubeconfig, JSON.stringify(config));
  const client = new ApiClient(await openClusterAccess({ kubeconfig }), options);
  clients.push(client);
  return { client, folder: folder.path };
}

const answer =
  (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Answer =>
  (response) =>
    void response.writeHead(status, headers).end(typeof body === "string" ? body : JSON.stringify(body));
const status = (code: number, reason: string, message: string): Answer =>
  answer(code, { kind: "Status", code, reason, message });

test.each<[string, (client: ApiClient) => Promise<unknown>, Partial<Received>]>([
  [
    "get",
    (client) => client.get(configMaps, one),
    { method: "GET", url: "/base/api/v1/namespaces/a/configmaps/one" },
  ],
  [
    "create",
    (client) => client.create(policies, { metadata: { namespace: "a" } }, { dryRun: true }),
    {
      method: "POST",
      url: "/base/apis/image.toolkit.fluxcd.io/v1/namespaces/a/imagepolicies?dryRun=All",
      body: '{"metadata":{"namespace":"a"}}',
    },
  ],
  [
    "merge the status",
    (client) =>
      client.patchStatus(policies, one, { type: "merge", body: { status: {} } }, { fieldManager: "me" }),
    {
      method: "PATCH",
      url: "/base/apis/image.toolkit.fluxcd.io/v1/namespaces/a/imagepolicies/one/status?fieldManager=me",
      headers: expect.objectContaining({
        "content-type": "application/merge-patch+json",
      }) as object as Received["headers"],
    },
  ],
  [
    "apply",
    (client) =>
      client.patch(configMaps, one, { type: "apply", body: {}, force: true }, { fieldManager: "me" }),
    {
      url: "/base/api/v1/namespaces/a/configmaps/one?fieldManager=me&force=true",
      headers: expect.objectContaining({
        "content-type": "application/apply-patch+yaml",
      }) as object as Received["headers"],
    },
  ],
  [
    "delete one of a uid",
    (client) => client.delete(configMaps, one, { uid: "u" }),
    { method: "DELETE", body: '{"apiVersion":"v1","kind":"DeleteOptions","preconditions":{"uid":"u"}}' },
  ],
])("requests: %s", async (_name, ask, expected) => {
  const { client, received } = await connect([answer(200, object)]);
  await ask(client);
  expect(received).toMatchObject([expected]);
  expect(received[0]?.headers.authorization).toBe(`Bearer ${token}`);
});

test("lists in pages, of objects that all tell their kind", async () => {
  const { client, received } = await connect([
    answer(200, {
      kind: "ConfigMapList",
      apiVersion: "v1",
      metadata: { resourceVersion: "9", continue: "more" },
      items: [object],
    }),
    answer(200, { metadata: { resourceVersion: "9" }, items: [] }),
  ]);
  const first = await client.list(configMaps, { limit: 1, labelSelector: "a in (b)" });
  expect(first).toEqual({
    items: [{ ...object, apiVersion: "v1", kind: "ConfigMap" }],
    resourceVersion: "9",
    continueToken: "more",
  });
  const second = await client.list(configMaps, { limit: 1, continueToken: first.continueToken });
  expect(second).toEqual({ items: [], resourceVersion: "9", continueToken: undefined });
  expect(received.map(({ url }) => url)).toEqual([
    "/base/api/v1/configmaps?labelSelector=a+in+%28b%29&limit=1",
    "/base/api/v1/configmaps?limit=1&continue=more",
  ]);
});

test.each<[string, Answer, object]>([
  ["a denial", status(403, "Forbidden", "no rights"), { code: "access-denied", retryable: false }],
  [
    "an object that is not there",
    status(404, "NotFound", "none"),
    { code: "object-missing", hint: undefined },
  ],
  [
    "a kind that is not there",
    answer(404, "404 page not found"),
    { code: "object-missing", hint: expect.stringContaining("CustomResourceDefinition") as string },
  ],
  ["a conflict", status(409, "Conflict", "changed"), { code: "object-conflict", retryable: true }],
  ["an old version", status(410, "Expired", "too old"), { code: "version-expired", retryable: true }],
  ["what breaks a rule", status(422, "Invalid", "spec.x: bad"), { code: "object-invalid" }],
  ["a failure", status(500, "InternalError", "etcd"), { code: "upstream-failed", retryable: true }],
  ["no JSON", answer(200, "<html>"), { code: "upstream-failed" }],
  ["no object", answer(200, { metadata: {} }), { code: "upstream-failed" }],
  ["too much", answer(200, "x".repeat(3_000)), { code: "limit-exceeded" }],
  [
    "half an answer",
    (response) =>
      void response.writeHead(200, { "content-length": "99" }).write("{", () => response.destroy()),
    { code: "upstream-unreachable" },
  ],
  ["no answer", () => undefined, { code: "timeout" }],
])("fails for %s", async (_name, given, expected) => {
  const { client } = await connect([given], { maxResponseBytes: 2_000, timeoutMs: 300 });
  await expect(client.get(configMaps, one)).rejects.toMatchObject({ name: "FairleadError", ...expected });
});

test("an answer that repeats the token is quoted without it, and one of a proxy not at all", async () => {
  const { client } = await connect([
    status(403, "Forbidden", `you sent Bearer ${token}`),
    answer(502, `<pre>authorization: ${token}</pre>`),
  ]);
  await expect(client.get(configMaps, one)).rejects.toThrow(/: you sent \[redacted\]$/u);
  await expect(client.get(configMaps, one)).rejects.toThrow(
    /502 to GET \/api\/v1\/namespaces\/a\/configmaps\/one$/u,
  );
});

test("waits for a busy server as it asks, and sends reads again over a new connection", async () => {
  const { client, received } = await connect([
    answer(429, "", { "retry-after": "0" }),
    answer(503, "", { "retry-after": "0.05" }),
    (response) => void response.destroy(),
    answer(200, object),
  ]);
  await client
    .create(configMaps, object)
    .catch((error: unknown) => expect(error).toMatchObject({ code: "upstream-unreachable" }));
  expect(received).toHaveLength(3);
  const again = await connect([(response) => void response.destroy(), answer(200, object)]);
  expect(await again.client.get(configMaps, one)).toEqual(object);
});

test.each<[string, Answer]>([
  ["away", (response) => void response.destroy()],
  ["in front of which a proxy told that it is away", answer(502, "")],
])("asks a server again that was %s, and denies access until it has read its rules", async (_name, away) => {
  const denied = status(403, "Forbidden", "RBAC: not yet");
  const { client, received } = await connect([away, denied, denied, answer(200, object)]);
  await expect(client.create(configMaps, object)).rejects.toMatchObject({ retryable: true });
  expect(await client.create(configMaps, object)).toEqual(object);
  expect(received).toHaveLength(4);
});

test("a denial after the server was away may pass", async () => {
  const { client } = await connect([
    (response) => void response.destroy(),
    status(403, "Forbidden", "RBAC: not yet"),
  ]);
  await expect(client.create(configMaps, object)).rejects.toMatchObject({ code: "upstream-unreachable" });
  await expect(client.create(configMaps, object, { timeoutMs: 500 })).rejects.toMatchObject({
    code: "access-denied",
    retryable: true,
  });
});

test("tells of each request that it sends, with the answer", async () => {
  const told: ApiExchange[] = [];
  const { client } = await connect(
    [
      answer(429, "", { "retry-after": "0" }),
      answer(200, object),
      answer(404, ""),
      (response) => void response.destroy(),
    ],
    { onExchange: (exchange) => told.push(exchange) },
  );
  await client.get(configMaps, one);
  await expect(client.delete(configMaps, one)).rejects.toMatchObject({ code: "object-missing" });
  const patch = { type: "merge", body: {} } as const;
  await expect(client.patch(configMaps, one, patch)).rejects.toMatchObject({ code: "upstream-unreachable" });
  expect(told.map(({ method, status: code }) => `${method} ${code}`)).toEqual([
    "GET 429",
    "GET 200",
    "DELETE 404",
    "PATCH undefined",
  ]);
  expect(new Set(told.map(({ host }) => host))).toEqual(
    new Set([expect.stringMatching(/^127\.0\.0\.1:\d+$/u)]),
  );
});

test("reads a token file again when the server no longer takes the token", async () => {
  const { client, received, folder } = await connect(
    [
      (response, { headers }) =>
        headers.authorization === "Bearer second"
          ? answer(200, object)(response, {} as Received)
          : answer(401, {})(response, {} as Received),
    ],
    { user: { token: "old", tokenFile: "token" } },
  );
  const file = path.join(folder, "token");
  await expect(client.get(configMaps, one)).rejects.toMatchObject({ code: "credentials-invalid" });
  await writeFile(file, "first\n");
  await expect(client.get(configMaps, one)).rejects.toMatchObject({ code: "access-denied" });
  await writeFile(file, "second\n");
  await client.get(configMaps, one);
  expect(received.map(({ headers }) => headers.authorization)).toEqual([
    "Bearer first",
    "Bearer first",
    "Bearer first",
    "Bearer second",
  ]);
});

test("takes credentials of a plugin beside the kubeconfig", async () => {
  const { client, received, folder } = await connect([answer(200, object)], {
    user: {
      exec: { apiVersion: "client.authentication.k8s.io/v1", command: "./plugin", interactiveMode: "Never" },
    },
  });
  const credential = JSON.stringify({ kind: "ExecCredential", status: { token: "from-plugin" } });
  await writeFile(path.join(folder, "plugin"), `#!/bin/sh\necho '${credential}'\n`, { mode: 0o755 });
  await Promise.all([client.get(configMaps, one), client.get(configMaps, one)]);
  expect(received.map(({ headers }) => headers.authorization)).toEqual([
    "Bearer from-plugin",
    "Bearer from-plugin",
  ]);
});

test.each([
  ["..", "a"],
  ["one", "a/b"],
  ["one%2f", "a"],
  ["", "a"],
])("names that lead elsewhere are refused: %j in %j", async (name, namespace) => {
  const { client, received } = await connect([answer(200, object)]);
  await expect(client.get(configMaps, { name, namespace })).rejects.toMatchObject({ code: "object-invalid" });
  expect(received).toEqual([]);
});

const event = (type: string, given: object): string => `${JSON.stringify({ type, object: given })}\n`;
const bookmark = event("BOOKMARK", { kind: "ConfigMap", metadata: { resourceVersion: "8" } });

/** All events until the watch ends, and what it ended with. */
async function watchAll(
  client: ApiClient,
  idleMs = 5_000,
): Promise<{ events: WatchEvent<ApiObject>[]; error: unknown }> {
  const events: WatchEvent<ApiObject>[] = [];
  try {
    const { signal } = new AbortController();
    const options = { namespace: "a", resourceVersion: "5", timeoutSeconds: 9, idleMs, signal };
    for await (const each of client.watch<ApiObject>(configMaps, options)) events.push(each);
    return { events, error: undefined };
  } catch (error) {
    return { events, error };
  }
}

test.each<[string, Answer, object | undefined]>([
  ["its end", (response) => void response.end(), undefined],
  [
    "an ERROR of 410",
    (response) => void response.end(event("ERROR", { kind: "Status", code: 410, message: "old" })),
    { code: "version-expired" },
  ],
  [
    "another ERROR",
    (response) => void response.end(event("ERROR", { kind: "Status", code: 500 })),
    { code: "upstream-failed" },
  ],
  ["half an event", (response) => void response.end('{"type":"ADD'), { code: "upstream-unreachable" }],
  ["a connection that is cut", (response) => void response.destroy(), { code: "upstream-unreachable" }],
  ["what is no event", (response) => void response.write("x\n"), { code: "upstream-failed" }],
  [
    "an event of no object",
    (response) => void response.write(event("ADDED", {})),
    { code: "upstream-failed" },
  ],
  [
    "an unknown event",
    (response) => void response.write(event("MOVED", object)),
    { code: "upstream-failed" },
  ],
  [
    "an event that is too long",
    (response) => void response.write("x".repeat(2_000)),
    { code: "limit-exceeded" },
  ],
  ["silence", () => undefined, { code: "timeout" }],
])("a watch tells all until %s", async (_name, end, expected) => {
  const { client, received } = await connect(
    [
      (response, request) => {
        const [first, second] = [event("ADDED", object).slice(0, 20), event("ADDED", object).slice(20)];
        response.write(first);
        setTimeout(() => response.write(second + bookmark, () => end(response, request)), 20);
      },
    ],
    { maxEventBytes: 1_000 },
  );
  const { events, error } = await watchAll(client, 250);
  expect(events).toEqual([
    { type: "ADDED", object },
    { type: "BOOKMARK", resourceVersion: "8" },
  ]);
  if (expected === undefined) expect(error).toBeUndefined();
  else expect(error).toMatchObject({ name: "FairleadError", ...expected });
  expect(received[0]?.url).toBe(
    "/base/api/v1/namespaces/a/configmaps?resourceVersion=5&timeoutSeconds=9&watch=true&allowWatchBookmarks=true",
  );
});

test("a watch with little to tell goes on", async () => {
  const { client } = await connect([
    (response) => {
      let count = 0;
      const timer = setInterval(() => {
        count += 1;
        if (count <= 4) response.write(bookmark);
        else {
          clearInterval(timer);
          response.end();
        }
      }, 120);
    },
  ]);
  const { events, error } = await watchAll(client, 400);
  expect(error).toBeUndefined();
  expect(events).toHaveLength(4);
});

test("a watch ends with its signal, and its request with it", async () => {
  const ended = Promise.withResolvers<void>();
  const { client } = await connect([
    (response) => {
      response.write(bookmark);
      response.once("close", () => ended.resolve());
    },
  ]);
  const controller = new AbortController();
  const options = { resourceVersion: "5", timeoutSeconds: 9, idleMs: 5_000, signal: controller.signal };
  const watch = async (): Promise<void> => {
    for await (const { type } of client.watch(configMaps, options)) {
      if (type === "BOOKMARK") controller.abort();
    }
  };
  await expect(watch()).rejects.toMatchObject({ code: "aborted" });
  await ended.promise;
});

test("a client that is closed ends what is still connecting", async () => {
  const silent = createServer();
  onTestFinished(() => void silent.close());
  await once(silent.listen(0, "127.0.0.1"), "listening");
  const { port } = silent.address() as AddressInfo;
  const { client } = await clientOf({ server: `https://127.0.0.1:${port}` }, {});
  const connected = once(silent, "connection") as Promise<[Socket]>;
  const listing = expect(client.list(configMaps)).rejects.toBeInstanceOf(FairleadError);
  const [socket] = await connected;
  const closed = once(socket.resume(), "close", { signal: AbortSignal.timeout(5_000) });
  await client.close();
  await closed;
  await listing;
});
