import { readdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { OpenedFolder, policyManifest } from "../../../test/support/opened-folder.ts";
import { resourceTypes } from "../api/resource-types.ts";

const { ImagePolicy: policies, Secret: secrets, Namespace: namespaces } = resourceTypes;
const waitMs = { timeout: 10_000, interval: 5 };
const missing = { code: "object-missing" };

describe("objects of a folder", () => {
  const host = new OpenedFolder();

  test("older versions are taken for the one that is served, and lists for what they hold", async () => {
    const item = policyManifest("one", "1.x").replace("/v1", "/v1beta2").trimEnd().replaceAll("\n", "\n  ");
    await host.write("a.yaml", `apiVersion: v1\nkind: List\nitems:\n- ${item}\n`);
    await host.open();
    expect(await host.get("one")).toMatchObject({
      apiVersion: "image.toolkit.fluxcd.io/v1",
      kind: "ImagePolicy",
    });
  });

  test("an object without a status has the default of its kind's definition", async () => {
    const secret = "apiVersion: v1\nkind: Secret\nmetadata: {name: one, namespace: apps}\n";
    await host.write("a.yaml", `${policyManifest("one", "1.x")}---\n${secret}`);
    await host.open();
    expect((await host.get("one")).status).toEqual({ observedGeneration: -1 });
    expect((await host.get("one", resourceTypes.Secret)).status).toBeUndefined();
  });

  test("the status of a manifest is the first, and later what was written", async () => {
    await host.write("a.yaml", `${policyManifest("one", "1.x")}status: {observedGeneration: 7}\n`);
    await host.open({ stateFile: host.stateFile });
    expect((await host.get("one")).status).toEqual({ observedGeneration: 7 });
    await host.setStatus("one", { observedGeneration: 1 });
    await host.write("a.yaml", `${policyManifest("one", "2.x")}status: {observedGeneration: -1}\n`);
    await expect.poll(async () => host.rangeOf("one"), waitMs).toBe("2.x");
    expect((await host.get("one")).status).toEqual({ observedGeneration: 1 });
    await host.reopen();
    expect((await host.get("one")).status).toEqual({ observedGeneration: 1 });
  });

  test("a restart keeps what was made of an object, and sees what its manifest became", async () => {
    await host.write("a.yaml", policyManifest("one", "1.x", ", annotations: {mine: a, theirs: a}"));
    await host.write("b.yaml", policyManifest("two", "1.x"));
    await host.open({ stateFile: host.stateFile });
    await host.patch("one", { annotations: { "reconcile.fluxcd.io/requestedAt": "now", theirs: "b" } });
    await host.setStatus("one", { lastHandledReconcileAt: "now" });
    const before = await host.get("one");
    const other = await host.get("two");
    const version = Number((await host.api.list(policies)).resourceVersion);
    await host.reopen(async () =>
      host.write("a.yaml", policyManifest("one", "2.x", ", annotations: {mine: b, theirs: a}")),
    );
    const after = await host.get("one");
    expect(after.status).toEqual({ observedGeneration: -1, lastHandledReconcileAt: "now" });
    expect(after.metadata).toMatchObject({
      uid: before.metadata.uid,
      creationTimestamp: before.metadata.creationTimestamp,
      generation: 2,
      annotations: { "reconcile.fluxcd.io/requestedAt": "now", mine: "b", theirs: "b" },
    });
    expect(Number(after.metadata.resourceVersion)).toBeGreaterThan(version);
    expect((await host.get("two")).metadata).toMatchObject({ uid: other.metadata.uid, generation: 1 });
    // What the manifest comes to say is newer than what was made of what it said.
    await host.reopen(async () =>
      host.write("a.yaml", policyManifest("one", "2.x", ", annotations: {theirs: c}")),
    );
    expect((await host.get("one")).metadata).toMatchObject({
      generation: 2,
      annotations: { "reconcile.fluxcd.io/requestedAt": "now", theirs: "c" },
    });
  });

  test("what went while nobody looked is gone, or marked where somebody waits for that", async () => {
    await host.write(
      "a.yaml",
      policyManifest("one", "1.x", ", labels: {shard: a}, annotations: {secret: x}"),
    );
    await host.write("b.yaml", policyManifest("two", "1.x"));
    await host.open({ stateFile: host.stateFile });
    const body = { metadata: { finalizers: ["example.com/a"] } };
    const name = { namespace: "apps", name: "one" };
    await host.api.patch(policies, name, { type: "merge", body });
    await host.setStatus("one", { a: 1 });
    const { metadata } = await host.get("one");
    await host.reopen(async () => {
      await rm(path.join(host.path, "a.yaml"));
      await rm(path.join(host.path, "b.yaml"));
    });
    const marked = await host.get("one");
    expect(marked).toMatchObject({
      metadata: { uid: metadata.uid, labels: { shard: "a" }, finalizers: ["example.com/a"], generation: 2 },
      status: { a: 1 },
    });
    expect(marked.metadata.deletionTimestamp).toBeDefined();
    await expect(host.get("two")).rejects.toMatchObject(missing);
    await host.api.patch(policies, name, { type: "merge", body: { metadata: { finalizers: null } } });
    await expect(host.get("one")).rejects.toMatchObject(missing);
    await host.reopen();
    expect((await host.api.list(policies)).items).toEqual([]);
  });

  test("a file that is broken at a restart takes nothing from its objects", async () => {
    await host.write("a.yaml", policyManifest("one", "1.x", ", finalizers: [example.com/a]"));
    await host.open({ stateFile: host.stateFile });
    await host.setStatus("one", { a: 1 });
    const before = await host.get("one");
    await host.reopen(async () => host.write("a.yaml", "kind: ImagePolicy\n\tx"));
    await expect(host.get("one")).rejects.toMatchObject(missing);
    await host.write("a.yaml", policyManifest("one", "1.x", ", finalizers: [example.com/a]"));
    await expect.poll(async () => host.rangeOf("one"), waitMs).toBe("1.x");
    const { resourceVersion } = (await host.get("one")).metadata;
    expect(await host.get("one")).toEqual({ ...before, metadata: { ...before.metadata, resourceVersion } });
  });

  test("Secrets are served as an API server stores them, and are in no file", async () => {
    const value = "value-of-the-test";
    await host.write(
      "a.yaml",
      `apiVersion: v1\nkind: Secret\nmetadata: {name: s, namespace: apps, annotations: {last: ${value}}}\n` +
        `data: {a: eA==}\nstringData: {b: ${value}}\nstatus: {c: ${value}}\n`,
    );
    await host.open({ stateFile: host.stateFile });
    const secret = await host.get("s", secrets);
    const encoded = Buffer.from(value).toString("base64");
    expect(secret).toMatchObject({ type: "Opaque", data: { a: "eA==", b: encoded } });
    expect(Object.keys(secret)).not.toContain("stringData");
    expect(secret.metadata.generation).toBeUndefined();
    const body = { metadata: { finalizers: ["example.com/a"] } };
    await host.api.patch(secrets, secret.metadata, { type: "merge", body });
    await rm(path.join(host.path, "a.yaml"));
    await expect
      .poll(async () => (await host.get("s", secrets)).metadata.deletionTimestamp, waitMs)
      .toBeDefined();
    const { metadata } = await host.get("s", secrets);
    for (const name of await readdir(host.parent)) {
      if (!name.startsWith("state.db")) continue;
      const text = await readFile(path.join(host.parent, name), "latin1");
      for (const kept of [value, encoded, "eA=="]) expect(text.includes(kept), name).toBe(false);
    }
    await host.reopen();
    expect((await host.get("s", secrets)).metadata.uid).toBe(metadata.uid);
  });

  test("what is wrong with a Secret is told without its values", async () => {
    await host.write(
      "a.yaml",
      "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\ndata: {a: value-of-the-test}\n",
    );
    await host.open();
    expect(host.told).toEqual([expect.stringMatching(/not base64/u)]);
    expect(JSON.stringify(host.diagnostics)).not.toContain("value-of-the-test");
  });

  test("a namespace is there with its objects, and has its name as a label", async () => {
    await host.write("a.yaml", policyManifest("one", "1.x"));
    await host.write(
      "b.yaml",
      "apiVersion: v1\nkind: Namespace\nmetadata: {name: other, labels: {team: a}}\n",
    );
    await host.open();
    const implied = await host.api.get(namespaces, { name: "apps" });
    expect(implied.metadata.labels).toEqual({ "kubernetes.io/metadata.name": "apps" });
    expect(implied.metadata.namespace).toBeUndefined();
    const labels = { team: "a", "kubernetes.io/metadata.name": "other" };
    expect(await host.api.get(namespaces, { name: "other" })).toMatchObject({ metadata: { labels } });
    await host.write("c.yaml", policyManifest("two", "1.x"));
    await expect.poll(async () => host.rangeOf("two"), waitMs).toBe("1.x");
    expect(await host.api.get(namespaces, { name: "apps" })).toEqual(implied);
    await rm(path.join(host.path, "a.yaml"));
    await rm(path.join(host.path, "c.yaml"));
    const find = async (): Promise<unknown> =>
      host.api.get(namespaces, { name: "apps" }).catch(() => undefined);
    await expect.poll(find, waitMs).toBeUndefined();
  });

  test("what stands in files is written there alone", async () => {
    await host.write("a.yaml", policyManifest("one", "1.x"));
    await host.open();
    const text = await readFile(path.join(host.path, "a.yaml"), "utf8");
    const name = { namespace: "apps", name: "one" };
    const body = { spec: { suspend: true } };
    await expect(host.api.patch(policies, name, { type: "merge", body })).rejects.toMatchObject({
      code: "object-invalid",
    });
    await expect(host.api.patch(policies, name, { type: "apply", body })).rejects.toMatchObject({
      code: "object-invalid",
    });
    await expect(host.api.create(policies, { metadata: name })).rejects.toMatchObject({
      code: "access-denied",
    });
    await host.patch("one", { annotations: { a: "b" } });
    await host.setStatus("one", { a: 1 });
    await host.api.delete(policies, name);
    expect(await readFile(path.join(host.path, "a.yaml"), "utf8")).toBe(text);
    expect(await readdir(host.path)).toEqual(["a.yaml"]);
  });

  test("more than may be kept of an object is refused, and changes nothing", async () => {
    await host.write("a.yaml", policyManifest("one", "1.x"));
    await host.open();
    const before = await host.get("one");
    const status = { text: "x".repeat(1_500_001) };
    await expect(host.setStatus("one", status)).rejects.toMatchObject({ code: "limit-exceeded" });
    expect(await host.get("one")).toEqual(before);
  });
});
