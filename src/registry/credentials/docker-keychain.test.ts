import { chmod, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createTempDir, type TempDir } from "../../../test/support/temp-dir.ts";
import { parseReference } from "../../reference/reference.ts";
import type { Credentials } from "../registry-api.ts";
import { createDockerKeychain } from "./docker-keychain.ts";

let home: TempDir;

beforeEach(async () => {
  home = await createTempDir("docker-keychain");
});

afterEach(async () => {
  await home.remove();
});

function basic(user: string, password = "pw"): object {
  return { auth: Buffer.from(`${user}:${password}`).toString("base64") };
}

async function writeConfig(config: unknown, file = ".docker/config.json"): Promise<string> {
  const full = path.join(home.path, file);
  await mkdir(path.dirname(full), { recursive: true });
  await writeFile(full, typeof config === "string" ? config : JSON.stringify(config));
  return full;
}

/** A real program on PATH that writes down what it is given and prints what it is told to. */
async function writeHelper(name: string, answer: string, exitCode = 0): Promise<void> {
  const bin = path.join(home.path, "bin");
  await mkdir(bin, { recursive: true });
  const file = path.join(bin, `docker-credential-${name}`);
  await writeFile(path.join(bin, "answer"), answer);
  await writeFile(
    file,
    `#!/bin/sh\n{ echo "$1"; cat; echo; } >> '${bin}/asked'\ncat '${bin}/answer'\nexit ${exitCode}\n`,
  );
  await chmod(file, 0o755);
}

async function asked(): Promise<string[]> {
  return (await readFile(path.join(home.path, "bin/asked"), "utf8")).trim().split("\n");
}

async function find(image: string, env: Record<string, string> = {}): Promise<Credentials | undefined> {
  const search = `${home.path}/bin:${process.env["PATH"] ?? ""}`;
  const keychain = createDockerKeychain({ env: { HOME: home.path, PATH: search, ...env } });
  return keychain.find(parseReference(image));
}

test.each([
  { name: "a host", auths: { "quay.io": basic("a") }, image: "quay.io/team/app", user: "a" },
  { name: "a host with its port", auths: { "e.com:5000": basic("a") }, image: "e.com:5000/app", user: "a" },
  { name: "not another port", auths: { "e.com": basic("a") }, image: "e.com:5000/app", user: undefined },
  { name: "a scheme", auths: { "https://quay.io": basic("a") }, image: "quay.io/app", user: "a" },
  {
    name: "a scheme and any path",
    auths: { "https://e.com/v2/x": basic("a") },
    image: "e.com/app",
    user: "a",
  },
  { name: "the API's path", auths: { "quay.io/v1/": basic("a") }, image: "quay.io/app", user: "a" },
  { name: "Docker Hub", auths: { "https://index.docker.io/v1/": basic("a") }, image: "nginx", user: "a" },
  { name: "Docker Hub's host", auths: { "docker.io": basic("a") }, image: "org/app:1", user: "a" },
  {
    name: "docker's own key before others",
    auths: { "docker.io": basic("a"), "https://index.docker.io/v1/": basic("b") },
    image: "nginx",
    user: "b",
  },
  {
    name: "the longest path",
    auths: { "quay.io": basic("a"), "quay.io/team": basic("b"), "quay.io/tea": basic("c") },
    image: "quay.io/team/app",
    user: "b",
  },
  {
    name: "whole parts of a path",
    auths: { "quay.io/te": basic("a") },
    image: "quay.io/team",
    user: undefined,
  },
  {
    name: "user and password",
    auths: { "e.com": { username: "a", password: "p" } },
    image: "e.com/x",
    user: "a",
  },
  { name: "nothing in an empty entry", auths: { "quay.io": {} }, image: "quay.io/app", user: undefined },
  {
    name: "only the entry that counts",
    auths: { "e.com": { auth: "broken" }, "quay.io": basic("a") },
    image: "quay.io/app",
    user: "a",
  },
  { name: "no prototype", auths: {}, image: "constructor.example/app", user: undefined },
])("finds by $name", async ({ auths, image, user }) => {
  await writeConfig({ auths });
  expect(await find(image)).toEqual(
    user === undefined
      ? undefined
      : { kind: "basic", username: user, password: expect.any(String) as string },
  );
});

test("no file is no credentials", async () => {
  expect(await find("quay.io/app")).toBeUndefined();
  expect(await createDockerKeychain({ env: {} }).find(parseReference("quay.io/app"))).toBeUndefined();
});

test.each([
  { name: "DOCKER_CONFIG", file: "d/config.json", env: (at: string) => ({ DOCKER_CONFIG: `${at}/d` }) },
  {
    name: "REGISTRY_AUTH_FILE",
    file: "a.json",
    env: (at: string) => ({ REGISTRY_AUTH_FILE: `${at}/a.json` }),
  },
])("$name goes before the folder of HOME", async ({ file, env }) => {
  await writeConfig({ auths: { "quay.io": basic("home") } });
  await writeConfig({ auths: { "ghcr.io": basic("named") } }, file);
  expect(await find("ghcr.io/app", env(home.path))).toMatchObject({ username: "named" });
  expect(await find("quay.io/app", env(home.path))).toBeUndefined();
});

test.each([
  {
    name: "the runtime folder",
    file: "run/containers/auth.json",
    env: (at: string) => ({ XDG_RUNTIME_DIR: `${at}/run` }),
  },
  { name: "the settings folder", file: ".config/containers/auth.json", env: () => ({}) },
])("podman's file in $name counts where docker has none", async ({ file, env }) => {
  await writeConfig({ auths: { "quay.io/team": basic("podman") } }, file);
  expect(await find("quay.io/team/app", env(home.path))).toMatchObject({ username: "podman" });
});

test("a file that is named goes before all others", async () => {
  await writeConfig({ auths: { "quay.io": basic("home"), "ghcr.io": basic("home") } });
  const configFile = await writeConfig({ auths: { "quay.io": basic("named") } }, "helm/config.json");
  const given = JSON.stringify({ auths: { "quay.io": basic("variable") } });
  const keychain = createDockerKeychain({ configFile, env: { HOME: home.path, DOCKER_AUTH_CONFIG: given } });
  expect(await keychain.find(parseReference("quay.io/app"))).toMatchObject({ username: "named" });
  expect(await keychain.find(parseReference("ghcr.io/app"))).toBeUndefined();
});

test("DOCKER_AUTH_CONFIG goes before the file", async () => {
  await writeConfig({ auths: { "quay.io": basic("file"), "ghcr.io": basic("file") } });
  const env = { DOCKER_AUTH_CONFIG: JSON.stringify({ auths: { "quay.io": basic("variable") } }) };
  expect(await find("quay.io/app", env)).toMatchObject({ username: "variable" });
  expect(await find("ghcr.io/app", env)).toMatchObject({ username: "file" });
});

test.each([
  { name: "a link", make: async (file: string) => symlink(file, path.join(home.path, "d/config.json")) },
])("a config behind $name is read", async ({ make }) => {
  const file = await writeConfig({ auths: { "quay.io": basic("a") } }, "real.json");
  await mkdir(path.join(home.path, "d"));
  await make(file);
  expect(await find("quay.io/app", { DOCKER_CONFIG: `${home.path}/d` })).toMatchObject({ username: "a" });
});

const answer = JSON.stringify({ ServerURL: "x", Username: "robot", Secret: "s3cret" });

test.each([
  { name: "credsStore", config: { credsStore: "desktop" }, image: "quay.io/app", server: "quay.io" },
  {
    name: "credHelpers",
    config: { credHelpers: { "e.com:5000": "desktop" } },
    image: "e.com:5000/a",
    server: "e.com:5000",
  },
  {
    name: "Docker Hub",
    config: { credsStore: "desktop" },
    image: "nginx",
    server: "https://index.docker.io/v1/",
  },
  {
    name: "Docker Hub by its host",
    config: { credHelpers: { "docker.io": "desktop" } },
    image: "nginx",
    server: "https://index.docker.io/v1/",
  },
])("a helper is asked for $name", async ({ config, image, server }) => {
  await writeHelper("desktop", answer);
  await writeConfig({ auths: { [server]: basic("file") }, ...config });
  expect(await find(image)).toEqual({ kind: "basic", username: "robot", password: "s3cret" });
  expect(await asked()).toEqual(["get", server]);
});

test.each([
  {
    name: "an identity token",
    answer: '{"Username": "<token>", "Secret": "t"}',
    exitCode: 0,
    found: { kind: "identity-token", token: "t" },
  },
  {
    name: "nothing in docker's words",
    answer: "credentials not found in native keychain\n",
    exitCode: 1,
    found: undefined,
  },
  { name: "an empty secret", answer: '{"Username": "", "Secret": ""}', exitCode: 0, found: undefined },
])("a helper gives $name", async ({ answer: text, exitCode, found }) => {
  await writeHelper("desktop", text, exitCode);
  await writeConfig({ credsStore: "desktop", auths: { "quay.io": basic("stale") } });
  expect(await find("quay.io/app")).toEqual(found);
});

test("an empty name takes the file in place of the store", async () => {
  await writeConfig({ credsStore: "none", credHelpers: { "quay.io": "" }, auths: { "quay.io": basic("a") } });
  expect(await find("quay.io/app")).toMatchObject({ username: "a" });
});

test("a helper is asked once for many images of a registry", async () => {
  await writeHelper("desktop", answer);
  await writeConfig({ credsStore: "desktop" });
  const keychain = createDockerKeychain({
    env: { HOME: home.path, PATH: `${home.path}/bin:${process.env["PATH"] ?? ""}` },
  });
  const images = ["quay.io/a", "quay.io/b", "quay.io/c"].map((image) => parseReference(image));
  await Promise.all(images.map(async (image) => keychain.find(image)));
  expect(await asked()).toHaveLength(2);
});

test.each([
  { name: "a path", helper: "../../bin/evil" },
  { name: "an absolute path", helper: "/bin/evil" },
  { name: "a flag", helper: "-x" },
  { name: "blanks", helper: "a b" },
  { name: "a NUL", helper: "a\0b" },
  { name: "nothing but dots", helper: ".." },
])("a helper whose name is $name is not run", async ({ helper }) => {
  await writeConfig({ credsStore: helper });
  await expect(find("quay.io/app")).rejects.toMatchObject({ code: "credentials-invalid" });
});

const hidden = "hunter2-secret";

test.each([
  { name: "a helper that fails", answer: `cannot unlock ${hidden}`, exitCode: 1 },
  { name: "a helper that prints no JSON", answer: hidden, exitCode: 0 },
  {
    name: "a helper that prints something else",
    answer: `{"Username": "u", "Secret": ["${hidden}"]}`,
    exitCode: 0,
  },
])("$name is refused without a word of what it said", async ({ answer: text, exitCode }) => {
  await writeHelper("desktop", text, exitCode);
  await writeConfig({ credsStore: "desktop" });
  const failure: unknown = await find("quay.io/app").catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: "credentials-invalid" });
  expect(String(failure)).not.toContain(hidden);
});

test("a helper that is not there is told by its name", async () => {
  await writeConfig({ credsStore: "absent" });
  await expect(find("quay.io/app")).rejects.toMatchObject({
    code: "tool-missing",
    message: expect.stringContaining("docker-credential-absent") as string,
  });
});

test.each([
  { name: "no JSON", text: `{"auths": {"quay.io": "${hidden}"` },
  { name: "a wrong credsStore", text: `{"credsStore": {"${hidden}": 1}}` },
  { name: "wrong credHelpers", text: `{"credHelpers": {"quay.io": ["${hidden}"]}}` },
  { name: "a wrong entry", text: `{"auths": {"quay.io": {"auth": "${hidden}!"}}}` },
  { name: "too much", text: JSON.stringify({ auths: {}, more: hidden.repeat(100_000) }) },
])("a config with $name is refused with its file and without a word of it", async ({ text }) => {
  const file = await writeConfig(text);
  const failure: unknown = await find("quay.io/app").catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: "credentials-invalid", where: { file } });
  expect(JSON.stringify([String(failure), failure])).not.toContain(hidden);
});

test("a folder in place of the config is refused", async () => {
  await mkdir(path.join(home.path, ".docker/config.json"), { recursive: true });
  await expect(find("quay.io/app")).rejects.toMatchObject({ code: "credentials-invalid" });
});
