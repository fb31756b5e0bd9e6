import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  hostWithoutPort,
  isDockerHubHost,
  isRegistryComponent,
  normaliseRegistryHost,
  parseRegistryHost,
  parseSourceRegistry,
  registryIdentity,
  tryParseRegistryHost,
} from "./registry-host.ts";

describe("registry hosts", () => {
  test.each([
    { text: "quay.io", parsed: { host: "quay.io" } },
    { text: "localhost:5000", parsed: { host: "localhost", port: 5000 } },
    { text: "mirror", parsed: { host: "mirror" } },
    { text: "Mirror.Example:443", parsed: { host: "Mirror.Example", port: 443 } },
    { text: "127.0.0.1:1", parsed: { host: "127.0.0.1", port: 1 } },
    { text: "[::1]", parsed: { host: "[::1]" } },
    { text: "[2001:db8::1]:65535", parsed: { host: "[2001:db8::1]", port: 65_535 } },
  ])("$text is taken apart", ({ text, parsed }) => {
    expect(parseRegistryHost(text)).toEqual(parsed);
  });

  test.each([
    { text: "", reason: "is empty" },
    { text: "a b.example", reason: "contains illegal characters" },
    { text: "my_mirror.example", reason: "contains illegal characters" },
    { text: "quay.io/org", reason: "contains illegal characters" },
    { text: "quay.io\n", reason: "contains illegal characters" },
    { text: "https://quay.io", reason: "contains illegal characters" },
    { text: "::1", reason: "is not a host with an optional port" },
    { text: "[::::]", reason: "is not a host with an optional port" },
    { text: "quay.io:", reason: "is not a host with an optional port" },
    { text: "quay.io:0", reason: "is not a host with an optional port" },
    { text: "quay.io:65536", reason: "is not a host with an optional port" },
    { text: "-quay.io", reason: "is not a host with an optional port" },
    { text: "quay..io", reason: "is not a host with an optional port" },
    { text: "a.".repeat(500_000), reason: "is too long" },
  ])("%o is refused", ({ text, reason }) => {
    expect(tryParseRegistryHost(text)).toBeUndefined();
    expect(() => parseRegistryHost(text)).toThrow(
      expect.objectContaining({ code: "input-invalid", message: expect.stringMatching(reason) as unknown }),
    );
  });
});

describe("source registries", () => {
  test.each([
    { text: "docker.io", identity: "docker.io" },
    { text: "docker.io:443", identity: "docker.io" },
    { text: "index.docker.io", identity: "docker.io" },
    { text: "registry.hub.docker.com:443", identity: "docker.io" },
    { text: "Registry-1.Docker.IO", identity: "docker.io" },
    { text: "Quay.IO:5000", identity: "quay.io" },
    { text: "[2001:DB8::1]:5000", identity: "[2001:db8::1]" },
    { text: "registry", identity: "registry" },
  ])("$text is compared as $identity", ({ text, identity }) => {
    expect(parseSourceRegistry(text)).toBe(identity);
    expect(registryIdentity(text)).toBe(identity);
  });

  test.each([
    { text: "foo;bar", message: "Invalid source registry 'foo;bar': contains illegal characters" },
    { text: "a\u001b[1m", message: "Invalid source registry 'a\\x1b[1m': contains illegal characters" },
    { text: "", message: "Invalid source registry '': is empty" },
    { text: "a:b", message: "Invalid source registry 'a:b': is not a host with an optional port" },
  ])("$message", ({ text, message }) => {
    expect(() => parseSourceRegistry(text)).toThrow(
      expect.objectContaining({ code: "input-invalid", message }),
    );
  });

  test.each([
    { text: "https://quay.io", hint: /scheme/u },
    { text: "quay.io/org", hint: /path/u },
    { text: "a;b", hint: /such as quay\.io/u },
  ])("the hint for $text names what is wrong", ({ text, hint }) => {
    expect(() => parseSourceRegistry(text)).toThrow(
      expect.objectContaining({ hint: expect.stringMatching(hint) as unknown }),
    );
  });
});

test.each([
  { component: "localhost", expected: true },
  { component: "quay.io", expected: true },
  { component: "registry:5000", expected: true },
  { component: "[::1]", expected: true },
  { component: "Registry", expected: true },
  { component: "registry", expected: false },
  { component: "library", expected: false },
  { component: "", expected: false },
])("$component is a registry in a reference: $expected", ({ component, expected }) => {
  expect(isRegistryComponent(component)).toBe(expected);
});

test.each([
  { registry: "quay.io:5000", host: "quay.io", normalised: "quay.io:5000" },
  { registry: "Quay.io", host: "Quay.io", normalised: "quay.io" },
  { registry: "[::1]:5000", host: "[::1]", normalised: "[::1]:5000" },
  { registry: "[::1]", host: "[::1]", normalised: "[::1]" },
  { registry: "index.docker.io:443", host: "index.docker.io", normalised: "docker.io:443" },
  { registry: "", host: "", normalised: "" },
])("$registry without its port is $host", ({ registry, host, normalised }) => {
  expect(hostWithoutPort(registry)).toBe(host);
  expect(normaliseRegistryHost(registry)).toBe(normalised);
});

test("only Docker Hub's own hosts are Docker Hub", () => {
  expect(["docker.io", "INDEX.docker.io", "registry-1.docker.io"].every(isDockerHubHost)).toBe(true);
  expect(["xdocker.io", "docker.io.example", "hub.docker.com", "constructor"].some(isDockerHubHost)).toBe(
    false,
  );
});

test("a registry's identity is its own identity, and keeps no port and no capitals", () => {
  const registry = fc
    .tuple(
      fc.constantFrom("Docker.io", "registry-1.docker.io", "a.Example", "[::1]", "localhost"),
      fc.option(fc.nat(65_535)),
    )
    .map(([host, port]) => (port === null ? host : `${host}:${port}`));
  fc.assert(
    fc.property(registry, (text) => {
      const identity = registryIdentity(text);
      expect(registryIdentity(identity)).toBe(identity);
      expect(identity).not.toMatch(/[A-Z]|:[0-9]+$/u);
    }),
    { seed: 2 },
  );
});
