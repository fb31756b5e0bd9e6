import { describe, expect, test } from "vitest";
import { FakeClock } from "../../../test/support/fake-clock.ts";
import { type AnyObject, OpenedFolder, policyManifest } from "../../../test/support/opened-folder.ts";
import type { WatchEvent } from "../api/api-object.ts";
import { resourceTypes } from "../api/resource-types.ts";

const { ImagePolicy: policies, Event: events } = resourceTypes;
const waitMs = { timeout: 10_000, interval: 5 };

const normal = { type: "Normal", reason: "Succeeded", count: 1 };

function event(
  name: string,
  about: string,
): { readonly metadata: { readonly namespace: string; readonly name: string } } {
  const namespace = "apps";
  const involvedObject = { kind: "ImagePolicy", namespace, name: about };
  return Object.assign({ metadata: { namespace, name }, involvedObject }, normal);
}

describe("events of a folder", () => {
  const host = new OpenedFolder();

  test("are created, found by what they are about, counted and deleted, and are in no file", async () => {
    await host.open({ stateFile: host.stateFile });
    const created = await host.api.create(events, event("a", "one"));
    expect(created).toMatchObject({ apiVersion: "v1", kind: "Event", metadata: { name: "a" }, count: 1 });
    expect(created.metadata.uid).not.toBe("");
    await expect(host.api.create(events, event("a", "one"))).rejects.toMatchObject({
      code: "object-conflict",
    });
    await expect(host.api.create(events, { metadata: { namespace: "apps" } })).rejects.toMatchObject({
      code: "object-invalid",
    });
    await host.api.create(events, event("b", "two"));
    const body = { count: 2 };
    await host.api.patch(events, { namespace: "apps", name: "a" }, { type: "merge", body });
    const fieldSelector =
      "involvedObject.name=one,involvedObject.kind=ImagePolicy,reason!=Failed,type=Normal";
    const found = await host.api.list(events, { namespace: "apps", fieldSelector });
    expect(found.items).toMatchObject([{ metadata: { name: "a", uid: created.metadata.uid }, count: 2 }]);
    await expect(host.api.list(policies, { fieldSelector })).rejects.toMatchObject({
      code: "object-invalid",
    });
    await host.write("a.yaml", policyManifest("one", "1.x"));
    await expect.poll(async () => host.rangeOf("one"), waitMs).toBe("1.x");
    expect((await host.api.list(events)).items).toHaveLength(2);
    await host.api.delete(events, { namespace: "apps", name: "b" });
    expect((await host.api.list(events)).items).toHaveLength(1);
    await host.reopen();
    expect((await host.api.list(events)).items).toEqual([]);
  });

  test("are a thousand at most, of which the oldest go", async () => {
    await host.open();
    const { resourceVersion } = await host.api.list(events);
    for (let index = 0; index < 1_010; index++) await host.api.create(events, event(`e-${index}`, "one"));
    const { items } = await host.api.list(events);
    expect(items).toHaveLength(1_000);
    expect(items.map(({ metadata }) => metadata.name)).not.toContain("e-9");
    const { signal } = new AbortController();
    const watch = host.api.watch(events, { resourceVersion, timeoutSeconds: 60, idleMs: 60_000, signal });
    let deleted = 0;
    let seen = 0;
    for await (const { type } of watch) {
      if (type === "DELETED") deleted += 1;
      seen += 1;
      if (seen === 1_020) break;
    }
    expect(deleted).toBe(10);
  });
});

describe("watches of a folder", () => {
  const host = new OpenedFolder();

  const watchFrom = (
    resourceVersion: string,
    timeoutSeconds = 300,
    signal: AbortSignal = new AbortController().signal,
  ): AsyncIterator<WatchEvent<AnyObject>> =>
    iteratorOf(
      host.api.watch<AnyObject>(policies, { resourceVersion, timeoutSeconds, idleMs: 60_000, signal }),
    );

  test("from a version that is too old, or none, are refused", async () => {
    await host.write("a.yaml", policyManifest("one", "1.x"));
    await host.open({ stateFile: host.stateFile });
    const { resourceVersion } = await host.api.list(policies);
    for (let count = 0; count <= 2_000; count++) await host.setStatus("one", { count });
    await expect(watchFrom(resourceVersion).next()).rejects.toMatchObject({
      code: "version-expired",
      retryable: true,
    });
    await expect(watchFrom(String(Number(resourceVersion) + 1)).next()).resolves.toMatchObject({
      value: { type: "MODIFIED" },
    });
    await expect(watchFrom("x").next()).rejects.toMatchObject({ code: "object-invalid" });
    const last = (await host.api.list(policies)).resourceVersion;
    await host.reopen();
    await expect(watchFrom(String(Number(last) - 1)).next()).rejects.toMatchObject({
      code: "version-expired",
    });
  });

  test("that are slower than what happens begin anew", async () => {
    await host.write("a.yaml", policyManifest("one", "1.x"));
    await host.open();
    const watch = watchFrom((await host.api.list(policies)).resourceVersion);
    await host.setStatus("one", { count: -1 });
    expect(await watch.next()).toMatchObject({ value: { object: { status: { count: -1 } } } });
    for (let count = 0; count <= 2_000; count++) await host.setStatus("one", { count });
    await expect(watch.next()).rejects.toMatchObject({ code: "version-expired" });
  });

  test("tell each minute how far they are, and in the end", async () => {
    await host.write("a.yaml", policyManifest("one", "1.x"));
    const clock = new FakeClock();
    await host.open({ clock });
    const { resourceVersion } = await host.api.list(policies);
    const watch = watchFrom(resourceVersion, 90);
    const first = watch.next();
    await clock.advance(60_000);
    expect(await first).toEqual({ done: false, value: { type: "BOOKMARK", resourceVersion } });
    // What happens to other kinds is told by nothing else.
    await host.api.create(events, { metadata: { namespace: "apps", name: "a" } as { namespace: string } });
    const second = watch.next();
    await clock.advance(30_000);
    const version = String(Number(resourceVersion) + 1);
    expect(await second).toEqual({ done: false, value: { type: "BOOKMARK", resourceVersion: version } });
    expect(await watch.next()).toEqual({ done: true, value: undefined });
  });

  test("end when the folder is closed", async () => {
    await host.open();
    const next = watchFrom("0").next();
    next.catch(() => undefined);
    await host.close();
    await expect(next).rejects.toMatchObject({ code: "aborted" });
  });
});

function iteratorOf<Item>(items: AsyncIterable<Item>): AsyncIterator<Item> {
  return items[Symbol.asyncIterator]();
}
