import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FairleadError } from "../../core/error.ts";
import { configJsonSchema, parseConfig } from "./config.ts";
import { createImageKeyMatcher } from "./image-keys.ts";

const file = "fairlead.yaml";

function errorOf(text: string): FairleadError {
  try {
    parseConfig(text, { file });
  } catch (error) {
    if (error instanceof FairleadError) return error;
    throw error;
  }
  throw new Error("the configuration was accepted");
}

const everything = `
target_registry: myharbor.internal:5000/proxied-images
target_type: harbor
source_registries: [docker.io, "quay.io:443"]
exclude_registries:
  - internal-registry.example.com
  - "*.private-domain.io"
path_strategy: keep-registry
library: always
threshold: 98.5
strict: true
image_keys: [customImage, "operator.*.ref"]
registries:
  index.docker.io: { strategy: flat, target_path: hub/proxy }
  ghcr.io: { target: "other.lan:5000/github" }
`;

test("every key is read", () => {
  expect(parseConfig(everything, { file })).toEqual({
    target: { host: "myharbor.internal:5000", basePath: "proxied-images", type: "generic" },
    targetType: "harbor",
    sources: new Set(["docker.io", "quay.io"]),
    excluded: ["internal-registry.example.com", "*.private-domain.io"],
    strategy: "keep-registry",
    library: "always",
    threshold: 98.5,
    strict: true,
    imageKeys: ["customImage", "operator.*.ref"],
    perSource: new Map([
      ["docker.io", { strategy: "flat", targetPath: "hub/proxy" }],
      ["ghcr.io", { target: { host: "other.lan:5000", basePath: "github", type: "generic" } }],
    ]),
  });
});

test.each([
  ["JSON", `{\n\t"source_registries": ["*"]\n}`, "all"],
  ["document 002's example (§6.1.5)", 'exclude_registries:\n  - "cr.private-domain.io"\n', undefined],
  ["an empty file", "", undefined],
  ["comments alone", "# nothing\n", undefined],
])("%s", (_name, text, sources) => {
  expect(parseConfig(text, { file }).sources).toEqual(sources);
});

describe("refuses with its place", () => {
  test.each<[string, string, string, number, number]>([
    ["an unknown key", "strict: true\ntarget_registy: r.lan\n", "Unknown key 'target_registy'", 2, 1],
    ["an unknown key below", "registries:\n  quay.io:\n    path: x\n", "Unknown key 'path'", 3, 5],
    ["a key of the prototype", "registries:\n  __proto__: {}\n", "Unknown key '__proto__'", 2, 3],
    ["a repeated key", "strict: true\nstrict: false\n", "Malformed YAML", 2, 1],
    ["malformed YAML", "strict: [\n", "Malformed YAML", 2, 1],
    ["two documents", "strict: true\n---\nstrict: true\n", "Malformed YAML", 2, 1],
    ["a list", "- strict\n", "Invalid value of the file", 1, 1],
    ["a wrong type", "strict: true\nthreshold: high\n", "Invalid value of 'threshold'", 2, 1],
    ["a threshold over 100", "threshold: 101\n", "Invalid value of 'threshold'", 1, 1],
    ["an unknown strategy", "path_strategy: deep\n", "Invalid value of 'path_strategy'", 1, 1],
    ["an unknown type", "target_type: docker\n", "Invalid value of 'target_type'", 1, 1],
    ["a number for a host", "source_registries:\n  - 1\n", "Invalid value of 'source_registries[0]'", 2, 5],
    [
      "a source registry",
      "source_registries:\n  - quay.io\n  - foo;bar\n",
      "Invalid source registry 'foo;bar': contains illegal characters",
      3,
      5,
    ],
    ["an excluded registry", "exclude_registries: [a/b]\n", "Invalid excluded registry 'a/b'", 1, 22],
    ["a target with a scheme", "target_registry: https://r.lan\n", "Invalid target registry", 1, 1],
    ["a rule's source", "registries:\n  a/b: {}\n", "Invalid source registry 'a/b'", 2, 3],
    ["a rule's target", "registries:\n  a.b:\n    target: harbor\n", "Invalid target registry", 3, 5],
    [
      "a rule's path",
      "registries:\n  a.b: { target_path: ../x }\n",
      "'registries[\"a.b\"].target_path'",
      2,
      10,
    ],
    [
      "two rules for one source",
      "registries:\n  docker.io: {}\n  index.docker.io: {}\n",
      "Two rules for the source registry docker.io",
      3,
      3,
    ],
    [
      "a target and a path",
      "registries:\n  a.b: { target: r.lan, target_path: x }\n",
      "target and target_path exclude each other",
      2,
      3,
    ],
    ["a regular expression", 'image_keys: ["custom(Image)+"]\n', "'image_keys[0]': a pattern is", 1, 14],
  ])("%s", (_name, text, message, line, column) => {
    const error = errorOf(text);
    expect(error.message).toContain(message);
    expect(error.code).toBe("config-invalid");
    expect(error.where).toEqual({ file, line, column });
  });

  test.each([
    ["a large file", "#".repeat(1024 * 1024 + 1), "larger than 1 MiB"],
    ["a deep file", "[".repeat(100_000), "Malformed YAML"],
    [
      "a bomb of aliases",
      `a: &a [x]\n${["b", "c", "d"].map((key, index) => `${key}: &${key} [${Array(50).fill(`*${"abc"[index]}`).join(",")}]`).join("\n")}`,
      "Malformed YAML",
    ],
  ])("%s", (_name, text, message) => {
    const error = errorOf(text);
    expect(error.message).toContain(message);
    expect(error.where.file).toBe(file);
  });

  test("what it quotes cannot reach the terminal", () => {
    expect(errorOf('"a\\u001b[31m": 1').message).toBe("Unknown key 'a\\x1b[31m'");
  });
});

test("any text gives settings or a FairleadError with the file's name", () => {
  const pieces = [
    "registries:",
    "strict: ",
    " - ",
    "\n",
    "docker.io",
    "{",
    "}",
    "[",
    "]",
    "*a",
    "&a ",
    "__proto__: ",
    "\t",
    "'",
  ];
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string())), (parts) => {
      try {
        parseConfig(parts.join(""), { file });
      } catch (error) {
        if (!(error instanceof FairleadError)) throw error;
        expect(error.where.file).toBe(file);
      }
    }),
    { seed: 3, numRuns: 2000 },
  );
});

describe("createImageKeyMatcher", () => {
  test.each([
    ["customImage", "customImage", true],
    ["customImage", "a.b.customImage", true],
    ["customImage", "a.customImage[2]", true],
    ["customImage", "a.customImages", false],
    ["*Image", "a.sidecarImage", true],
    ["operator.*.ref", "operator.sidecar.ref", true],
    ["operator.*.ref", "operator.a.b.ref", true],
    ["operator.*.ref", "my.operator.a.ref", false],
    ["extra[*].ref", "extra[0].ref", true],
    ["ref", "a.ref.b", false],
  ])("%s names %s: %s", (pattern, valuePath, expected) => {
    expect(createImageKeyMatcher([pattern])(valuePath)).toBe(expected);
  });

  test("no pattern names nothing", () => {
    expect(createImageKeyMatcher([])("image")).toBe(false);
  });
});

test("the JSON Schema refuses further keys and describes each", () => {
  const schema = configJsonSchema();
  expect(schema).toMatchObject({ type: "object", additionalProperties: false });
  const properties = schema["properties"] as Readonly<Record<string, { readonly description?: string }>>;
  expect(Object.keys(properties)).toHaveLength(10);
  for (const property of Object.values(properties)) expect(property.description).toMatch(/\.$/u);
});
