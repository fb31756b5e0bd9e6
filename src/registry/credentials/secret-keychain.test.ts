import { expect, test } from "vitest";
import { parseReference } from "../../reference/reference.ts";
import { joinKeychains } from "./joined-keychain.ts";
import { createSecretKeychain, type PullSecret } from "./secret-keychain.ts";

function secret(auths: object, name = "pull"): PullSecret {
  const text = Buffer.from(JSON.stringify({ auths }));
  const meta = { namespace: "shop", name };
  return { meta, type: "kubernetes.io/dockerconfigjson", data: { ".dockerconfigjson": text } };
}

function basic(user: string): object {
  return { auth: Buffer.from(`${user}:${user}-password`).toString("base64") };
}

async function userFor(image: string, ...secrets: readonly PullSecret[]): Promise<string | undefined> {
  const found = await createSecretKeychain(secrets).find(parseReference(image));
  return found?.kind === "basic" ? found.username : undefined;
}

test.each([
  { name: "a host", auths: { "quay.io": basic("a") }, image: "quay.io/team/app:1", user: "a" },
  { name: "another host", auths: { "quay.io": basic("a") }, image: "ghcr.io/team/app", user: undefined },
  {
    name: "the longest path",
    auths: { "quay.io": basic("a"), "quay.io/team": basic("b"), "quay.io/team/x": basic("c") },
    image: "quay.io/team/app",
    user: "b",
  },
  {
    name: "a host before a pattern",
    auths: { "*.example.com": basic("a"), "eu.example.com": basic("b") },
    image: "eu.example.com/app",
    user: "b",
  },
  {
    name: "a pattern for one label",
    auths: { "*.example.com": basic("a") },
    image: "a.b.example.com/app",
    user: undefined,
  },
  {
    name: "another port",
    auths: { "eu.example.com": basic("a") },
    image: "eu.example.com:5000/app",
    user: undefined,
  },
  {
    name: "Docker Hub's old key",
    auths: { "https://index.docker.io/v1/": basic("a") },
    image: "nginx",
    user: "a",
  },
  { name: "an IPv6 host", auths: { "[::1]:5000": basic("a") }, image: "[::1]:5000/app", user: "a" },
  { name: "a key that is no URL", auths: { "a:b:c": basic("a") }, image: "quay.io/app", user: undefined },
  { name: "an entry without credentials", auths: { "quay.io": {} }, image: "quay.io/app", user: undefined },
])("finds by $name", async ({ auths, image, user }) => {
  expect(await userFor(image, secret(auths))).toBe(user);
});

test("the longest match wins across secrets", async () => {
  const [host, team] = [secret({ "quay.io": basic("a") }), secret({ "quay.io/team": basic("b") })];
  expect(await userFor("quay.io/team/app", host, team)).toBe("b");
});

test("the first keychain that finds something wins", async () => {
  const first = createSecretKeychain([secret({ "quay.io": basic("a") })]);
  const second = createSecretKeychain([secret({ "quay.io/team": basic("b"), "ghcr.io": basic("c") })]);
  const joined = joinKeychains(first, second);
  expect(await joined.find(parseReference("quay.io/team/app"))).toMatchObject({ username: "a" });
  expect(await joined.find(parseReference("ghcr.io/team/app"))).toMatchObject({ username: "c" });
  expect(await joined.find(parseReference("gcr.io/team/app"))).toBeUndefined();
});

test.each([
  { name: "identity token", entry: { ...basic("a"), identitytoken: "t" }, kind: "identity-token" },
  { name: "registry token", entry: { identitytoken: "i", registrytoken: "t" }, kind: "registry-token" },
])("an $name goes before a password", async ({ entry, kind }) => {
  const found = await createSecretKeychain([secret({ "quay.io": entry })]).find(
    parseReference("quay.io/app"),
  );
  expect(found).toEqual({ kind, token: "t" });
});

const hidden = "hunter2-secret";

test.each([
  { name: "no JSON", text: `{"auths": ${hidden}` },
  { name: "a list", text: `["${hidden}"]` },
  { name: "auths that is no object", text: `{"auths": "${hidden}"}` },
  { name: "an auth that is not base64", text: `{"auths": {"quay.io": {"auth": "${hidden}!"}}}` },
  {
    name: "an auth without a colon",
    text: `{"auths": {"quay.io": {"auth": "${Buffer.from(hidden).toString("base64")}"}}}`,
  },
  { name: "a password that is a number", text: `{"auths": {"${hidden}": {"password": 1}}}` },
  { name: "too large", text: `{"auths": {}, "x": "${"y".repeat(1024 * 1024)}"}` },
])("a Secret with $name is refused without a word of it", ({ text }) => {
  const { meta, type } = secret({});
  const data = { ".dockerconfigjson": Buffer.from(text) };
  const refused = expect(() => createSecretKeychain([{ meta, type, data }]));
  refused.toThrow(
    expect.objectContaining({ code: "credentials-invalid", where: { file: "Secret shop/pull" } }),
  );
  refused.not.toThrow(hidden);
});
