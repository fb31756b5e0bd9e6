import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fromImageSpec, toImageSpec, validateImageSpec } from "./image-spec.ts";
import { formatReference, parseReference } from "./reference.ts";

const digest = `sha256:${"0123456789abcdef".repeat(4)}`;
const aciId = `sha512-${"0123456789abcdef".repeat(8)}`;

describe("from a reference and back", () => {
  test.each([
    { text: "nginx", spec: { registry: "docker.io", name: "library/nginx" } },
    {
      text: "gcr.io/google_containers/etcd:2",
      spec: { registry: "gcr.io", name: "google_containers/etcd", tag: "2" },
    },
    { text: `localhost:5000/a@${digest}`, spec: { registry: "localhost:5000", name: "a", digest } },
    { text: "my_mirror.example/app", spec: { registry: "", name: "my_mirror.example/app" } },
  ])("$text", ({ text, spec }) => {
    const reference = parseReference(text);
    expect(toImageSpec(reference)).toEqual({ dockerImage: spec });
    expect(formatReference(fromImageSpec(toImageSpec(reference)))).toBe(formatReference(reference));
  });

  test("a docker.io name without a namespace is an official image", () => {
    const reference = fromImageSpec({ dockerImage: { registry: "docker.io", name: "nginx", tag: "1" } });
    expect(formatReference(reference)).toBe("docker.io/library/nginx:1");
  });

  test("an ACI has no Docker reference", () => {
    expect(() => fromImageSpec({ aci: { name: "coreos.com/etcd" } })).toThrow(/is an ACI/u);
  });
});

describe("parts that do not fit together", () => {
  test.each([
    { name: "a registry that is no host", image: { registry: "mirror", name: "a" } },
    { name: "no registry", image: { registry: "", name: "nginx" } },
    { name: "a registry in the name", image: { registry: "", name: "quay.io/a" } },
    { name: "a path in the registry", image: { registry: "quay.io/a", name: "b" } },
    { name: "a tag in the name", image: { registry: "quay.io", name: "a:1" } },
    { name: "a digest in the tag", image: { registry: "quay.io", name: "a", tag: `1@${digest}` } },
    { name: "an empty tag", image: { registry: "quay.io", name: "a", tag: "" } },
    { name: "an empty name", image: { registry: "quay.io", name: "" } },
    { name: "a short digest", image: { registry: "quay.io", name: "a", digest: "sha256:00" } },
  ])("$name", ({ image }) => {
    const refusal: unknown = expect.objectContaining({ code: "reference-invalid" });
    expect(() => fromImageSpec({ dockerImage: image })).toThrow(refusal);
    expect(() => validateImageSpec({ dockerImage: image })).toThrow(refusal);
  });
});

describe("image specs from outside", () => {
  test.each([
    { name: "a Docker image", value: { dockerImage: { registry: "quay.io", name: "a", tag: "1", digest } } },
    { name: "an ACI", value: { aci: { name: "coreos.com/etcd", tag: "v3", id: aciId } } },
  ])("$name is valid", ({ value }) => {
    expect(validateImageSpec(value)).toEqual(value);
  });

  test("null stands for an absent part", () => {
    expect(
      validateImageSpec({ aci: null, dockerImage: { registry: "quay.io", name: "a", tag: null } }),
    ).toEqual({
      dockerImage: { registry: "quay.io", name: "a" },
    });
  });

  test.each([
    { name: "no map", value: "nginx", message: "An image spec is a map" },
    { name: "a list", value: [], message: "An image spec is a map" },
    { name: "no member", value: {}, message: "An image spec has exactly one of dockerImage and aci, not 0" },
    {
      name: "two members",
      value: { dockerImage: { registry: "quay.io", name: "a" }, aci: { name: "a" } },
      message: "An image spec has exactly one of dockerImage and aci, not 2",
    },
    { name: "an unknown member", value: { fabric8: {} }, message: "An image spec has no part 'fabric8'" },
    { name: "a string for a member", value: { aci: "a" }, message: "aci is a map" },
    {
      name: "no registry",
      value: { dockerImage: { name: "a" } },
      message: "dockerImage.registry is missing",
    },
    {
      name: "a number for a tag",
      value: { dockerImage: { registry: "quay.io", name: "a", tag: 1.1 } },
      message: "dockerImage.tag is a string",
    },
    { name: "an unknown part", value: { aci: { name: "a", x: 1 } }, message: "aci has no part 'x'" },
    {
      name: "a prototype",
      value: JSON.parse('{"__proto__":{"aci":{"name":"a"}}}') as unknown,
      message: "An image spec has no part '__proto__'",
    },
    {
      name: "a wrong ACI name",
      value: { aci: { name: "A b" } },
      message: "aci.name 'A b' is not an AC identifier",
    },
    {
      name: "a wrong ACI identifier",
      value: { aci: { name: "a", id: "sha512-00" } },
      message: "aci.id 'sha512-00' is not sha512- and 128 lower-case hexadecimal characters",
    },
  ])("$name is refused", ({ value, message }) => {
    expect(() => validateImageSpec(value)).toThrow(
      expect.objectContaining({ code: "input-invalid", message }),
    );
  });

  test("whatever is valid has one member, and whatever is not is a typed error", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (docker, aci) => {
        let spec: object | undefined;
        try {
          spec = validateImageSpec({ dockerImage: docker, aci });
        } catch (error) {
          expect(error).toMatchObject({ name: "FairleadError" });
        }
        if (spec !== undefined) expect(Object.keys(spec)).toHaveLength(1);
      }),
      { seed: 2 },
    );
  });
});
