import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkImageSpec } from "./check-image-spec.ts";
import { formatFieldProblem } from "./field-problem.ts";

const digest = `sha256:${"0123456789abcdef".repeat(4)}`;
const id = `sha512-${"0123456789abcdef".repeat(8)}`;
const field = "spec.containers[0].imageSpec";

describe("valid specs", () => {
  test.each([
    { name: "a Docker image", value: { dockerImage: { registry: "quay.io", name: "a", tag: "1", digest } } },
    {
      name: "a Docker image without a tag",
      value: { dockerImage: { registry: "localhost:5000", name: "a/b" } },
    },
    { name: "an ACI", value: { aci: { name: "coreos.com/etcd", tag: "v3", id } } },
    { name: "an ACI of its name alone", value: { aci: { name: "a" } } },
  ])("$name", ({ value }) => {
    expect(checkImageSpec(value, field)).toEqual({ spec: value, problems: [] });
  });

  test("null stands for an absent part", () => {
    const value = { aci: null, dockerImage: { registry: "quay.io", name: "a", tag: null } };
    expect(checkImageSpec(value, field).spec).toEqual({ dockerImage: { registry: "quay.io", name: "a" } });
  });
});

const oneOf = "exactly one of dockerImage and aci must be set";

describe("refused specs", () => {
  test.each([
    { name: "a string", value: "nginx", told: [': Invalid value: "nginx": must be an object'] },
    { name: "a list", value: [], told: [": Invalid value: []: must be an object"] },
    { name: "null", value: null, told: [": Invalid value: null: must be an object"] },
    { name: "no member", value: {}, told: [`: Required value: ${oneOf}`] },
    { name: "members that are null", value: { aci: null }, told: [`: Required value: ${oneOf}`] },
    {
      name: "two members",
      value: { dockerImage: { registry: "q.io", name: "a" }, aci: { name: "a" } },
      told: [`: Invalid value: {"dockerImage":{"registry":"q.io","name":"a"},"aci":{"name":"a"}}: ${oneOf}`],
    },
    { name: "an unknown member", value: { java: {} }, told: [".java: Invalid value: {}: unknown field"] },
    {
      name: "a string as a member",
      value: { aci: "a" },
      told: ['.aci: Invalid value: "a": must be an object', ".aci.name: Required value: an image needs it"],
    },
    {
      name: "no registry and no name",
      value: { dockerImage: {} },
      told: [
        ".dockerImage.registry: Required value: an image needs it",
        ".dockerImage.name: Required value: an image needs it",
      ],
    },
    {
      name: "an empty registry",
      value: { dockerImage: { registry: "", name: "nginx" } },
      told: [".dockerImage.registry: Required value: an image needs it"],
    },
    {
      name: "a number as a tag",
      value: { dockerImage: { registry: "quay.io", name: "a", tag: 1.1 } },
      told: [".dockerImage.tag: Invalid value: 1.1: must be a string"],
    },
    {
      name: "an unknown part",
      value: { aci: { name: "a", x: 1 } },
      told: [".aci.x: Invalid value: 1: unknown field"],
    },
    {
      name: "a prototype",
      value: JSON.parse('{"__proto__":{"aci":{"name":"a"}}}') as unknown,
      told: ['.__proto__: Invalid value: {"aci":{"name":"a"}}: unknown field'],
    },
    {
      name: "a wrong ACI name",
      value: { aci: { name: "A b" } },
      told: ['.aci.name: Invalid value: "A b": must be an AC identifier, such as coreos.com/etcd'],
    },
    {
      name: "a wrong ACI tag",
      value: { aci: { name: "a", tag: "a b" } },
      told: [`.aci.tag: Invalid value: "a b": must be 1 to 128 letters, digits, '_', '.' and '-'`],
    },
    {
      name: "a wrong ACI identifier",
      value: { aci: { name: "a", id: "sha512-00" } },
      told: [
        '.aci.id: Invalid value: "sha512-00": must be sha512- and 128 lower-case hexadecimal characters',
      ],
    },
  ])("$name", ({ value, told }) => {
    const { spec, problems } = checkImageSpec(value, field);
    expect(spec).toBeUndefined();
    expect(problems.map(formatFieldProblem)).toEqual(told.map((end) => field + end));
  });

  test.each([
    { name: "a registry that is no host", image: { registry: "mirror", name: "a" } },
    { name: "a path in the registry", image: { registry: "quay.io/a", name: "b" } },
    { name: "a tag in the name", image: { registry: "quay.io", name: "a:1" } },
    { name: "a digest in the name", image: { registry: "quay.io", name: `a@${digest}` } },
    { name: "a digest in the tag", image: { registry: "quay.io", name: "a", tag: `1@${digest}` } },
    { name: "an empty tag", image: { registry: "quay.io", name: "a", tag: "" } },
    { name: "a short digest", image: { registry: "quay.io", name: "a", digest: "sha256:00" } },
  ])("parts that do not fit together: $name", ({ image }) => {
    const [problem, ...others] = checkImageSpec({ dockerImage: image }, field).problems;
    expect(others).toEqual([]);
    expect(problem).toMatchObject({ reason: "FieldValueInvalid", field: `${field}.dockerImage` });
    expect(problem?.message).toContain("do not make up an image reference");
  });
});

test("whatever comes is a spec with one member, or has problems within the field", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (dockerImage, aci) => {
      const { spec, problems } = checkImageSpec({ dockerImage, aci }, field);
      expect(spec === undefined).toBe(problems.length > 0);
      if (spec !== undefined) expect(Object.keys(spec)).toHaveLength(1);
      for (const problem of problems) expect(problem.field.startsWith(field)).toBe(true);
    }),
    { seed: 2 },
  );
});
