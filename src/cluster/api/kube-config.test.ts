import { mkdtemp, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { createTempDir, type TempDir } from "../../../test/support/temp-dir.ts";
import type { FairleadError } from "../../core/error.ts";
import { loadKubeConfig } from "./kube-config.ts";

let folder: TempDir;

beforeAll(async () => {
  folder = await createTempDir("kube-config");
});

afterAll(async () => folder.remove());

/** Files of their own folders, by the names of their contexts, clusters and users. */
async function write(...configs: readonly object[]): Promise<string> {
  const files = configs.map(async (config) => {
    const file = path.join(await mkdtemp(path.join(folder.path, "config-")), "config");
    await writeFile(file, JSON.stringify(config));
    return file;
  });
  return (await Promise.all(files)).join(path.delimiter);
}

function configOf(name: string, server: string, user: object = {}, cluster: object = {}): object {
  return {
    clusters: [{ name: "c", cluster: { server, ...cluster } }],
    users: [{ name: "u", user }],
    contexts: [{ name, context: { cluster: "c", user: "u", namespace: `in-${name}` } }],
    "current-context": name,
  };
}

test("of several files the first counts, and one may be missing", async () => {
  const files = await write(configOf("one", "https://first:6443"), configOf("two", "https://second"));
  const list = ["/nowhere/config", "", files].join(path.delimiter);
  expect(await loadKubeConfig({ kubeconfig: list })).toMatchObject({
    server: new URL("https://first:6443"),
    namespace: "in-one",
  });
  expect(await loadKubeConfig({ kubeconfig: list, context: "two" })).toMatchObject({
    server: new URL("https://first:6443"),
    namespace: "in-two",
  });
});

test("files of a user are beside the kubeconfig, and its token file wins over a token", async () => {
  const exec = { apiVersion: "client.authentication.k8s.io/v1", command: "bin/plugin" };
  const user = { token: "x", tokenFile: "token", "client-certificate": "client.pem", exec };
  const kubeconfig = await write(
    configOf("one", "https://first", user, { "certificate-authority": "ca.pem" }),
  );
  const { config, cluster } = await loadKubeConfig({ kubeconfig });
  const beside = path.dirname(kubeconfig);
  expect(cluster.caFile).toBe(path.join(beside, "ca.pem"));
  const loaded = config.getCurrentUser();
  expect(loaded).toMatchObject({
    certFile: path.join(beside, "client.pem"),
    authProvider: { name: "tokenFile", config: { tokenFile: path.join(beside, "token") } },
    exec: { command: path.join(beside, "bin/plugin") },
  });
  expect(loaded).not.toHaveProperty("token");
});

test.each<[string, object | undefined, string]>([
  ["a missing file", undefined, "ENOENT"],
  ["no API server", { contexts: [] }, "it names no API server"],
  ["an API server that is no address", configOf("one", "nothing"), "it names no API server"],
  ["credentials in the clear", configOf("one", "http://first"), "in the clear"],
  ["entries without names", { clusters: [{}] }, "clusters[0].name is missing"],
])("a kubeconfig is refused: %s", async (_name, config, expected) => {
  const kubeconfig = config === undefined ? "/nowhere/config" : await write(config);
  const loading = loadKubeConfig({ kubeconfig });
  await expect(loading).rejects.toMatchObject({
    code: "config-invalid",
    message: expect.stringContaining(expected) as string,
  });
});

test("a context that is none is told with those that are", async () => {
  const kubeconfig = await write(configOf("one", "https://first"), configOf("two", "https://second"));
  await expect(loadKubeConfig({ kubeconfig, context: "three" })).rejects.toMatchObject({
    code: "config-invalid",
    message: `cannot use ${kubeconfig}: it has no context "three"`,
    hint: "its contexts: one, two",
  });
});

test.each([
  ["a list that does not end", "users: [{name: u, user: {token: hidden}}"],
  ["text after a value", 'users:\n- user:\n    token: "hidden" x\n'],
  ["an indentation that is none", "users:\n  token: hidden\n x: y\n"],
  ["a tag that nobody knows", "users: !none\n  token: hidden\n"],
  ["a key that comes twice", "users: hidden\nusers: hidden\n"],
  ["no map", "hidden"],
])("broken YAML is not quoted, as it may hold credentials: %s", async (_name, text) => {
  const kubeconfig = await write({});
  await writeFile(kubeconfig, text);
  const error: unknown = await loadKubeConfig({ kubeconfig }).catch((caught: unknown) => caught);
  expect(error).toMatchObject({ code: "config-invalid" });
  const { message, hint } = error as FairleadError;
  expect(`${message} ${hint}`).not.toContain("hidden");
});

test("outside of a pod there is no service account", async () => {
  vi.stubEnv("KUBERNETES_SERVICE_HOST", undefined);
  onTestFinished(() => void vi.unstubAllEnvs());
  await expect(loadKubeConfig({})).rejects.toMatchObject({ code: "config-invalid" });
});
