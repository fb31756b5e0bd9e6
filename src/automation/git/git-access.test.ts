import { describe, expect, test } from "vitest";
import type { Secret } from "../../objects/secret.ts";
import type { GitRepository } from "../objects/git-repository.ts";
import { readGitAccess } from "./git-access.ts";

type Texts = Readonly<Record<string, string>>;

const meta = { namespace: "ns", name: "r", labels: {}, annotations: {}, generation: 1, where: {} };

function read(
  url: string,
  texts?: Texts,
  { proxy, provider = "generic" }: { proxy?: Texts; provider?: GitRepository["spec"]["provider"] } = {},
): ReturnType<typeof readGitAccess> {
  const secrets = new Map<string, Secret>();
  const add = (name: string, entries: Texts): void => {
    const data = Object.fromEntries(Object.entries(entries).map(([key, text]) => [key, Buffer.from(text)]));
    secrets.set(`ns/${name}`, { kind: "Secret", meta: { ...meta, name }, type: "Opaque", data });
  };
  if (texts !== undefined) add("git", texts);
  if (proxy !== undefined) add("proxy", proxy);
  const spec = {
    url,
    provider,
    timeoutMs: 1000,
    ...(texts === undefined ? {} : { secretRef: { name: "git" } }),
    ...(proxy === undefined ? {} : { proxySecretRef: { name: "proxy" } }),
  };
  return readGitAccess({ kind: "GitRepository", meta, spec }, secrets);
}

const key = { identity: "k", known_hosts: "h" };

describe("how a repository is reached", () => {
  test.each<[name: string, url: string, texts: Texts | undefined, expected: object]>([
    [
      "by anybody",
      "https://example.com/r.git",
      undefined,
      { url: "https://example.com/r.git", transport: "http" },
    ],
    [
      "with a password",
      "https://example.com/r.git",
      { username: "a", password: "b" },
      { url: "https://example.com/r.git", transport: "http", basic: { username: "a", password: "b" } },
    ],
    [
      "with what the URL holds, which it then does not",
      "https://a%40b:c%2F@example.com/r.git",
      undefined,
      { url: "https://example.com/r.git", transport: "http", basic: { username: "a@b", password: "c/" } },
    ],
    [
      "with the Secret before the URL",
      "https://x:y@example.com/r.git",
      { username: "a", password: "b" },
      { url: "https://example.com/r.git", transport: "http", basic: { username: "a", password: "b" } },
    ],
    [
      "with a token before a password",
      "https://example.com/r.git",
      { bearerToken: "t\n", username: "a", password: "b" },
      { url: "https://example.com/r.git", transport: "http", bearerToken: "t" },
    ],
    [
      "with certificates under older names",
      "https://example.com/r.git",
      { caFile: "ca", certFile: "cert", keyFile: "key" },
      {
        url: "https://example.com/r.git",
        transport: "http",
        ca: "ca",
        clientCertificate: { cert: "cert", key: "key" },
      },
    ],
    [
      "by ssh, as git",
      "ssh://example.com:2222/org/r.git",
      key,
      {
        url: "ssh://git@example.com:2222/org/r.git",
        transport: "ssh",
        ssh: { identity: "k", knownHosts: "h", passphrase: "" },
      },
    ],
    [
      "by ssh, as somebody",
      "ssh://bot@example.com/org/r.git",
      { ...key, password: "p" },
      {
        url: "ssh://bot@example.com/org/r.git",
        transport: "ssh",
        ssh: { identity: "k", knownHosts: "h", passphrase: "p" },
      },
    ],
  ])("%s", (_name, url, texts, expected) => {
    expect(read(url, texts)).toEqual(expected);
  });

  test("with a provider, which gives the token", () => {
    const texts = { username: "a", password: "b", bearerToken: "c", "ca.crt": "ca" };
    expect(read("https://x:y@example.com/r.git", texts, { provider: "azure" })).toEqual({
      url: "https://example.com/r.git",
      transport: "http",
      ca: "ca",
    });
  });

  test("through a proxy", () => {
    const proxy = { address: "http://proxy.example.com:3128", username: "a", password: "b/c" };
    expect(read("https://example.com/r.git", undefined, { proxy }).proxyUrl).toBe(
      "http://a:b%2Fc@proxy.example.com:3128/",
    );
  });
});

describe("is refused", () => {
  test.each<[name: string, url: string, texts: Texts | undefined, code: string]>([
    ["a file", "file:///etc", undefined, "config-invalid"],
    ["a program", "ext::sh -c id", undefined, "config-invalid"],
    ["a path", "/srv/r.git", undefined, "config-invalid"],
    ["a short form of ssh", "git@example.com:org/r.git", undefined, "config-invalid"],
    ["a host that is an option", "ssh://-oProxyCommand=id/r.git", key, "config-invalid"],
    ["a query", "https://example.com/r.git?x", undefined, "config-invalid"],
    ["a password without a user", "https://example.com/r.git", { password: "b" }, "credentials-invalid"],
    ["a token of two lines", "https://example.com/r.git", { bearerToken: "a\nb: c" }, "credentials-invalid"],
    ["a certificate without a key", "https://example.com/r.git", { "tls.crt": "c" }, "credentials-invalid"],
    ["ssh without a Secret", "ssh://example.com/r.git", undefined, "credentials-invalid"],
    ["ssh without known hosts", "ssh://example.com/r.git", { identity: "k" }, "credentials-invalid"],
    ["ssh without a key", "ssh://example.com/r.git", { known_hosts: "h" }, "credentials-invalid"],
  ])("%s", (_name, url, texts, code) => {
    expect(() => read(url, texts)).toThrow(expect.objectContaining({ code }));
  });

  test.each([
    ["by ssh", "ssh://example.com/r.git", "the provider github wants an https URL"],
    ["by plain http", "http://example.com/r.git", "the provider github wants an https URL"],
  ])("a provider %s", (_name, url, message) => {
    expect(() => read(url, key, { provider: "github" })).toThrow(message);
  });

  test("a GitHub App without its provider", () => {
    expect(() => read("https://github.com/o/r", { githubAppID: "1" })).toThrow(
      "the Secret ns/git describes a GitHub App, which wants spec.provider github",
    );
  });

  test("a proxy for ssh", () => {
    const proxy = { address: "http://proxy.example.com" };
    expect(() => read("ssh://example.com/r.git", key, { proxy })).toThrow(/a proxy cannot be used with ssh/u);
  });

  test("a proxy without an address", () => {
    expect(() => read("https://example.com/r.git", undefined, { proxy: {} })).toThrow(/has no address/u);
  });
});
