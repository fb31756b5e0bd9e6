import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ImageSpec } from "../../reference/image-spec.ts";
import { checkImageSpec } from "./check-image-spec.ts";
import { lowerImageSpec, storedSpecKey, storeSpec, viewImageSpec } from "./stored-spec.ts";

const etcd: ImageSpec = { aci: { name: "coreos.com/etcd", tag: "v2.2.0" } };
const image = "coreos.com/etcd:v2.2.0";
const stored = `{"image":"${image}","imageSpec":{"aci":{"name":"coreos.com/etcd","tag":"v2.2.0"}}}`;

describe("what an API server keeps of a spec", () => {
  test("is the image alone where it tells the spec", () => {
    const spec = { dockerImage: { registry: "gcr.io", name: "test-repo/bar" } };
    expect(lowerImageSpec(spec)).toEqual({ image: "gcr.io/test-repo/bar", stored: undefined });
    expect(storeSpec("nginx", { dockerImage: { registry: "docker.io", name: "library/nginx" } }).stored).toBe(
      undefined,
    );
  });

  test.each([
    { name: "an ACI", spec: etcd, lowered: { image, stored } },
    {
      name: "an official image without its namespace",
      spec: { dockerImage: { registry: "docker.io", name: "nginx" } },
      lowered: {
        image: "docker.io/nginx",
        stored:
          '{"image":"docker.io/nginx","imageSpec":{"dockerImage":{"registry":"docker.io","name":"nginx"}}}',
      },
    },
  ])("has an annotation for $name", ({ spec, lowered }) => {
    expect(lowerImageSpec(spec)).toEqual(lowered);
  });

  test("has one annotation for each container", () => {
    expect(storedSpecKey("etcd")).toBe("image-spec.fairlead.dev/etcd");
  });
});

describe("what new clients see", () => {
  const derived = { dockerImage: { registry: "coreos.com", name: "etcd", tag: "v2.2.0" } };
  test.each([
    { name: "the annotation, while it belongs to the image", value: stored, spec: etcd },
    { name: "the image, without an annotation", value: undefined, spec: derived },
    {
      name: "the image, where the annotation is stale",
      value: stored.replace("v2.2.0", "v1"),
      spec: derived,
    },
    { name: "the image, where the annotation is no JSON", value: "{", spec: derived },
    { name: "the image, where the annotation is null", value: "null", spec: derived },
    {
      name: "the image, where the annotation holds no valid spec",
      value: stored.replace("aci", "java"),
      spec: derived,
    },
    {
      name: "the image, where the annotation's spec stands for another one",
      value: `{"image":"${image}","imageSpec":{"aci":{"name":"other.example/etcd"}}}`,
      spec: derived,
    },
    {
      name: "the image, where the annotation is nested too deep",
      value: `{"image":"${image}","imageSpec":{"aci":${"[".repeat(100_000)}${"]".repeat(100_000)}}}`,
      spec: derived,
    },
    { name: "the annotation, in whatever order it is written", value: reordered(), spec: etcd },
  ])("is $name", ({ value, spec }) => {
    expect(viewImageSpec(image, value)).toEqual(spec);
  });

  test("is nothing of an image that cannot be parsed", () => {
    expect(viewImageSpec("BAD Name", stored)).toBeUndefined();
  });
});

function reordered(): string {
  return JSON.stringify({ imageSpec: { aci: { tag: "v2.2.0", name: "coreos.com/etcd" } }, image });
}

const part = fc.constantFrom("a", "etcd", "library", "x-y", "a_b", "a.b", "v2", "1.10", "0");
const optional = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> =>
  fc.option(value, { nil: undefined });
const path = fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("/"));
const hex = (length: number): fc.Arbitrary<string> =>
  fc
    .array(fc.constantFrom(..."0123456789abcdef".split("")), { minLength: length, maxLength: length })
    .map((all) => all.join(""));
const arbitrarySpec = fc.oneof(
  fc.record({
    dockerImage: fc.record({
      registry: fc.constantFrom(
        "docker.io",
        "quay.io",
        "localhost",
        "localhost:5000",
        "[::1]:5000",
        "UPPER",
        "10.0.0.1",
      ),
      name: path,
      tag: optional(part),
      digest: optional(hex(64).map((digest) => `sha256:${digest}`)),
    }),
  }),
  fc.record({
    aci: fc.record({
      name: path,
      tag: optional(part),
      id: optional(hex(128).map((digest) => `sha512-${digest}`)),
    }),
  }),
);

test("a spec comes back from what is kept of it", () => {
  let valid = 0;
  fc.assert(
    fc.property(arbitrarySpec, (value) => {
      const { spec } = checkImageSpec(value, "imageSpec");
      if (spec === undefined) return;
      valid++;
      const lowered = lowerImageSpec(spec);
      expect(viewImageSpec(lowered.image, lowered.stored)).toEqual(spec);
      // No change of bytes, or pods would be rolled.
      expect(storeSpec(lowered.image, spec)).toEqual(lowered);
    }),
    { numRuns: 3000, seed: 4 },
  );
  expect(valid).toBeGreaterThan(2000);
});
