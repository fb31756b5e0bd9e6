import { writeFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startHttpServer, type TestServer } from "../../../test/support/http-server.ts";
import { createTempDir, type TempDir } from "../../../test/support/temp-dir.ts";
import type { Clock } from "../../core/clock.ts";
import { createLogger } from "../../core/log.ts";
import { ApiClient } from "../api/api-client.ts";
import type { ApiObject, ResourceType } from "../api/api-object.ts";
import { openClusterAccess } from "../api/cluster-access.ts";
import { Informer, type InformerOptions, withoutManagedFields } from "./informer.ts";

const configMaps: ResourceType = { group: "", version: "v1", resource: "configmaps", namespaced: true };
const log = createLogger({ level: "error", format: "text", write: () => undefined });

/** `name:version`, or `name:version:uid`, all in one namespace. */
function objectOf(text: string): ApiObject {
  const [name = "", resourceVersion = "", uid = name] = text.split(":");
  return { kind: "ConfigMap", apiVersion: "v1", metadata: { namespace: "a", name, uid, resourceVersion } };
}

function textOf({ metadata: { name, resourceVersion } }: ApiObject): string {
  return `${name}:${resourceVersion}`;
}

/** How the stand-in answers one request. */
type Step = (response: ServerResponse, time: { nowMs: number }) => void;

const list =
  (version: string, objects: string, next?: string): Step =>
  (response) =>
    void response.end(
      JSON.stringify({
        kind: "ConfigMapList",
        apiVersion: "v1",
        metadata: { resourceVersion: version, continue: next },
        items: objects === "" ? [] : objects.split(" ").map(objectOf),
      }),
    );

const refuse =
  (status: number, headers: Readonly<Record<string, string>> = {}): Step =>
  (response) =>
    void response
      .writeHead(status, headers)
      .end(JSON.stringify({ kind: "Status", reason: "Test", message: "test" }));

const hanging: Step = () => undefined;

type End = "stays" | "ends" | "ends after long" | "is cut" | { readonly rest: string };

const types: Readonly<Record<string, string>> = { "+": "ADDED", "~": "MODIFIED", "-": "DELETED" };

/** Events such as `+one:3 ~one:4 -one:5 =6`, the last a bookmark, and how the watch goes on after them. */
const watch =
  (events: string, end: End = "stays"): Step =>
  (response, time) => {
    const lines = events.split(" ").map((text) => {
      const rest = text.slice(1);
      return text.startsWith("=")
        ? { type: "BOOKMARK", object: { metadata: { resourceVersion: rest } } }
        : { type: types[text.slice(0, 1)], object: objectOf(rest) };
    });
    if (events === "") response.flushHeaders();
    else response.write(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    // What was written is read before the connection is cut.
    setTimeout(() => {
      if (end === "ends after long") time.nowMs += 60_000;
      if (end === "is cut") response.destroy();
      else if (typeof end === "object") response.end(end.rest);
      else if (end !== "stays") response.end();
    }, 30);
  };

const expired = `${JSON.stringify({ type: "ERROR", object: { kind: "Status", code: 410, reason: "Expired" } })}\n`;
const broken = `${JSON.stringify({ type: "ERROR", object: { kind: "Status", code: 500 } })}\n`;

describe("an informer", () => {
  const time = { nowMs: 0 };
  const waits: number[] = [];
  const requests: string[] = [];
  const told: string[] = [];
  let steps: readonly Step[] = [];
  let server: TestServer;
  let folder: TempDir;
  let client: ApiClient;
  let informer: Informer<ApiObject> | undefined;

  /** Waits take no time, and are written down. */
  const clock: Clock = {
    nowMs: () => time.nowMs,
    after: (delayMs, callback) => {
      waits.push(delayMs);
      const immediate = setImmediate(callback);
      return () => clearImmediate(immediate);
    },
  };

  beforeEach(async () => {
    time.nowMs = 0;
    for (const recorded of [waits, requests, told]) recorded.length = 0;
    server = await startHttpServer((request, response) => {
      const query = new URL(request.url ?? "", "http://x").searchParams;
      const step = steps[requests.length];
      const page = query.get("continue");
      requests.push(
        query.has("watch")
          ? `watch ${query.get("resourceVersion")}`
          : `list ${query.get("limit") ?? "all"}${page === null ? "" : ` ${page}`}`,
      );
      step?.(response, time);
    });
    folder = await createTempDir("informer");
    const kubeconfig = path.join(folder.path, "config");
    const config = {
      clusters: [{ name: "c", cluster: { server: server.url, "insecure-skip-tls-verify": true } }],
      users: [{ name: "u", user: {} }],
      contexts: [{ name: "x", context: { cluster: "c", user: "u" } }],
      "current-context": "x",
    };
    await writeFile(kubeconfig, JSON.stringify(config));
    client = new ApiClient(await openClusterAccess({ kubeconfig }), { maxResponseBytes: 2_000 });
  });

  afterEach(async () => {
    await informer?.stop();
    await client.close();
    await server.stop();
    await folder.remove();
  });

  const start = (
    script: readonly Step[],
    options: Partial<InformerOptions<ApiObject>> = {},
  ): Informer<ApiObject> => {
    steps = script;
    informer = new Informer<ApiObject>({
      client,
      type: configMaps,
      log,
      clock,
      random: () => 0,
      pageSize: 8,
      ...options,
    });
    informer.subscribe({
      added: (object) => void told.push(`+${textOf(object)}`),
      updated: (object, old) => void told.push(`~${textOf(old)}>${textOf(object)}`),
      deleted: (object) => void told.push(`-${textOf(object)}`),
    });
    informer.start();
    return informer;
  };

  const silent = { idleMs: 150 };
  const busy = { "retry-after": "2" };

  test.each<
    [string, readonly Step[], { requests: string; told: string; waits?: readonly number[]; options?: object }]
  >([
    [
      "lists in pages, and watches from there",
      [list("5", "one:1 two:2", "p2"), list("5", "three:3"), watch("+four:6 ~one:7 -two:8")],
      { requests: "list 8, list 8 p2, watch 5", told: "+one:1 +two:2 +three:3 +four:6 ~one:1>one:7 -two:8" },
    ],
    [
      "goes on where the server ended a watch",
      [list("5", "one:1"), watch("~one:6", "ends after long"), watch("~one:7")],
      { requests: "list 8, watch 5, watch 6", told: "+one:1 ~one:1>one:6 ~one:6>one:7" },
    ],
    [
      "goes on from a bookmark, where there is nothing else",
      [
        list("5", "one:1"),
        watch("=90", "ends after long"),
        watch("=95", "ends after long"),
        watch("~one:96"),
      ],
      { requests: "list 8, watch 5, watch 90, watch 95", told: "+one:1 ~one:1>one:96" },
    ],
    [
      "goes on after a cut",
      [list("5", "one:1"), watch("+two:6 =7", "is cut"), watch("-one:8")],
      { requests: "list 8, watch 5, watch 7", told: "+one:1 +two:6 -one:8", waits: [800] },
    ],
    [
      "takes no half event for one",
      [list("5", ""), watch("+one:6", { rest: '{"type":"ADDED","obj' }), watch("+two:7")],
      { requests: "list 8, watch 5, watch 6", told: "+one:6 +two:7", waits: [800] },
    ],
    [
      "lists again when the version is too old, and finds what was deleted and made anew",
      [list("5", "one:1 two:2 three:3"), refuse(410), list("9", "one:1 three:8:other four:9"), watch("")],
      {
        requests: "list 8, watch 5, list 8, watch 9",
        told: "+one:1 +two:2 +three:3 -two:2 -three:3 +three:8 +four:9",
        waits: [800],
      },
    ],
    [
      "lists again when the version gets too old in the middle",
      [list("5", "one:1"), watch("~one:6", { rest: expired }), list("9", ""), watch("")],
      { requests: "list 8, watch 5, list 8, watch 9", told: "+one:1 ~one:1>one:6 -one:6", waits: [800] },
    ],
    [
      "lists again after an error in the stream",
      [list("5", "one:1"), watch("", { rest: broken }), list("9", "one:8"), watch("")],
      { requests: "list 8, watch 5, list 8, watch 9", told: "+one:1 ~one:1>one:8", waits: [800] },
    ],
    [
      "lists again after what it cannot read",
      [list("5", "one:1"), watch("~one:6", { rest: "{}\n" }), list("9", "one:8"), watch("")],
      {
        requests: "list 8, watch 5, list 8, watch 9",
        told: "+one:1 ~one:1>one:6 ~one:6>one:8",
        waits: [800],
      },
    ],
    [
      "lists again after silence",
      [list("5", "one:1"), watch("=6"), list("9", "two:9"), watch("=10 +three:11")],
      {
        requests: "list 8, watch 5, list 8, watch 9",
        told: "+one:1 -one:1 +two:9 +three:11",
        waits: [800],
        options: silent,
      },
    ],
    [
      "waits longer with each failure, and starts anew after an event",
      [
        refuse(500),
        refuse(500),
        list("5", "one:1"),
        refuse(500),
        list("5", "one:1"),
        watch("=6", "is cut"),
        watch(""),
      ],
      {
        requests: "list 8, list 8, list 8, watch 5, list 8, watch 5, watch 6",
        told: "+one:1",
        waits: [800, 1_600, 3_200, 800],
      },
    ],
    [
      "waits for a busy server as it asks, and in the end lists",
      [list("5", ""), refuse(503, busy), refuse(503, busy), refuse(503, busy), list("6", "one:6"), watch("")],
      {
        requests: "list 8, watch 5, watch 5, watch 5, list 8, watch 6",
        told: "+one:6",
        waits: [2_000, 2_000, 3_200],
      },
    ],
    [
      "does not ask again at once for a watch that ends at once",
      [list("5", ""), watch("", "ends"), watch("", "ends"), watch("+one:6", "ends"), watch("+two:7")],
      {
        requests: "list 8, watch 5, watch 5, watch 5, watch 6",
        told: "+one:6 +two:7",
        waits: [800, 1_600, 800],
      },
    ],
    [
      "tells nothing twice",
      [list("5", "one:1"), watch("+one:1 ~one:6 ~one:6 -one:7 -one:7", "is cut"), watch("-one:7 +two:8")],
      { requests: "list 8, watch 5, watch 7", told: "+one:1 ~one:1>one:6 -one:7 +two:8", waits: [800] },
    ],
    [
      "takes all on one page when the pages are gone",
      [list("5", "one:1", "p2"), refuse(410), list("9", "two:2"), watch("")],
      { requests: "list 8, list 8 p2, list all, watch 9", told: "+two:2" },
    ],
    [
      "takes smaller pages when one is too large",
      [(response) => void response.end("x".repeat(3_000)), list("9", "two:2"), watch("")],
      { requests: "list 8, list 4, watch 9", told: "+two:2", waits: [800] },
    ],
    [
      "lists again when it may no longer watch",
      [list("5", ""), refuse(403), list("6", ""), watch("+one:7")],
      { requests: "list 8, watch 5, list 8, watch 6", told: "+one:7", waits: [800] },
    ],
  ])("%s", async (_name, script, expected) => {
    const { store } = start(script, expected.options);
    await expect.poll(() => told.join(" ")).toBe(expected.told);
    await expect.poll(() => requests.join(", ")).toBe(expected.requests);
    expect(waits).toEqual(expected.waits ?? []);
    const kept = new Set<string>();
    for (const text of told) {
      const [name = ""] = text.slice(1).split(":");
      if (text.startsWith("-")) kept.delete(name);
      else kept.add(name);
    }
    expect(new Set(store.list().map(({ metadata }) => metadata.name))).toEqual(kept);
  });

  test("tells when it has all, its hooks what it does, and a late handler what is there", async () => {
    const hooked: string[] = [];
    const started = start(
      [refuse(500), list("5", "one:1 two:2", "p2"), list("5", "three:3"), watch("+four:6")],
      {
        hooks: {
          listed: (objects) => hooked.push(`listed ${objects}`),
          watched: () => hooked.push("watched"),
          failed: ({ code }) => hooked.push(code),
        },
      },
    );
    expect(started.hasSynced).toBe(false);
    await started.synced;
    expect(started.hasSynced).toBe(true);
    expect(told).toEqual(["+one:1", "+two:2", "+three:3"]);
    const late: string[] = [];
    const unsubscribe = started.subscribe({ added: (object) => void late.push(textOf(object)) });
    await expect.poll(() => late).toEqual(["one:1", "two:2", "three:3", "four:6"]);
    unsubscribe();
    expect(hooked).toEqual(["upstream-failed", "listed 3", "watched"]);
  });

  test.each<[string, readonly Step[], readonly string[]]>([
    [
      "one cause, which ends",
      [refuse(500), refuse(500), refuse(500), list("5", "one:1"), watch("")],
      ["warn: an informer begins again upstream-failed", "info: an informer is well again"],
    ],
    [
      "one cause after the other",
      [refuse(500), refuse(404), refuse(500), refuse(404), list("5", "one:1"), watch("")],
      [
        "warn: an informer begins again upstream-failed",
        "warn: an informer begins again object-missing",
        "info: an informer is well again",
      ],
    ],
    [
      "a cause that comes back",
      [refuse(500), list("5", "one:1"), refuse(500), list("5", "one:1"), watch("=6", "is cut"), watch("=7")],
      [
        "warn: an informer begins again upstream-failed",
        "info: an informer is well again",
        "warn: an informer begins again upstream-failed",
        "info: an informer is well again",
        "warn: an informer begins again upstream-unreachable",
        "info: an informer is well again",
      ],
    ],
    [
      "watches that are denied, although lists are not",
      [
        list("5", ""),
        refuse(403),
        list("6", ""),
        refuse(403),
        refuse(403),
        list("7", ""),
        refuse(403),
        list("8", "one:7"),
        watch("=9"),
      ],
      [
        "warn: an informer begins again access-denied",
        "warn: an informer begins again access-denied",
        "info: an informer is well again",
      ],
    ],
    [
      "versions that expire",
      [list("5", ""), refuse(410), list("9", "one:8"), watch("")],
      ["info: an informer begins again version-expired"],
    ],
  ])("tells of failures without noise: %s", async (_name, script, expected) => {
    const lines: string[] = [];
    const write = (line: string): void => {
      const [message = "", fields = ""] = line.split(" resource=configmaps");
      lines.push([message, ...(/(?<=code=)\S+/u.exec(fields) ?? [])].join(" "));
    };
    start(script, { log: createLogger({ level: "info", format: "text", write }) });
    await expect.poll(() => requests.length).toBe(script.length);
    await expect.poll(() => lines).toEqual(expected);
  });

  test("a handler that fails ends nothing", async () => {
    const started = start([list("5", "one:1"), watch("+two:6")]);
    started.subscribe({
      added: () => {
        throw new Error("test");
      },
    });
    await expect.poll(() => told).toEqual(["+one:1", "+two:6"]);
  });

  test("finds by namespace and by indexes, and keeps what the transformation leaves", async () => {
    const { store } = start([list("5", "one:1 two:2"), watch("~one:6 -two:7")], {
      transform: withoutManagedFields,
      indexes: { version: ({ metadata }) => [metadata.resourceVersion] },
    });
    await expect.poll(() => told.length).toBe(4);
    expect(store.byIndex("version", "1")).toEqual([]);
    expect(store.byIndex("version", "6")).toEqual([objectOf("one:6")]);
    expect(store.list("a")).toEqual([objectOf("one:6")]);
    expect(store.list("b")).toEqual([]);
    expect(store.get("a", "one")).toEqual(objectOf("one:6"));
    expect(store.get("a", "two")).toBeUndefined();
    expect(store.size).toBe(1);
    expect(() => store.byIndex("none", "x")).toThrow(RangeError);
    const written = {
      ...objectOf("one:6"),
      metadata: { ...objectOf("one:6").metadata, managedFields: [{}] },
    };
    expect(withoutManagedFields(written)).toEqual(objectOf("one:6"));
  });

  test("stops at once, whatever it does", async () => {
    for (const script of [[hanging], [list("5", ""), hanging], [list("5", ""), watch("=6")]]) {
      requests.length = 0;
      const started = start(script);
      await expect.poll(() => requests.length).toBe(script.length);
      await started.stop();
    }
    const waiting = start([], { clock: { nowMs: () => 0, after: () => () => undefined }, client: failing });
    await expect.poll(() => failing.calls).toBe(1);
    await waiting.stop();
  });
});

const failing = {
  calls: 0,
  list: async (): Promise<never> => {
    failing.calls += 1;
    return Promise.reject(new Error("test"));
  },
  watch: (): never => {
    throw new Error("test");
  },
};
