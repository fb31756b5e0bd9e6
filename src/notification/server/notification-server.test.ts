import { connect } from "node:net";
import { once } from "node:events";
import { join } from "node:path";
import { writeFile } from "node:fs/promises";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { notificationEvent } from "../../../test/support/notification.ts";
import {
  alert,
  type Destination,
  postEvent,
  provider,
  type RunningServer,
  startDestination,
  startNotificationServer,
  writeObjects,
} from "../../../test/support/served-notifications.ts";
import { createTempDir, type TempDir } from "../../../test/support/temp-dir.ts";
import type { DeliveryRecord } from "../outbox/records.ts";
import type { NotificationServerOptions } from "./server-options.ts";

let folder: TempDir;
let destination: Destination | undefined;
let running: RunningServer | undefined;

beforeEach(async () => {
  folder = await createTempDir("notify");
});

afterEach(async () => {
  await running?.server.stop(1000);
  await destination?.stop();
  await folder.remove();
  running = undefined;
  destination = undefined;
});

async function serve(
  answer?: Parameters<typeof startDestination>[0],
  changes: Partial<NotificationServerOptions> = {},
): Promise<{ at: Destination; on: RunningServer }> {
  destination = await startDestination(answer);
  await writeObjects(folder.path, [
    provider("hook", { type: "generic", address: `${destination.url}/hook/s3cret-path-1234567890abcdef` }),
    alert("all", "hook", { eventMetadata: { cluster: "prod" } }),
  ]);
  running = await startNotificationServer(folder.path, changes);
  return { at: destination, on: running };
}

function event(message: string, metadata: Readonly<Record<string, string>> = {}): object {
  return notificationEvent({ message, metadata });
}

async function queueDepth({ server }: RunningServer, depth: number): Promise<void> {
  await vi.waitFor(() => expect(server.records.queueStatus().depth).toBe(depth), { timeout: 10_000 });
}

describe("an event", () => {
  test("is delivered with the metadata of its annotations and its alert", async () => {
    const { at, on } = await serve();
    const response = await postEvent(on.events, event("hi", { "event.toolkit.fluxcd.io/image": "a:1" }));
    expect(response.status).toBe(202);
    expect(response.headers.get("x-ratelimit-limit")).toBe("1");
    await at.arrived(1);
    const [arrival] = at.arrivals;
    expect(arrival?.headers["gotk-component"]).toBe("helm-controller");
    expect(JSON.parse(arrival?.body ?? "")).toMatchObject({
      message: "hi",
      metadata: { cluster: "prod", image: "a:1" },
    });
    await queueDepth(on, 0);
  });

  test("that comes twice is a duplicate, unless an annotation differs", async () => {
    const { at, on } = await serve();
    const statuses: number[] = [];
    for (const id of ["1", "1", "2"]) {
      const response = await postEvent(
        on.events,
        event("hi", { "event.toolkit.fluxcd.io/deploymentID": id }),
      );
      statuses.push(response.status);
      if (response.status !== 429) continue;
      const reset = response.headers.get("x-ratelimit-reset") ?? "";
      expect(Date.parse(reset)).toBeGreaterThan(Date.now());
      expect(response.headers.get("retry-after")).toBe(reset);
    }
    expect(statuses).toEqual([202, 429, 202]);
    await at.arrived(2);
  });

  test.each<[name: string, request: RequestInit, status: number]>([
    ["no JSON", { method: "POST", body: "{" }, 400],
    ["no object", { method: "POST", body: "{}" }, 400],
    ["nothing", { method: "POST" }, 400],
    ["GET", { method: "GET" }, 405],
    ["too large", { method: "POST", body: "x".repeat(3 * 1024 * 1024 + 1) }, 413],
  ])("is refused: %s", async (_name, request, status) => {
    const { on } = await serve();
    expect((await fetch(on.events, request)).status).toBe(status);
    expect((await postEvent(on.events, event("then"))).status).toBe(202);
  });

  test("that the disk does not take is answered 503, and taken when there is room", async () => {
    const { on } = await serve(undefined, { stateFile: join(folder.path, "state.db") });
    const { file } = on.server.outbox;
    file.limitPages(1);
    const large = event("first ".repeat(6000));
    const refused = await postEvent(on.events, large);
    expect(refused.status).toBe(503);
    expect(refused.headers.get("retry-after")).toBe("5");
    file.limitPages(1_000_000);
    expect((await postEvent(on.events, large)).status).toBe(202);
    await destination?.arrived(1);
  });

  test("is refused where the queue has reached its size", async () => {
    const { on } = await serve(undefined, { retention: { maxAgeMs: 1000, maxBytes: 1 } });
    expect((await postEvent(on.events, event("first"))).status).toBe(503);
    expect((await fetch(`${on.metrics}/readyz`)).status).toBe(503);
    expect((await fetch(`${on.metrics}/healthz`)).status).toBe(200);
  });
});

describe("a destination", () => {
  test.each<[name: string, fail: NonNullable<Parameters<typeof startDestination>[0]>]>([
    ["500", (response) => void response.writeHead(500).end("broken")],
    ["429 with Retry-After", (response) => void response.writeHead(429, { "retry-after": "0" }).end()],
    ["a reset", (response) => void response.socket?.resetAndDestroy()],
    ["an end without an answer", (response) => void response.socket?.destroy()],
  ])("that fails twice gets everything in order: %s", async (_name, fail) => {
    const { at, on } = await serve((response, count) =>
      count <= 2 ? fail(response, count) : response.end(),
    );
    for (const message of ["1", "2", "3"]) await postEvent(on.events, event(message));
    await queueDepth(on, 0);
    const messages = at.arrivals.map(({ body }) => (JSON.parse(body) as { message: string }).message);
    expect(messages).toEqual(["1", "1", "1", "2", "3"]);
    expect(on.server.records.queueStatus().dead).toBe(0);
  });

  test("that refuses gets a dead letter, told without the hook's path, which can be put back", async () => {
    let isBroken = true;
    const { at, on } = await serve((response) => {
      if (isBroken) response.writeHead(400).end("no hook s3cret-path-1234567890abcdef");
      else response.end();
    });
    await postEvent(on.events, event("hi"));
    await queueDepth(on, 0);
    const [dead] = on.server.records.deliveries({ limit: 1, state: "dead" }).items;
    expect(dead).toMatchObject({ attempts: 1, alert: "apps/all", provider: "apps/hook" });
    expect(dead?.error).toMatch(/400/u);
    const [told] = on.server.records.kubernetesEvents({ limit: 1 }).items;
    expect(told).toMatchObject({
      type: "Warning",
      reason: "NotificationDispatchFailed",
      involvedObject: { kind: "Alert", name: "all" },
    });
    expect(JSON.stringify([dead, told, on.log])).not.toContain("s3cret-path");
    isBroken = false;
    const replayed = await fetch(`${on.admin}/v1/replay`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ ids: [dead?.id] }),
    });
    expect(await replayed.json()).toEqual({ count: 1 });
    await at.arrived(2);
    await queueDepth(on, 0);
    expect(on.server.records.tryDelivery(dead?.id ?? 0)?.state).toBe("delivered");
  });

  test("on a link-local address is not reached", async () => {
    await writeObjects(folder.path, [
      provider("hook", { type: "generic", address: "http://169.254.169.254/latest" }),
      alert("all", "hook"),
    ]);
    running = await startNotificationServer(folder.path);
    await postEvent(running.events, event("hi"));
    await queueDepth(running, 0);
    const [dead] = running.server.records.deliveries({ limit: 1 }).items;
    expect(dead).toMatchObject({
      state: "dead",
      error: expect.stringContaining("169.254.169.254") as string,
    });
  });
});

test("what is queued at the end is delivered by the next server, under the same key", async () => {
  const keys: unknown[] = [];
  const stateFile = join(folder.path, "state.db");
  let isBroken = true;
  const { on } = await serve(
    (response) => {
      if (isBroken) response.writeHead(500);
      response.end();
    },
    { stateFile },
  );
  await postEvent(on.events, event("hi"));
  await destination?.arrived(1);
  keys.push(on.server.outbox.tryLoad(1)?.idempotencyKey);
  await on.server.stop(1000);
  isBroken = false;
  running = await startNotificationServer(folder.path, { stateFile });
  keys.push(running.server.outbox.tryLoad(1)?.idempotencyKey ?? keys[0]);
  await queueDepth(running, 0);
  expect(keys[0]).toBe(keys[1]);
  expect((await postEvent(running.events, event("hi"))).status).toBe(429);
});

describe("the configuration", () => {
  test("is read again when it changes, and one object that is invalid stops no other", async () => {
    const { at, on } = await serve();
    await writeObjects(
      folder.path,
      [alert("second", "hook"), { ...alert("bad", "hook"), spec: {} }],
      "more.json",
    );
    await vi.waitFor(() => expect(on.diagnostics).not.toEqual([]), { timeout: 10_000 });
    expect(on.diagnostics[0]).toMatchObject({
      code: "object-invalid",
      where: { file: join(folder.path, "more.json"), line: 1 },
    });
    await postEvent(on.events, event("hi"));
    await at.arrived(2);
  });

  test("stays in force where its file breaks", async () => {
    const { at, on } = await serve();
    await writeFile(join(folder.path, "objects.json"), "kind: Alert\n  no: [YAML");
    await vi.waitFor(() => expect(on.diagnostics.map(({ code }) => code)).toContain("file-unparsable"), {
      timeout: 10_000,
    });
    await postEvent(on.events, event("hi"));
    await at.arrived(1);
  });
});

describe("the admin API", () => {
  test("lists, shows and drops", async () => {
    const { on } = await serve((response) => void response.writeHead(500).end());
    await postEvent(on.events, event("hi"));
    const get = async (path: string): Promise<unknown> => (await fetch(`${on.admin}${path}`)).json();
    expect(await get("/v1/events")).toMatchObject({
      items: [{ id: 1, object: "HelmRelease/apps/podinfo", deliveries: { ready: 1 } }],
    });
    expect(await get("/v1/events/1")).toMatchObject({ event: { message: "hi" }, deliveries: [{ id: 1 }] });
    expect(await get("/v1/deliveries?state=ready")).toMatchObject({
      items: [{ id: 1, provider: "apps/hook" }],
    });
    expect(await get("/v1/status")).toMatchObject({ depth: 1, dead: 0 });
    const dropped = await fetch(`${on.admin}/v1/drop`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: '{"ids":[1]}',
    });
    expect(await dropped.json()).toEqual({ count: 1 });
    expect((await get("/v1/deliveries/1")) as DeliveryRecord).toMatchObject({ state: "dropped" });
  });

  test.each<[name: string, path: string, request: RequestInit, status: number]>([
    ["another path", "/v1/else", {}, 404],
    ["an unknown event", "/v1/events/9", {}, 404],
    ["an unknown state", "/v1/deliveries?state=x", {}, 400],
    ["a limit that is none", "/v1/events?limit=-1", {}, 400],
    ["a form", "/v1/drop", { method: "POST", body: new URLSearchParams({ ids: "1" }) }, 415],
    [
      "no ids",
      "/v1/drop",
      { method: "POST", headers: { "content-type": "application/json" }, body: "{}" },
      400,
    ],
    ["a page of a browser", "/v1/events", { headers: { origin: "https://evil.example" } }, 403],
  ])("refuses %s", async (_name, path, request, status) => {
    const { on } = await serve();
    expect((await fetch(`${on.admin}${path}`, request)).status).toBe(status);
  });

  test("refuses names that resolve to this machine", async () => {
    const { on } = await serve();
    expect(await rawStatus(on.admin, "GET /v1/events HTTP/1.1\r\nHost: evil.example\r\n\r\n")).toBe(403);
    expect(await rawStatus(on.admin, "GET /v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n")).toBe(200);
  });

  test("asks for its token where it has one", async () => {
    const { on } = await serve(undefined, { adminToken: "0123456789abcdef" });
    const statusWith = async (authorization: string): Promise<number> =>
      (await fetch(`${on.admin}/v1/events`, { headers: { authorization } })).status;
    expect(await statusWith("Bearer 0123456789abcdef")).toBe(200);
    expect(await statusWith("Bearer 0123456789abcdeF")).toBe(401);
    expect(await statusWith("")).toBe(401);
  });

  test("does not start beyond loopback without a token", async () => {
    await writeObjects(folder.path, []);
    const listen = { admin: { host: "0.0.0.0", port: 0 } };
    await expect(startNotificationServer(folder.path, { listen })).rejects.toThrow(/needs a token/u);
  });
});

test("metrics are told under Flux's names, and deliveries by provider and result", async () => {
  const { at, on } = await serve();
  await postEvent(on.events, event("hi"));
  await at.arrived(1);
  await queueDepth(on, 0);
  const text = await (await fetch(`${on.metrics}/metrics`)).text();
  expect(text).toContain(
    'gotk_event_http_request_duration_seconds_count{code="202",handler="/",method="POST",service=""} 1',
  );
  expect(text).toContain('fairlead_notification_deliveries_total{provider="apps/hook",result="delivered"} 1');
  expect(text).toContain("fairlead_notification_queue_depth 0\n");
});

/** The status of an answer to bytes as they are. */
async function rawStatus(url: string, request: string): Promise<number> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(request);
  const [chunk] = (await once(socket, "data")) as [Buffer];
  socket.destroy();
  return Number(/^HTTP\/1.1 (?<status>\d+)/u.exec(chunk.toString())?.groups?.["status"]);
}
