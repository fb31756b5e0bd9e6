import { rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { type AnyObject, OpenedFolder, policyManifest } from "../../../test/support/opened-folder.ts";
import type { WatchEvent } from "../api/api-object.ts";
import { resourceTypes } from "../api/resource-types.ts";

const { ImagePolicy: policies } = resourceTypes;
const waitMs = { timeout: 10_000, interval: 5 };
const missing = { code: "object-missing" };

describe("files of a folder", () => {
  const host = new OpenedFolder();

  test("a file that is replaced changes its objects once", async () => {
    await host.write("a.yaml", policyManifest("one", "1.x"));
    await host.open();
    const before = await host.get("one");
    const seen: WatchEvent<AnyObject>[] = [];
    const ending = new AbortController();
    const watch = host.api.watch<AnyObject>(policies, {
      resourceVersion: before.metadata.resourceVersion,
      timeoutSeconds: 60,
      idleMs: 60_000,
      signal: ending.signal,
    });
    const watching = (async () => {
      for await (const event of watch) seen.push(event);
    })();
    watching.catch(() => undefined);
    const written = path.join(host.parent, "written");
    await writeFile(written, policyManifest("one", "2.x"));
    await rename(written, path.join(host.path, "a.yaml"));
    await expect.poll(async () => host.rangeOf("one"), waitMs).toBe("2.x");
    await host.write("b.yaml", policyManifest("two", "1.x"));
    await expect.poll(() => seen.length, waitMs).toBe(2);
    ending.abort();
    await expect(watching).rejects.toMatchObject({ code: "aborted" });
    expect(seen).toMatchObject([
      { type: "MODIFIED", object: { metadata: { uid: before.metadata.uid, generation: 2 } } },
      { type: "ADDED", object: { metadata: { name: "two" } } },
    ]);
  });

  test.each<[string, string, RegExp]>([
    [
      "is cut off",
      policyManifest("one", "2.x").slice(0, -8),
      /file-unparsable .* from here on the file is no YAML/u,
    ],
    ["is cut off in its second document", `${policyManifest("one", "1.x")}---\nkind: "`, /file-unparsable/u],
    ["becomes empty", "", /file-unparsable .* has become empty/u],
    ["is no text", "\u0000\u0001", /file-unparsable/u],
    [
      "has an object without a name",
      policyManifest("one", "1.x").replace("name: one, ", ""),
      /object-invalid .* metadata.name is required/u,
    ],
    [
      "has an object of a version that is not served",
      policyManifest("one", "2.x").replace("/v1", "/v9"),
      /object-invalid 1 .* apiVersion is none of the versions/u,
    ],
    [
      "has labels that are no texts",
      policyManifest("one", "2.x", ", labels: {a: 1}"),
      /object-invalid 3 .*labels.a is a number/u,
    ],
  ])("a file that %s leaves its objects as they were", async (_name, text, expected) => {
    await host.write("a.yaml", `${policyManifest("one", "1.x")}---\n${policyManifest("two", "1.x")}`);
    await host.open();
    const before = await host.get("two");
    await host.setStatus("one", { a: 1 });
    await host.write("a.yaml", text);
    await expect
      .poll(() => host.told, waitMs)
      .toEqual(expect.arrayContaining([expect.stringMatching(expected)]));
    expect(await host.rangeOf("one")).toBe("1.x");
    expect(await host.get("two")).toEqual(before);
    await host.write("a.yaml", policyManifest("one", "3.x"));
    await expect.poll(async () => host.rangeOf("one"), waitMs).toBe("3.x");
    await expect(host.get("two")).rejects.toMatchObject(missing);
    expect(host.diagnostics).toEqual([]);
    expect((await host.get("one")).status).toMatchObject({ a: 1 });
  });

  test("an object that is wrong from the start is told, and the others are served", async () => {
    await host.write(
      "a.yaml",
      `${policyManifest("One", "1.x")}---\n${policyManifest("two", "1.x")}---\nkind: Deployment\n`,
    );
    await host.write("b.yaml", "kind: ImagePolicy\n\tx");
    await host.open();
    expect(await host.rangeOf("two")).toBe("1.x");
    const { items } = await host.api.list(policies);
    expect(items).toHaveLength(1);
    expect(host.told).toEqual([
      expect.stringMatching(/^object-invalid 3 ImagePolicy apps\/: metadata.name is not a name/u),
      expect.stringMatching(/^file-unparsable/u),
    ]);
  });

  test("of two objects of one name the first counts, and the other when that is gone", async () => {
    await host.write("a.yaml", policyManifest("one", "1.x"));
    await host.write("b.yaml", policyManifest("one", "2.x"));
    await host.open();
    const before = await host.get("one");
    expect(await host.rangeOf("one")).toBe("1.x");
    expect(host.told).toEqual([
      expect.stringMatching(/^object-invalid 1 .*more than once; the first one counts/u),
    ]);
    await rm(path.join(host.path, "a.yaml"));
    await expect.poll(async () => host.rangeOf("one"), waitMs).toBe("2.x");
    expect((await host.get("one")).metadata).toMatchObject({ uid: before.metadata.uid, generation: 2 });
    expect(host.diagnostics).toEqual([]);
  });

  test("an object that moves to another file stays the same", async () => {
    await host.write("a.yaml", policyManifest("one", "1.x"));
    await host.open();
    const before = await host.get("one");
    await rename(path.join(host.path, "a.yaml"), path.join(host.path, "b.yaml"));
    await host.write("c.yaml", policyManifest("two", "1.x"));
    await expect.poll(async () => host.rangeOf("two"), waitMs).toBe("1.x");
    expect(await host.get("one")).toEqual(before);
  });

  test("what is deleted comes back when its file is written anew", async () => {
    await host.write("a.yaml", policyManifest("one", "1.x"));
    await host.open();
    const before = await host.get("one");
    await host.api.delete(policies, { namespace: "apps", name: "one" });
    await host.write("b.yaml", policyManifest("two", "1.x"));
    await expect.poll(async () => host.rangeOf("two"), waitMs).toBe("1.x");
    await expect(host.get("one")).rejects.toMatchObject(missing);
    await host.write("a.yaml", policyManifest("one", "2.x"));
    await expect.poll(async () => host.rangeOf("one"), waitMs).toBe("2.x");
    expect((await host.get("one")).metadata.uid).not.toBe(before.metadata.uid);
  });

  test("what is being deleted and comes back is made anew with its last finalizer", async () => {
    const finalizers = ", finalizers: [example.com/a]";
    await host.write("a.yaml", policyManifest("one", "1.x", finalizers));
    await host.open();
    const before = await host.get("one");
    await rm(path.join(host.path, "a.yaml"));
    await expect.poll(async () => (await host.get("one")).metadata.deletionTimestamp, waitMs).toBeDefined();
    await host.write("a.yaml", policyManifest("one", "2.x", finalizers));
    await expect.poll(async () => host.rangeOf("one"), waitMs).toBe("2.x");
    const { uid, deletionTimestamp } = (await host.get("one")).metadata;
    expect(uid).toBe(before.metadata.uid);
    expect(deletionTimestamp).toBeDefined();
    const body = { metadata: { finalizers: [] } };
    await host.api.patch(policies, { namespace: "apps", name: "one" }, { type: "merge", body });
    const after = await host.get("one");
    expect(after.metadata).toMatchObject({ generation: 1 });
    expect(after.metadata.deletionTimestamp).toBeUndefined();
    expect(after.metadata.uid).not.toBe(before.metadata.uid);
    // Its manifest may take the last finalizer as well.
    await host.api.delete(policies, { namespace: "apps", name: "one" });
    await host.write("a.yaml", policyManifest("one", "3.x"));
    await expect.poll(async () => host.rangeOf("one"), waitMs).toBe("3.x");
    const last = (await host.get("one")).metadata;
    expect(last.deletionTimestamp).toBeUndefined();
    expect(last.uid).not.toBe(after.metadata.uid);
  });

  test("a folder that cannot be found any more leaves all as it is", async () => {
    await host.write("a.yaml", policyManifest("one", "1.x"));
    await host.open();
    const elsewhere = path.join(host.parent, "elsewhere");
    await rename(host.path, elsewhere);
    await expect.poll(() => host.logged, waitMs).toContain("the files cannot be loaded");
    expect(await host.rangeOf("one")).toBe("1.x");
    await rename(elsewhere, host.path);
    await host.write("a.yaml", policyManifest("one", "2.x"));
    await expect.poll(async () => host.rangeOf("one"), waitMs).toBe("2.x");
  });

  test("what an alias makes of an object is bounded", async () => {
    const long = "x".repeat(100_000);
    const items = Array.from({ length: 30 }, () => "*a").join(", ");
    await host.write("a.yaml", `${policyManifest("one", "1.x")}status: {a: &a "${long}", b: [${items}]}\n`);
    await host.open();
    expect(host.told).toEqual([expect.stringMatching(/the object is larger than 1500000 characters/u)]);
    await expect(host.get("one")).rejects.toMatchObject(missing);
  });
});
