import { expect, test } from "vitest";
import type { DockerImage } from "../../reference/image-spec.ts";
import type { ImageFinding } from "../result.ts";
import { findUntaggedImages, formatImageList } from "./image-list.ts";
import { createImage, createResult } from "./testdata/survey.ts";

const hex = "a".repeat(64);

function createPair(image: Partial<DockerImage>, status: ImageFinding["status"] = "moved"): ImageFinding {
  const source: DockerImage = { registry: "quay.io", name: "org/app", ...image };
  const target: DockerImage = {
    ...source,
    registry: "harbor.example.com:5000",
    name: `quayio/${source.name}`,
  };
  return createImage({ status, sourceSpec: { dockerImage: source }, targetSpec: { dockerImage: target } });
}

test.each([
  {
    name: "a tag",
    image: { tag: "1" },
    line: "quay.io/org/app:1 harbor.example.com:5000/quayio/org/app:1\n",
  },
  {
    name: "no tag",
    image: {},
    line: "quay.io/org/app:latest harbor.example.com:5000/quayio/org/app:latest\n",
  },
  {
    name: "a digest, without the tag beside it",
    image: { tag: "1", digest: `sha256:${hex}` },
    line: `quay.io/org/app@sha256:${hex} harbor.example.com:5000/quayio/org/app@sha256:${hex}\n`,
  },
])("a line with $name", ({ image, line }) => {
  expect(formatImageList([createResult([createPair(image)])])).toBe(line);
});

test("an image that the residual plan moves is listed where it moves all", () => {
  const image = createPair({ tag: "1" }, "not-moved");
  const { verdict } = createResult([]);
  const residual = { objects: 1, fields: 1, hooks: 0, verdict };
  expect(formatImageList([createResult([image], { residual })])).toContain("quay.io/org/app:1 ");
  const less = { ...residual, verdict: { ...verdict, status: "CRITICAL" as const } };
  expect(formatImageList([createResult([image], { residual: less })])).toBe("");
});

test.each([
  { name: "an unproven image without a tag", image: {}, status: "planned", told: true },
  { name: "one with a tag", image: { tag: "1" }, status: "planned", told: false },
  { name: "one with a digest", image: { digest: `sha256:${hex}` }, status: "planned", told: false },
  { name: "one that was rendered without a tag", image: {}, status: "moved", told: false },
] as const)("$name may be listed with a tag that it lacks: $told", ({ image, status, told }) => {
  expect(findUntaggedImages(createResult([createPair(image, status)]))).toHaveLength(told ? 1 : 0);
});

test("lines are sorted and unique over all charts, and only what moves is listed", () => {
  const first = createResult([createPair({ tag: "2" }), createPair({ tag: "1" }, "planned")]);
  const second = createResult([
    createPair({ tag: "2" }),
    createPair({ tag: "3" }, "not-moved"),
    createPair({ tag: "4" }, "at-target"),
    createPair({ tag: "5" }, "out-of-scope"),
  ]);
  const sources = formatImageList([first, second])
    .split("\n")
    .map((line) => line.split(" ")[0]);
  expect(sources).toEqual(["quay.io/org/app:1", "quay.io/org/app:2", ""]);
});

test("no image gives an empty list", () => {
  expect(formatImageList([createResult([])])).toBe("");
});
