import { describe, expect, test } from "vitest";
import { FairleadError } from "../../core/error.ts";
import { formatReference, parseReference } from "../../reference/reference.ts";
import { createRelocator } from "../relocator.ts";
import { parseRegistryMappings } from "./registry-mappings.ts";
import { mergeSettings } from "./settings.ts";

const file = "registry-mappings.yaml";

const mappings = `
version: "1.0"
registries:
  mappings:
    - source: docker.io
      target: harbor.lan/docker
      enabled: true
      description: Docker Hub
    - source: quay.io
      target: harbor.lan:8443/quay/proxy
    - source: gcr.io
      target: harbor.lan/gcr
      enabled: false
  defaultTarget: harbor.lan/other
  strictMode: false
compatibility:
  ignoreEmptyFields: true
`;

test("enabled mappings become rules, the default target the target", () => {
  expect(parseRegistryMappings(mappings, { file })).toEqual({
    target: { host: "harbor.lan", basePath: "other", type: "harbor" },
    perSource: new Map([
      ["docker.io", { target: { host: "harbor.lan", basePath: "docker", type: "harbor" } }],
      ["quay.io", { target: { host: "harbor.lan:8443", basePath: "quay/proxy", type: "harbor" } }],
    ]),
    requireRule: false,
  });
});

test("the older form has its mappings at the top", () => {
  const text = "mappings:\n  - source: docker.io\n    target: harbor.lan/docker\n";
  expect(parseRegistryMappings(text, { file }).perSource?.get("docker.io")?.target?.basePath).toBe("docker");
});

test.each([
  ["docker.io/bitnami/redis:7", "harbor.lan/docker/bitnami/redis:7"],
  ["nginx", "harbor.lan/docker/library/nginx"],
  ["quay.io/a/b:1", "harbor.lan:8443/quay/proxy/a/b:1"],
  ["gcr.io/a/b:1", "harbor.lan/other/gcrio/a/b:1"],
])("%s goes to %s", (source, expected) => {
  const { relocation } = mergeSettings({}, {}, parseRegistryMappings(mappings, { file }));
  const { reference } = createRelocator(relocation).relocate(parseReference(source));
  expect(formatReference(reference)).toBe(expected);
});

const entry = "registries:\n  mappings:\n    - source: docker.io\n      target: harbor.lan/docker\n";

describe("refuses with its place", () => {
  test.each<[string, string, string, number, number]>([
    ["an empty file", "", "one of registries.mappings and mappings is needed", 1, 1],
    ["no mapping", "registries:\n  mappings: []\n", "'registries.mappings'", 2, 3],
    ["an unknown key", `${entry}      enabeld: false\n`, "Unknown key 'enabeld'", 5, 7],
    ["a missing target", "mappings:\n  - source: quay.io\n", "'mappings[0].target'", 2, 5],
    ["a source", entry.replace("docker.io", "foo;bar"), "Invalid source registry 'foo;bar'", 3, 7],
    ["a target", entry.replace("harbor.lan", "https://harbor.lan"), "has a scheme", 4, 7],
    [
      "two mappings for one source",
      `${entry}    - source: index.docker.io\n      target: harbor.lan/x\n`,
      "Two enabled mappings for docker.io",
      5,
      7,
    ],
    ["a default target", `${entry}  defaultTarget: harbor\n`, "Invalid target registry 'harbor'", 5, 3],
  ])("%s", (_name, text, message, line, column) => {
    expect.assertions(3);
    try {
      parseRegistryMappings(text, { file });
    } catch (error) {
      const { code, message: actual, where } = error as FairleadError;
      expect(actual).toContain(message);
      expect(code).toBe("config-invalid");
      expect(where).toEqual({ file, line, column });
    }
  });
});
