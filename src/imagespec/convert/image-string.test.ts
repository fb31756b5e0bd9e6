import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { deriveImageSpec, equalImageSpecs, formatImage, formatImageSpec } from "./image-string.ts";

const sha256 = `sha256:${"0123456789abcdef".repeat(4)}`;
const sha512 = "0123456789abcdef".repeat(8);

describe("the spec that an image stands for", () => {
  test.each([
    { image: "nginx", spec: { registry: "docker.io", name: "library/nginx" } },
    { image: "test-repo/foo", spec: { registry: "docker.io", name: "test-repo/foo" } },
    { image: "gcr.io/test-repo/bar", spec: { registry: "gcr.io", name: "test-repo/bar" } },
    { image: "index.docker.io/a:1", spec: { registry: "docker.io", name: "library/a", tag: "1" } },
    { image: "test:5000", spec: { registry: "docker.io", name: "library/test", tag: "5000" } },
    { image: `localhost/a@${sha256}`, spec: { registry: "localhost", name: "a", digest: sha256 } },
    {
      image: `[::1]:5000/a:b@${sha256}`,
      spec: { registry: "[::1]:5000", name: "a", tag: "b", digest: sha256 },
    },
  ])("$image", ({ image, spec }) => {
    expect(deriveImageSpec(image)).toEqual({ dockerImage: spec });
  });

  test.each([
    "BAD Name",
    " ",
    "",
    "a:",
    "a".repeat(64).replaceAll("a", "0"),
    "{{ .Values.image }}",
    "nginx\n",
  ])("%j stands for none", (image) => {
    expect(deriveImageSpec(image)).toBeUndefined();
  });
});

describe("the image that old clients see", () => {
  test.each([
    {
      spec: { dockerImage: { registry: "docker.io", name: "test-repo/foo" } },
      image: "docker.io/test-repo/foo",
    },
    {
      spec: { dockerImage: { registry: "quay.io", name: "a", tag: "1", digest: sha256 } },
      image: `quay.io/a:1@${sha256}`,
    },
    { spec: { aci: { name: "coreos.com/etcd", tag: "v2.2.0" } }, image: "coreos.com/etcd:v2.2.0" },
    { spec: { aci: { name: "coreos.com/flannel" } }, image: "coreos.com/flannel" },
    {
      spec: { aci: { name: "coreos.com/etcd", tag: "v2", id: `sha512-${sha512}` } },
      image: `coreos.com/etcd@sha512:${sha512}`,
    },
  ])("$image", ({ spec, image }) => {
    expect(formatImage(spec)).toBe(image);
  });
});

describe("specs as JSON", () => {
  test("are the same bytes in whatever order the parts come", () => {
    const written = '{"dockerImage":{"registry":"q.io","name":"a","tag":"1"}}';
    expect(formatImageSpec({ dockerImage: { tag: "1", name: "a", registry: "q.io" } })).toBe(written);
    expect(formatImageSpec({ aci: { tag: "1", name: "a" } })).toBe('{"aci":{"name":"a","tag":"1"}}');
  });

  test("are equal part by part", () => {
    expect(equalImageSpecs({ aci: { tag: "1", name: "a" } }, { aci: { name: "a", tag: "1" } })).toBe(true);
    expect(equalImageSpecs({ aci: { name: "a" } }, { aci: { name: "a", tag: "1" } })).toBe(false);
    expect(equalImageSpecs({ aci: { name: "a" } }, undefined)).toBe(false);
    expect(equalImageSpecs(undefined, undefined)).toBe(true);
  });
});

/** Strings that are images, or nearly. */
const nearlyImage = fc
  .array(
    fc.constantFrom(
      "nginx",
      "a",
      "docker.io",
      "localhost",
      "[::1]",
      "/",
      ":",
      "@",
      "5000",
      sha256,
      "A",
      " ",
      "-",
    ),
    {
      maxLength: 8,
    },
  )
  .map((parts) => parts.join(""));

test("deriving never throws, and what it gives stands for itself", () => {
  let derived = 0;
  fc.assert(
    fc.property(fc.oneof(nearlyImage, fc.string({ unit: "binary" })), (image) => {
      const spec = deriveImageSpec(image);
      if (spec === undefined) return;
      derived++;
      expect(deriveImageSpec(formatImage(spec))).toEqual(spec);
    }),
    { numRuns: 5000, seed: 3 },
  );
  expect(derived).toBeGreaterThan(200);
});
