import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Patch } from "../../src/cluster/api/api-client.ts";
import type { ApiObject, ResourceType, WatchEvent } from "../../src/cluster/api/api-object.ts";
import type { ObjectApi } from "../../src/cluster/api/object-api.ts";
import { Informer, type InformerOptions, withoutManagedFields } from "../../src/cluster/informer/informer.ts";
import { createLogger } from "../../src/core/log.ts";
import { invalidLabelSelectors, validLabelSelectors } from "./label-selectors.ts";
import { createRandom } from "./random.ts";

/** Objects of this kind are what the contract is about: with a status of its own, and any fields in both. */
export const widgets: ResourceType = {
  group: "contract.fairlead.example",
  version: "v1",
  resource: "widgets",
  namespaced: true,
};

/** A manifest as a user writes it. */
export interface Widget {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly namespace: string;
    readonly name: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec: Readonly<Record<string, unknown>>;
}

/** A place where objects live, for one run of the contract. */
export interface ObjectApiHost {
  /** After a restart another one. */
  readonly api: ObjectApi;
  /** Makes objects be as these manifests say, and gives when they are. */
  apply(...manifests: readonly Widget[]): Promise<void>;
  /** Takes manifests back, as who owns them does, and gives when their objects are gone or marked. */
  remove(...manifests: readonly Widget[]): Promise<void>;
  restart(): Promise<void>;
  stop(): Promise<void>;
}

interface WidgetObject extends ApiObject {
  readonly spec: Readonly<Record<string, unknown>>;
  readonly status?: Readonly<Record<string, unknown>>;
}

const log = createLogger({ level: "error", format: "text", write: () => undefined });
const waitMs = { timeout: 20_000, interval: 10 };

/** What one row of the contract has: a namespace of its own. */
class Row {
  readonly host: ObjectApiHost;
  readonly namespace: string;
  readonly #ending = new AbortController();

  constructor(host: ObjectApiHost, namespace: string) {
    this.host = host;
    this.namespace = namespace;
  }

  get api(): ObjectApi {
    return this.host.api;
  }

  name(name: string): { readonly namespace: string; readonly name: string } {
    return { namespace: this.namespace, name };
  }

  widget(
    name: string,
    spec: Widget["spec"] = {},
    metadata: Pick<Widget["metadata"], "labels" | "annotations"> = {},
  ): Widget {
    return {
      apiVersion: "contract.fairlead.example/v1",
      kind: "Widget",
      metadata: { ...this.name(name), ...metadata },
      spec,
    };
  }

  /** Applies a widget and gives it as it is served. */
  async make(...widget: Parameters<Row["widget"]>): Promise<WidgetObject> {
    await this.host.apply(this.widget(...widget));
    return this.get(widget[0]);
  }

  async get(name: string): Promise<WidgetObject> {
    return withoutManagedFields(await this.api.get<WidgetObject>(widgets, this.name(name)));
  }

  async patch(name: string, body: object, type: "merge" | "json" = "merge"): Promise<WidgetObject> {
    const patch = { type, body } as Patch;
    return withoutManagedFields(await this.api.patch<WidgetObject>(widgets, this.name(name), patch));
  }

  async patchStatus(name: string, body: object, type: "merge" | "json" = "merge"): Promise<WidgetObject> {
    const patch = { type, body } as Patch;
    return withoutManagedFields(await this.api.patchStatus<WidgetObject>(widgets, this.name(name), patch));
  }

  async delete(name: string): Promise<void> {
    await this.api.delete(widgets, this.name(name));
  }

  async names(options: { labelSelector?: string; fieldSelector?: string } = {}): Promise<readonly string[]> {
    const { items } = await this.api.list(widgets, { namespace: this.namespace, ...options });
    return items.map(({ metadata }) => metadata.name);
  }

  async version(): Promise<string> {
    return (await this.api.list(widgets, { namespace: this.namespace })).resourceVersion;
  }

  /** The events of a watch from now on, as they come. */
  async watch(options: { labelSelector?: string; fieldSelector?: string } = {}): Promise<Watched> {
    return this.watchFrom(await this.version(), options);
  }

  watchFrom(
    resourceVersion: string,
    options: { labelSelector?: string; fieldSelector?: string } = {},
  ): Watched {
    const { signal } = this.#ending;
    const { namespace } = this;
    const events: WatchEvent<WidgetObject>[] = [];
    const watch = this.api.watch<WidgetObject>(widgets, {
      namespace,
      resourceVersion,
      timeoutSeconds: 60,
      idleMs: 60_000,
      signal,
      ...options,
    });
    const follow = async (): Promise<void> => {
      for await (const event of watch) events.push(event);
    };
    follow().catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
    return {
      events,
      told: () =>
        events.flatMap((event) =>
          event.type === "BOOKMARK" ? [] : [`${event.type} ${event.object.metadata.name}`],
        ),
    };
  }

  end(): void {
    this.#ending.abort();
  }
}

interface Watched {
  readonly events: readonly WatchEvent<WidgetObject>[];
  /** Such as `ADDED one`, without bookmarks. */
  readonly told: () => readonly string[];
}

const finalizer = "contract.fairlead.example/finalizer";
const missing = { code: "object-missing" };
const conflict = { code: "object-conflict", retryable: true };
const invalid = { code: "object-invalid" };

/** What every place does where objects live. */
const checks: Readonly<Record<string, (row: Row) => Promise<void>>> = {
  "an object has what it was given, and what the server knows of it": async (row) => {
    const made = await row.make(
      "one",
      { size: 3, list: [{ a: 1 }] },
      { labels: { a: "b" }, annotations: { c: "d" } },
    );
    expect(made).toMatchObject({
      apiVersion: "contract.fairlead.example/v1",
      kind: "Widget",
      metadata: { ...row.name("one"), labels: { a: "b" }, annotations: { c: "d" }, generation: 1 },
      spec: { size: 3, list: [{ a: 1 }] },
    });
    const { uid, resourceVersion, creationTimestamp = "", deletionTimestamp } = made.metadata;
    expect(uid).toMatch(/^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/u);
    expect(resourceVersion).toMatch(/^\d+$/u);
    expect(creationTimestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/u);
    expect(Math.abs(Date.parse(creationTimestamp) - Date.now())).toBeLessThan(60_000);
    expect(deletionTimestamp).toBeUndefined();
    expect(made.status).toBeUndefined();
  },
  "what is not there is missing, whatever is asked of it": async (row) => {
    const none = row.name("none");
    await expect(row.get("none")).rejects.toMatchObject(missing);
    await expect(row.patch("none", { metadata: { labels: { a: "b" } } })).rejects.toMatchObject(missing);
    await expect(row.patchStatus("none", { status: {} })).rejects.toMatchObject(missing);
    await expect(row.api.delete(widgets, none)).rejects.toMatchObject(missing);
    expect(await row.names()).toEqual([]);
  },
  "an object of another namespace is another one": async (row) => {
    await row.make("one");
    await expect(row.api.get(widgets, { namespace: "default", name: "one" })).rejects.toMatchObject(missing);
  },
  "what can be no name is refused": async (row) => {
    await expect(row.get("../one")).rejects.toMatchObject(invalid);
    await expect(row.api.get(widgets, { name: "one" })).rejects.toMatchObject(invalid);
  },
  "a kind that is not served is missing": async (row) => {
    const gadgets = { ...widgets, resource: "gadgets" };
    await expect(row.api.get(gadgets, row.name("one"))).rejects.toMatchObject(missing);
    await expect(row.api.list(gadgets)).rejects.toMatchObject(missing);
    await expect(row.api.list({ ...widgets, version: "v9" })).rejects.toMatchObject(missing);
  },
  "a list has the objects of its namespace by name, and of all": async (row) => {
    await row.host.apply(row.widget("two", { size: 2 }), row.widget("one", { size: 1 }));
    const own = await row.api.list<WidgetObject>(widgets, { namespace: row.namespace });
    expect(own.items.map(withoutManagedFields)).toEqual([await row.get("one"), await row.get("two")]);
    expect(own.continueToken).toBeUndefined();
    const all = await row.api.list(widgets);
    expect(all.items).toEqual(expect.arrayContaining([...own.items]));
    expect(await row.api.list(widgets, { namespace: "none" })).toMatchObject({ items: [] });
  },
  "labels are selected by equality and by sets": async (row) => {
    await row.host.apply(
      row.widget("bare"),
      row.widget("blue", {}, { labels: { color: "blue", "example.com/tier": "web" } }),
      row.widget("empty", {}, { labels: { color: "", size: "3" } }),
      row.widget("red", {}, { labels: { color: "red", size: "s" } }),
    );
    const selected: Readonly<Record<string, string>> = {
      "": "bare blue empty red",
      "color=red": "red",
      "color == red": "red",
      "color=": "empty",
      "color!=red": "bare blue empty",
      color: "blue empty red",
      "!color": "bare",
      "! color": "bare",
      "color in (red, blue)": "blue red",
      "color in (red)": "red",
      "color notin (red,blue)": "bare empty",
      "color in (red,)": "empty red",
      "example.com/tier=web": "blue",
      "color,size": "empty red",
      "color,!size , color!=": "blue",
      "color=blue,color=red": "",
      in: "",
      "size>2": "empty",
      "size > 2, size<4": "empty",
      "size<3": "",
    };
    const found: Record<string, string> = {};
    for (const labelSelector of Object.keys(selected)) {
      found[labelSelector] = (await row.names({ labelSelector })).join(" ");
    }
    expect(found).toEqual(selected);
  },
  "fields are selected by name and namespace": async (row) => {
    await row.host.apply(row.widget("one"), row.widget("two"));
    expect(await row.names({ fieldSelector: "metadata.name=two" })).toEqual(["two"]);
    expect(await row.names({ fieldSelector: "metadata.name!=two" })).toEqual(["one"]);
    const both = `metadata.name==one,metadata.namespace=${row.namespace}`;
    expect(await row.names({ fieldSelector: both })).toEqual(["one"]);
    expect(await row.names({ fieldSelector: "metadata.namespace=other" })).toEqual([]);
  },
  "a selector is taken as it may be written": async (row) => {
    await Promise.all(validLabelSelectors.map(async (labelSelector) => row.names({ labelSelector })));
  },
  "what is no selector is refused": async (row) => {
    for (const labelSelector of invalidLabelSelectors) {
      await expect(row.names({ labelSelector }), labelSelector).rejects.toMatchObject(invalid);
    }
    for (const fieldSelector of ["spec.size=3", "metadata.name"]) {
      await expect(row.names({ fieldSelector }), fieldSelector).rejects.toMatchObject(invalid);
    }
  },
  "a watch tells what happens in its order, with the objects": async (row) => {
    const { events, told } = await row.watch();
    const made = await row.make("one", { size: 1 });
    const labelled = await row.make("one", { size: 1 }, { labels: { a: "b" } });
    const withStatus = await row.patchStatus("one", { status: { seen: true } });
    await row.make("two");
    await row.host.remove(row.widget("one"));
    const all = ["ADDED one", "MODIFIED one", "MODIFIED one", "ADDED two", "DELETED one"];
    await expect.poll(told, waitMs).toEqual(all);
    const objects = events.flatMap((event) =>
      event.type === "BOOKMARK" ? [] : [withoutManagedFields(event.object)],
    );
    expect(objects.slice(0, 3)).toEqual([made, labelled, withStatus]);
    const versions = objects.map(({ metadata }) => Number(metadata.resourceVersion));
    expect(versions).toEqual([...new Set(versions)].toSorted((left, right) => left - right));
    const { metadata, ...rest } = withStatus;
    expect(objects[4]).toEqual({
      ...rest,
      metadata: { ...metadata, resourceVersion: objects[4]?.metadata.resourceVersion },
    });
  },
  "a watch begins after its version, and misses nothing of later": async (row) => {
    await row.make("before");
    const version = await row.version();
    await row.make("one");
    const made = await row.get("one");
    await row.make("two");
    await row.host.remove(row.widget("before"));
    await expect
      .poll(row.watchFrom(version).told, waitMs)
      .toEqual(["ADDED one", "ADDED two", "DELETED before"]);
    const later = row.watchFrom(made.metadata.resourceVersion);
    await expect.poll(later.told, waitMs).toEqual(["ADDED two", "DELETED before"]);
  },
  "a watch of labels tells an object that comes to match as added, and one that ceases to as deleted": async (
    row,
  ) => {
    await row.host.apply(row.widget("one", { size: 1 }), row.widget("two", {}, { labels: { shard: "a" } }));
    const watched = await row.watch({ labelSelector: "shard=a" });
    await row.patch("one", { metadata: { labels: { shard: "a" } } });
    await row.patchStatus("one", { status: { seen: true } });
    const last = await row.get("one");
    const moved = await row.patch("one", { metadata: { labels: { shard: "b" } } });
    await row.patchStatus("one", { status: { seen: false } });
    await row.patch("one", { metadata: { labels: { shard: null } } });
    await row.host.remove(row.widget("one"), row.widget("two"));
    const all = ["ADDED one", "MODIFIED one", "DELETED one", "DELETED two"];
    await expect.poll(watched.told, waitMs).toEqual(all);
    const deleted = watched.events.find(({ type }) => type === "DELETED");
    // What was seen of it last, at the version in which it went.
    expect(deleted).toMatchObject({
      object: {
        metadata: { labels: { shard: "a" }, resourceVersion: moved.metadata.resourceVersion },
        status: last.status,
      },
    });
  },
  "a watch of one name tells of no other": async (row) => {
    const { told } = await row.watch({ fieldSelector: "metadata.name=two" });
    await row.make("one");
    await row.make("two");
    await row.host.remove(row.widget("one"), row.widget("two"));
    await expect.poll(told, waitMs).toEqual(["ADDED two", "DELETED two"]);
  },
  "a watch of a namespace tells of no other": async (row) => {
    const other = new Row(row.host, `${row.namespace}-other`);
    const { told } = await row.watch();
    await other.make("one");
    await row.make("two");
    await expect.poll(told, waitMs).toEqual(["ADDED two"]);
  },
  "a watch ends after its time, and goes on from where it was": async (row) => {
    const { metadata } = await row.make("one");
    let { resourceVersion } = metadata;
    const { namespace } = row;
    const { signal } = new AbortController();
    const options = { namespace, resourceVersion, timeoutSeconds: 1, idleMs: 10_000, signal };
    const beganMs = performance.now();
    for await (const event of row.api.watch(widgets, options)) {
      expect(event.type).toBe("BOOKMARK");
      if (event.type === "BOOKMARK") ({ resourceVersion } = event);
    }
    expect(performance.now() - beganMs).toBeGreaterThan(900);
    await row.make("two");
    await expect.poll(row.watchFrom(resourceVersion).told, waitMs).toEqual(["ADDED two"]);
  },
  "a watch ends when it is not wanted any more": async (row) => {
    const version = await row.version();
    const ending = new AbortController();
    const { namespace } = row;
    const options = {
      namespace,
      resourceVersion: version,
      timeoutSeconds: 60,
      idleMs: 60_000,
      signal: ending.signal,
    };
    const watch = row.api.watch(widgets, options)[Symbol.asyncIterator]();
    const next = watch.next();
    next.catch(() => undefined);
    await sleep(50);
    ending.abort();
    await expect(next).rejects.toMatchObject({ code: "aborted" });
  },
  "a call that is not wanted any more is not answered": async (row) => {
    const signal = AbortSignal.abort();
    const aborted = { code: "aborted" };
    await expect(row.api.get(widgets, row.name("one"), { signal })).rejects.toMatchObject(aborted);
    await expect(row.api.list(widgets, { signal })).rejects.toMatchObject(aborted);
  },
  "the generation grows with the specification alone": async (row) => {
    expect((await row.make("one", { size: 1 })).metadata.generation).toBe(1);
    expect((await row.make("one", { size: 2 })).metadata.generation).toBe(2);
    const labelled = await row.make("one", { size: 2 }, { labels: { a: "b" }, annotations: { c: "d" } });
    expect(labelled.metadata.generation).toBe(2);
    expect((await row.patchStatus("one", { status: { size: 2 } })).metadata.generation).toBe(2);
    expect((await row.patch("one", { metadata: { annotations: { e: "f" } } })).metadata.generation).toBe(2);
    expect((await row.make("one", { size: 2, more: {} })).metadata.generation).toBe(3);
    expect((await row.make("one", { more: {}, size: 1 })).metadata.generation).toBe(4);
  },
  "a manifest that says the same changes nothing": async (row) => {
    const made = await row.make("one", { size: 1 }, { labels: { a: "b" } });
    await row.patchStatus("one", { status: { size: 1 } });
    const before = await row.get("one");
    await row.host.apply(row.widget("one", { size: 1 }, { labels: { a: "b" } }), row.widget("two"));
    expect(await row.get("one")).toEqual(before);
    expect(before.metadata.uid).toBe(made.metadata.uid);
  },
  "a patch of the status changes the status alone": async (row) => {
    const made = await row.make("one", { size: 1 });
    const body = {
      metadata: { labels: { a: "b" }, annotations: { c: "d" }, finalizers: [finalizer] },
      spec: { size: 2 },
      status: { size: 1, conditions: [{ type: "Ready" }] },
    };
    const patched = await row.patchStatus("one", body);
    expect(patched).toEqual({
      ...made,
      metadata: { ...made.metadata, resourceVersion: patched.metadata.resourceVersion },
      status: body.status,
    });
    expect(Number(patched.metadata.resourceVersion)).toBeGreaterThan(Number(made.metadata.resourceVersion));
    expect(await row.get("one")).toEqual(patched);
  },
  "a merge replaces lists and takes away what is null": async (row) => {
    await row.make("one");
    await row.patchStatus("one", { status: { a: 1, b: { c: 2, d: 3 }, e: [1, 2], f: "g" } });
    const patched = await row.patchStatus("one", { status: { a: null, b: { d: null, h: {} }, e: [3] } });
    expect(patched.status).toEqual({ b: { c: 2, h: {} }, e: [3], f: "g" });
  },
  "a patch of the object leaves the status as it is": async (row) => {
    await row.make("one");
    await row.patchStatus("one", { status: { size: 1 } });
    const body = { metadata: { annotations: { a: "b" } }, status: { size: 2 } };
    const patched = await row.patch("one", body);
    expect(patched.status).toEqual({ size: 1 });
    expect(patched.metadata.annotations).toMatchObject({ a: "b" });
    expect(await row.get("one")).toEqual(patched);
  },
  "annotations and labels are patched, and the manifest's others stay": async (row) => {
    const made = await row.make("one", {}, { labels: { a: "b" }, annotations: { c: "d" } });
    const body = { metadata: { labels: { e: "f" }, annotations: { g: "h", c: null } } };
    const patched = await row.patch("one", body);
    expect(patched.metadata).toMatchObject({ labels: { a: "b", e: "f" }, annotations: { g: "h" } });
    expect(Object.keys(patched.metadata.annotations ?? {})).toEqual(["g"]);
    expect(patched.metadata.resourceVersion).not.toBe(made.metadata.resourceVersion);
    const back = { metadata: { labels: { e: null }, annotations: { g: null } } };
    const { labels, annotations } = (await row.patch("one", back)).metadata;
    expect({ labels, annotations }).toEqual({ labels: { a: "b" }, annotations: undefined });
  },
  "what others have written stays when the manifest changes, and what it no longer says goes": async (
    row,
  ) => {
    await row.make("one", { size: 1 }, { labels: { a: "b", c: "d" }, annotations: { e: "f" } });
    await row.patch("one", { metadata: { annotations: { requested: "now" }, finalizers: [finalizer] } });
    await row.patchStatus("one", { status: { size: 1 } });
    const changed = await row.make("one", { size: 2 }, { labels: { a: "x" } });
    expect(changed.metadata).toMatchObject({ annotations: { requested: "now" }, finalizers: [finalizer] });
    expect(changed.metadata.labels).toEqual({ a: "x" });
    expect(Object.keys(changed.metadata.annotations ?? {})).toEqual(["requested"]);
    expect(changed.status).toEqual({ size: 1 });
    await row.patch("one", { metadata: { finalizers: null } });
  },
  "a patch of another version is a conflict, and changes nothing": async (row) => {
    const made = await row.make("one");
    const current = await row.patchStatus("one", { status: { a: 1 } });
    const { resourceVersion } = made.metadata;
    const metadata = { resourceVersion, annotations: { a: "b" } };
    await expect(row.patch("one", { metadata })).rejects.toMatchObject(conflict);
    await expect(row.patchStatus("one", { metadata, status: { a: 2 } })).rejects.toMatchObject(conflict);
    const replaced = { op: "replace", path: "/metadata/resourceVersion", value: resourceVersion };
    const change = { op: "replace", path: "/status/a", value: 2 };
    await expect(row.patchStatus("one", [replaced, change], "json")).rejects.toMatchObject(conflict);
    expect(await row.get("one")).toEqual(current);
    const { resourceVersion: version } = current.metadata;
    const patched = await row.patchStatus("one", {
      metadata: { resourceVersion: version },
      status: { a: 2 },
    });
    expect(patched.status).toEqual({ a: 2 });
  },
  "a patch made for another object of the name is refused, by its version first": async (row) => {
    const { metadata } = await row.make("one");
    await row.patch("one", { metadata: { uid: metadata.uid, labels: { a: "b" } } });
    const other = { uid: "00000000-0000-4000-8000-000000000000", labels: { a: "c" } };
    await expect(row.patch("one", { metadata: other })).rejects.toMatchObject(invalid);
    const stale = { ...other, resourceVersion: metadata.resourceVersion };
    await expect(row.patch("one", { metadata: stale })).rejects.toMatchObject(conflict);
    await expect(row.patchStatus("one", { metadata: stale, status: {} })).rejects.toMatchObject(conflict);
    // Of the metadata, a patch of the status has its version looked at alone.
    expect((await row.patchStatus("one", { metadata: other, status: { a: 1 } })).status).toEqual({ a: 1 });
  },
  "a patch that changes nothing makes no version, and is not told": async (row) => {
    await row.make("one", {}, { labels: { a: "b" } });
    const current = await row.patchStatus("one", { status: { a: 1, b: [1] } });
    const { told } = await row.watch();
    expect(await row.patchStatus("one", { status: { a: 1, b: [1], c: null } })).toEqual(current);
    expect(await row.patch("one", { metadata: { labels: { a: "b" }, annotations: { c: null } } })).toEqual(
      current,
    );
    expect(await row.patch("one", {})).toEqual(current);
    await row.patchStatus("one", { status: { a: 2 } });
    await expect.poll(told, waitMs).toEqual(["MODIFIED one"]);
  },
  "a JSON patch is applied whole or not at all": async (row) => {
    await row.make("one", {}, { annotations: { "example.com/a": "b" } });
    const path = "/metadata/annotations/example.com~1a";
    const patched = await row.patch(
      "one",
      [
        { op: "test", path, value: "b" },
        { op: "replace", path, value: "c" },
        { op: "add", path: "/metadata/labels", value: { d: "e" } },
      ],
      "json",
    );
    expect(patched.metadata).toMatchObject({ annotations: { "example.com/a": "c" }, labels: { d: "e" } });
    const failing = [
      { op: "remove", path },
      { op: "test", path: "/metadata/labels/d", value: "f" },
    ];
    await expect(row.patch("one", failing, "json")).rejects.toMatchObject(invalid);
    await expect(row.patch("one", [{ op: "remove", path: "/metadata/x" }], "json")).rejects.toMatchObject(
      invalid,
    );
    expect(await row.get("one")).toEqual(patched);
    const removed = await row.patch("one", [{ op: "remove", path }], "json");
    expect(removed.metadata.annotations).toBeUndefined();
  },
  "what metadata cannot be is refused": async (row) => {
    const made = await row.make("one");
    for (const metadata of [
      { labels: { a: {} } },
      { finalizers: "a" },
      { name: "two" },
      { namespace: "two" },
    ]) {
      await expect(row.patch("one", { metadata }), JSON.stringify(metadata)).rejects.toMatchObject(invalid);
    }
    await expect(row.patchStatus("one", { status: "well" })).rejects.toMatchObject(invalid);
    expect(await row.get("one")).toEqual(made);
  },
  "what the server alone knows cannot be patched": async (row) => {
    const made = await row.make("one");
    const metadata = { generation: 9, creationTimestamp: "2020-01-01T00:00:00Z", labels: { a: "b" } };
    const patched = await row.patch("one", { metadata });
    expect(patched.metadata).toMatchObject({
      generation: 1,
      creationTimestamp: made.metadata.creationTimestamp,
      labels: { a: "b" },
    });
  },
  "a dry run tells what would be, and changes nothing": async (row) => {
    const made = await row.make("one");
    const patch = { type: "merge", body: { metadata: { labels: { a: "b" } } } } as const;
    const told = await row.api.patch(widgets, row.name("one"), patch, { dryRun: true });
    expect(told.metadata.labels).toEqual({ a: "b" });
    expect(await row.get("one")).toEqual(made);
  },
  "an object without finalizers is deleted at once": async (row) => {
    await row.make("one");
    const { told } = await row.watch();
    await row.delete("one");
    await expect(row.get("one")).rejects.toMatchObject(missing);
    await expect(row.delete("one")).rejects.toMatchObject(missing);
    await expect.poll(told, waitMs).toEqual(["DELETED one"]);
  },
  "an object with finalizers is marked, and goes with the last of them": async (row) => {
    await row.make("one", { size: 1 });
    const before = await row.patch("one", { metadata: { finalizers: [finalizer, `${finalizer}-2`] } });
    expect(before.metadata.generation).toBe(1);
    const { events, told } = await row.watch();
    await row.delete("one");
    const marked = await row.get("one");
    expect(Date.parse(marked.metadata.deletionTimestamp ?? "")).toBeGreaterThan(Date.now() - 60_000);
    expect(marked.metadata).toMatchObject({ uid: before.metadata.uid, generation: 2 });
    expect(marked.spec).toEqual({ size: 1 });
    await row.delete("one");
    expect(await row.get("one")).toEqual(marked);
    const more = { metadata: { finalizers: [finalizer, "contract.fairlead.example/other"] } };
    await expect(row.patch("one", more)).rejects.toMatchObject(invalid);
    await row.patchStatus("one", { status: { ending: true } });
    await row.patch("one", { metadata: { finalizers: [finalizer] } });
    const last = await row.patch("one", { metadata: { finalizers: null } });
    expect(last.metadata.finalizers).toBeUndefined();
    await expect(row.get("one")).rejects.toMatchObject(missing);
    const all = ["MODIFIED one", "MODIFIED one", "MODIFIED one", "DELETED one"];
    await expect.poll(told, waitMs).toEqual(all);
    expect(events[0]).toMatchObject({ object: { metadata: { generation: 2 } } });
  },
  "an object whose manifest is taken back is marked and goes likewise": async (row) => {
    await row.make("one");
    await row.patch("one", { metadata: { finalizers: [finalizer] } });
    await row.host.remove(row.widget("one"));
    expect((await row.get("one")).metadata.deletionTimestamp).toBeDefined();
    expect(await row.names()).toEqual(["one"]);
    await row.patch("one", { metadata: { finalizers: [] } });
    await expect(row.get("one")).rejects.toMatchObject(missing);
    expect(await row.names()).toEqual([]);
  },
  "what is made anew is another object": async (row) => {
    const first = await row.make("one", { size: 1 });
    await row.make("one", { size: 2 });
    await row.patchStatus("one", { status: { a: 1 } });
    await row.patch("one", { metadata: { annotations: { a: "b" } } });
    await row.host.remove(row.widget("one"));
    const second = await row.make("one", { size: 1 });
    expect(second.metadata.uid).not.toBe(first.metadata.uid);
    expect(second.metadata.generation).toBe(1);
    expect(second.metadata.annotations).toBeUndefined();
    expect(second.status).toBeUndefined();
  },
  "another object, or another version, is not deleted": async (row) => {
    const { metadata } = await row.make("one");
    const { uid, resourceVersion } = metadata;
    await row.patchStatus("one", { status: { a: 1 } });
    const name = row.name("one");
    const other = { uid: "00000000-0000-4000-8000-000000000000" };
    await expect(row.api.delete(widgets, name, other)).rejects.toMatchObject({ code: "object-conflict" });
    const stale = { resourceVersion };
    await expect(row.api.delete(widgets, name, stale)).rejects.toMatchObject({ code: "object-conflict" });
    await row.api.delete(widgets, name, { uid });
    await expect(row.get("one")).rejects.toMatchObject(missing);
  },
  "of writers at once each gets through who tries again": async (row) => {
    await row.make("one");
    await row.patchStatus("one", { status: { count: 0 } });
    const add = async (): Promise<number> => {
      for (let conflicts = 0; ; conflicts++) {
        const { metadata, status } = await row.get("one");
        const { resourceVersion } = metadata;
        const body = { metadata: { resourceVersion }, status: { count: Number(status?.["count"]) + 1 } };
        try {
          await row.patchStatus("one", body);
          return conflicts;
        } catch (error) {
          expect(error).toMatchObject(conflict);
        }
      }
    };
    const conflicts = await Promise.all(Array.from({ length: 10 }, add));
    expect((await row.get("one")).status).toEqual({ count: 10 });
    expect(Math.max(...conflicts)).toBeGreaterThan(0);
  },
  "informers hold what a list holds, whatever happens": async (row) => {
    const all = follow(row, {});
    const labelSelector = "half=yes,patched!=no";
    const half = follow(row, { labelSelector });
    await Promise.all([all.informer.synced, half.informer.synced]);
    try {
      await changeByChance(row);
      for (const [observed, options] of [
        [all, {}],
        [half, { labelSelector }],
      ] as const) {
        const { items } = await row.api.list(widgets, { namespace: row.namespace, ...options });
        await expect.poll(() => observed.told(), waitMs).toEqual(versionsOf(items));
        expect(versionsOf(observed.informer.store.list())).toEqual(versionsOf(items));
        expect(observed.mistakes).toEqual([]);
        expect(observed.failures).toEqual([]);
      }
    } finally {
      await all.informer.stop();
      await half.informer.stop();
    }
  },
  "a restart changes no object": async (row) => {
    await row.make("one", { size: 1 }, { labels: { a: "b" } });
    await row.make("one", { size: 2 }, { labels: { a: "b" } });
    await row.make("gone");
    const metadata = { annotations: { requested: "now" }, labels: { a: "c" }, finalizers: [finalizer] };
    await row.patch("one", { metadata });
    await row.make("marked", {}, { labels: { a: "b" } });
    await row.patch("marked", { metadata: { finalizers: [finalizer] } });
    await row.patchStatus("marked", { status: { a: 1 } });
    await row.host.remove(row.widget("gone"), row.widget("marked"));
    const before = await row.patchStatus("one", { status: { lastHandledReconcileAt: "now" } });
    const { spec: _spec, ...marked } = await row.get("marked");
    const version = await row.version();
    await row.host.restart();
    expect(withoutVersion(await row.get("one"))).toEqual(withoutVersion(before));
    // Of what nobody says any more, a folder keeps no specification.
    expect(withoutVersion(await row.get("marked"))).toMatchObject(withoutVersion(marked));
    expect(await row.names({ labelSelector: "a=b" })).toEqual(["marked"]);
    expect(await row.names()).toEqual(["marked", "one"]);
    expect(Number(await row.version())).toBeGreaterThanOrEqual(Number(version));
    await row.patch("marked", { metadata: { finalizers: null } });
    await expect(row.get("marked")).rejects.toMatchObject(missing);
    await row.patch("one", { metadata: { finalizers: null } });
  },
};

/**
 * Declares what holds for every place where objects live.
 * @param open a place for the whole run, with {@link widgets} and nothing of its own in it
 */
export function describeObjectApi(title: string, open: () => Promise<ObjectApiHost>): void {
  describe(title, () => {
    let host: ObjectApiHost;

    beforeAll(async () => {
      host = await open();
    });

    afterAll(async () => host?.stop());

    test.each(Object.keys(checks).map((name, index) => [name, `contract-${index + 1}`]))(
      "%s",
      async (name, namespace) => {
        const row = new Row(host, namespace);
        try {
          await checks[name]?.(row);
        } finally {
          row.end();
        }
      },
    );
  });
}

interface Observed {
  readonly informer: Informer<ApiObject>;
  readonly failures: readonly string[];
  /** What does not fit together in what handlers are told. */
  readonly mistakes: readonly string[];
  /** What handlers were told, added up. */
  readonly told: () => Readonly<Record<string, string>>;
}

function follow(
  { api, namespace }: Row,
  options: Pick<InformerOptions<ApiObject>, "labelSelector">,
): Observed {
  const failures: string[] = [];
  const mistakes: string[] = [];
  const known = new Map<string, ApiObject>();
  const hooks = { failed: ({ code }: { readonly code: string }) => void failures.push(code) };
  const informer = new Informer<ApiObject>({ client: api, type: widgets, namespace, log, hooks, ...options });
  const expectKnown = ({ metadata: { name } }: ApiObject, old: ApiObject | undefined): void => {
    if (known.get(name) !== old) mistakes.push(name);
  };
  informer.subscribe({
    added: (object) => {
      expectKnown(object, undefined);
      known.set(object.metadata.name, object);
    },
    updated: (object, old) => {
      expectKnown(object, old);
      known.set(object.metadata.name, object);
    },
    deleted: ({ metadata: { name } }) => {
      if (!known.delete(name)) mistakes.push(name);
    },
  });
  informer.start();
  return { informer, failures, mistakes, told: () => versionsOf([...known.values()]) };
}

/** Changes manifests and patches objects at the same time. */
async function changeByChance(row: Row): Promise<void> {
  const random = createRandom("objects");
  const names = Array.from({ length: 12 }, (_, index) => `object-${index}`);
  const some = (): readonly string[] => names.filter(() => random.below(3) === 0);
  const present = new Set<string>();
  for (let round = 0; round < 15; round++) {
    const applied = some();
    const removed = [...present].filter((name) => !applied.includes(name) && random.below(4) === 0);
    const manifests = applied.map((name) =>
      row.widget(name, { size: random.below(3) }, { labels: { half: random.pick(["yes", "no"]) } }),
    );
    const patches = some().map((name) => {
      const annotations = { round: String(round) };
      return random.below(2) === 0
        ? async () => row.patchStatus(name, { status: { round } })
        : async () =>
            row.patch(name, { metadata: { annotations, labels: { patched: random.pick(["yes", "no"]) } } });
    });
    const patching = Promise.allSettled(patches.map(async (patch) => patch()));
    await row.host.apply(...manifests);
    for (const name of applied) present.add(name);
    await row.host.remove(...removed.map((name) => row.widget(name)));
    for (const name of removed) present.delete(name);
    for (const outcome of await patching) {
      if (outcome.status === "rejected") expect(outcome.reason).toMatchObject(missing);
    }
  }
}

function versionsOf(objects: readonly ApiObject[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    objects.map(({ metadata }) => [metadata.name, `${metadata.uid}:${metadata.resourceVersion}`]),
  );
}

function withoutVersion({ metadata, ...object }: ApiObject): object {
  const { resourceVersion: _version, ...kept } = metadata;
  return { ...object, metadata: kept };
}
