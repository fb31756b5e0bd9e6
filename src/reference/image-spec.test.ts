import { describe, expect, test } from "vitest";
import { fromImageSpec, toImageSpec } from "./image-spec.ts";
import { formatReference, parseReference } from "./reference.ts";

const digest = `sha256:${"0123456789abcdef".repeat(4)}`;

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
  });
});
