import { describe, expect, test } from "vitest";
import { toImageSpec } from "../../../reference/image-spec.ts";
import { parseReference } from "../../../reference/reference.ts";
import {
  type CriImage,
  howNamed,
  otherNames,
  referenceOf,
  runtimeName,
  toStoredImage,
} from "./cri-image-names.ts";

const one = `sha256:${"1".repeat(64)}`;
const two = `sha256:${"2".repeat(64)}`;

const imageWith = (...names: readonly string[]): CriImage => ({
  id: one,
  repoTags: names.filter((name) => !name.includes("@")),
  repoDigests: names.filter((name) => name.includes("@")),
  size: "18446744073709551615",
  uid: null,
  username: "",
  spec: null,
  pinned: false,
});

const specOf = (text: string): ReturnType<typeof toImageSpec> => toImageSpec(parseReference(text));

test.each([
  ["nginx", "docker.io/library/nginx:latest"],
  ["nginx:1", "docker.io/library/nginx:1"],
  [`nginx@${one}`, `docker.io/library/nginx@${one}`],
  [`nginx:1@${one}`, `docker.io/library/nginx@${one}`],
  ["localhost:5000/a/b:v1", "localhost:5000/a/b:v1"],
  ["index.docker.io/a/b:v1", "docker.io/a/b:v1"],
])("a runtime is asked for %s as %s", (text, name) => {
  expect(runtimeName(referenceOf(specOf(text)))).toBe(name);
});

test.each([
  ["the beginning of an ID", { registry: "", name: "04" }],
  ["nothing", { registry: "", name: "" }],
  ["a name without a registry", { registry: "", name: "my_mirror.example/app" }],
  ["a whole ID", { registry: "", name: "0".repeat(64) }],
  ["a digest within the name", { registry: "quay.io", name: `a@${one}` }],
  ["spaces", { registry: "quay.io", name: "Bad Name" }],
])("no runtime is asked for %s", (_name, dockerImage) => {
  expect(() => referenceOf({ dockerImage })).toThrow(expect.objectContaining({ code: "reference-invalid" }));
});

describe("an image is known by", () => {
  test.each([
    ["its tag", ["quay.io/a:1", `quay.io/a@${one}`], "quay.io/a:1", "named"],
    ["its digest", ["quay.io/a:1", `quay.io/a@${one}`], `quay.io/a@${one}`, "named"],
    ["both", ["quay.io/a:1", `quay.io/a@${one}`], `quay.io/a:1@${one}`, "named"],
    ["one of two digests", [`quay.io/a@${two}`, `quay.io/a@${one}`], `quay.io/a@${one}`, "named"],
    ["a short name of Docker Hub", ["nginx:1"], "docker.io/library/nginx:1", "named"],
    ["its digest, without tags", [`quay.io/a@${one}`], `quay.io/a:1@${one}`, "untagged"],
    ["no other tag", ["quay.io/a:1", `quay.io/a@${one}`], `quay.io/a:2@${one}`, "not named"],
    ["no other digest", ["quay.io/a:1", `quay.io/a@${one}`], `quay.io/a:1@${two}`, "not named"],
    ["no other repository", ["quay.io/b:1", `quay.io/b@${one}`], `quay.io/a@${one}`, "not named"],
    ["no other registry", ["gcr.io/a:1"], "quay.io/a:1", "not named"],
    ["no ID", [], "quay.io/a:1", "not named"],
  ] as const)("%s", (_name, names, text, expected) => {
    expect(howNamed(imageWith(...names), parseReference(text))).toBe(expected);
  });
});

describe("beside", () => {
  test.each([
    ["a tag: nothing", ["quay.io/a:1", `quay.io/a@${one}`], "quay.io/a:1", []],
    ["a tag: another tag", ["quay.io/a:1", "quay.io/a:2"], "quay.io/a:1", ["quay.io/a:2"]],
    [
      "a tag: another repository",
      ["quay.io/a:1", `quay.io/a@${one}`, `quay.io/b@${one}`],
      "quay.io/a:1",
      [`quay.io/b@${one}`],
    ],
    [
      "a tag: an older digest of it",
      ["quay.io/a:1", `quay.io/a@${one}`, `quay.io/a@${two}`],
      "quay.io/a:1",
      [],
    ],
    ["a digest: its tag", ["quay.io/a:1", `quay.io/a@${one}`], `quay.io/a@${one}`, ["quay.io/a:1"]],
    ["a digest: another", [`quay.io/a@${one}`, `quay.io/a@${two}`], `quay.io/a@${one}`, [`quay.io/a@${two}`]],
    ["both: nothing", ["quay.io/a:1", `quay.io/a@${one}`], `quay.io/a:1@${one}`, []],
    ["both, where the tag is not kept: nothing", [`quay.io/a@${one}`], `quay.io/a:1@${one}`, []],
  ])("%s", (_name, names, text, expected) => {
    expect(otherNames(imageWith(...names), parseReference(text))).toEqual(expected);
  });
});

test("what is stored is told with its names as specs, and what is no reference is left out", () => {
  expect(toStoredImage(imageWith("nginx:1", "<none>:<none>", `nginx@${one}`))).toEqual({
    id: one,
    format: "dockerImage",
    names: [{ dockerImage: { registry: "docker.io", name: "library/nginx", tag: "1" } }],
    digests: [`docker.io/library/nginx@${one}`],
    sizeBytes: 2 ** 64,
    pinned: false,
  });
});
