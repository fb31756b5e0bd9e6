import { describe, expect, test } from "vitest";
import { addImageSpecs } from "./add-image-specs.ts";

const stored = '{"image":"x.io/etcd:v2","imageSpec":{"aci":{"name":"x.io/etcd","tag":"v2"}}}';

function pod(containers: string): string {
  return `apiVersion: v1\nkind: Pod\nspec:\n  containers:\n${containers}`;
}

describe("image specs behind images", () => {
  test.each([
    {
      name: "in a block, behind a comment",
      before: pod("  - image: quay.io/a/b:1.10 # keep\n    name: b\n"),
      after: pod(
        '  - image: quay.io/a/b:1.10 # keep\n    imageSpec:\n      dockerImage:\n        registry: quay.io\n        name: a/b\n        tag: "1.10"\n    name: b\n',
      ),
    },
    {
      name: "at the end of a text without a line end",
      before: pod("  - name: b\n    image: nginx"),
      after: pod(
        "  - name: b\n    image: nginx\n    imageSpec:\n      dockerImage:\n        registry: docker.io\n        name: library/nginx",
      ),
    },
    {
      name: "in brackets",
      before: pod('  - {name: a, image: "localhost:5000/a"}\n'),
      after: pod(
        '  - {name: a, image: "localhost:5000/a", imageSpec: {dockerImage: {registry: "localhost:5000", name: a}}}\n',
      ),
    },
    {
      name: "in an item of the API's own list, by the annotation",
      before: JSON.stringify({
        kind: "PodList",
        apiVersion: "v1",
        items: [
          {
            metadata: { annotations: { "image-spec.fairlead.dev/etcd": stored } },
            spec: { containers: [{ name: "etcd", image: "x.io/etcd:v2" }] },
          },
        ],
      }),
      after: JSON.stringify({
        kind: "PodList",
        apiVersion: "v1",
        items: [
          {
            metadata: { annotations: { "image-spec.fairlead.dev/etcd": stored } },
            spec: {
              containers: [
                {
                  name: "etcd",
                  image: "x.io/etcd:v2",
                  imageSpec: { aci: { name: "x.io/etcd", tag: "v2" } },
                },
              ],
            },
          },
        ],
      }),
    },
  ])("$name", ({ before, after }) => {
    expect(addImageSpecs(before)).toBe(after);
    expect(addImageSpecs(after)).toBe(after);
    expect(addImageSpecs(before.replaceAll("\n", "\r\n"))).toBe(after.replaceAll("\n", "\r\n"));
  });

  test.each([
    { name: "an image that is no reference", text: pod("  - image: BAD Name\n") },
    { name: "an image that is no string", text: pod("  - image: 1.0\n") },
    { name: "an alias", text: `x: &x nginx\n${pod("  - image: *x\n")}` },
    { name: "a container that aliases name", text: pod("  - &c {image: nginx}\n  - *c\n") },
    { name: "a merged image", text: `x: &x {image: nginx}\n${pod("  - <<: *x\n")}` },
    { name: "an image given twice", text: pod("  - image: a\n    image: b\n") },
    { name: "an explicit key", text: pod("  - ? image\n    : nginx\n") },
    { name: "another kind", text: pod("  - image: a\n").replace("Pod", "Image") },
    { name: "malformed text", text: pod("  - image: {{ .Values.image }}\n") },
    { name: "no text", text: "" },
  ])("$name is left as it is", ({ text }) => {
    expect(addImageSpecs(text)).toBe(text);
  });
});
