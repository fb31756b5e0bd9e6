import { describe, expect, test } from "vitest";
import { parseReference } from "../../reference/reference.ts";
import { libraryRuleFor, type LibraryRule } from "./library.ts";
import { createStrategy, strategyNames } from "./strategies.ts";
import type { StrategyName } from "./strategy.ts";

function pathOf(name: StrategyName, text: string, library: LibraryRule): string {
  return createStrategy(name).targetPath(parseReference(text), { library });
}

describe("prefix-source-registry sanitises the registry (document 002, §8.1)", () => {
  test.each([
    ["dots are removed", "gcr.io/a/b", "gcrio/a/b"],
    ["k8s.gcr.io", "k8s.gcr.io/pause:3.2", "k8sgcrio/pause"],
    ["dashes are kept", "my-mirror.example.com/a", "my-mirrorexamplecom/a"],
    ["the port is removed", "registry:5000/a", "registry/a"],
    ["capitals", "Registry.Example.COM/a", "registryexamplecom/a"],
    ["Docker Hub's old index", "index.docker.io/bitnami/redis", "dockerio/bitnami/redis"],
    ["Docker Hub's website", "registry.hub.docker.com/bitnami/redis", "dockerio/bitnami/redis"],
    ["IPv6", "[2001:db8::1]:5000/a", "2001db81/a"],
    ["IPv4", "10.0.0.1:5000/a", "10001/a"],
  ])("%s", (_name, text, expected) => {
    expect(pathOf("prefix-source-registry", text, "table")).toBe(expected);
  });
});

describe("keep-registry keeps the host", () => {
  test.each([
    ["dots", "quay.io/org/app", "quay.io/org/app"],
    ["Docker Hub, implicit", "nginx", "docker.io/library/nginx"],
    ["a port", "mirror.lan:5000/app", "mirror.lan_5000/app"],
    ["capitals", "Mirror.LAN/app", "mirror.lan/app"],
    ["IPv6", "[::1]:5000/app", "0.0.1_5000/app"],
    ["IPv6 without a port", "[2001:DB8::1]/app", "2001.db8.0.1/app"],
  ])("%s", (_name, text, expected) => {
    expect(pathOf("keep-registry", text, "table")).toBe(expected);
  });
});

describe("flat drops the registry (document 002, §8.2)", () => {
  test.each([
    ["a path", "docker.io/bitnami/redis:latest", "bitnami/redis"],
    ["a host with a port", "registry:5000/a/b/c", "a/b/c"],
    ["implicit", "redis", "library/redis"],
  ])("%s", (_name, text, expected) => {
    expect(pathOf("flat", text, "table")).toBe(expected);
  });
});

describe("library/", () => {
  test.each([
    ["nginx", "library/nginx", "library/nginx", "nginx"],
    ["docker.io/nginx", "nginx", "library/nginx", "nginx"],
    ["docker.io/library/nginx", "library/nginx", "library/nginx", "nginx"],
    ["library/nginx", "library/nginx", "library/nginx", "nginx"],
    ["index.docker.io/nginx", "nginx", "library/nginx", "nginx"],
    ["registry.hub.docker.com/nginx", "nginx", "library/nginx", "nginx"],
    ["registry.hub.docker.com/library/nginx", "library/nginx", "library/nginx", "nginx"],
    ["bitnami/redis", "bitnami/redis", "bitnami/redis", "bitnami/redis"],
    ["docker.io/library/a/b", "library/a/b", "library/a/b", "library/a/b"],
    ["quay.io/library/nginx", "library/nginx", "library/nginx", "library/nginx"],
    ["quay.io/nginx", "nginx", "nginx", "nginx"],
  ])("%s", (text, table, always, never) => {
    expect(pathOf("flat", text, "table")).toBe(table);
    expect(pathOf("flat", text, "always")).toBe(always);
    expect(pathOf("flat", text, "never")).toBe(never);
  });

  test("ECR turns table into always, and leaves never alone", () => {
    expect(libraryRuleFor("table", "ecr")).toBe("always");
    expect(libraryRuleFor("never", "ecr")).toBe("never");
    expect(libraryRuleFor("table", "harbor")).toBe("table");
  });
});

test("the default strategy is named first, and each is under its name", () => {
  expect(strategyNames).toEqual(["prefix-source-registry", "flat", "keep-registry"]);
  for (const name of strategyNames) expect(createStrategy(name).name).toBe(name);
});
