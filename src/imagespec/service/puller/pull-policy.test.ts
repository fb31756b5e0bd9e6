import { expect, test } from "vitest";
import { defaultPullPolicy } from "./pull-policy.ts";

const sha256 = `sha256:${"a".repeat(64)}`;
const id = `sha512-${"a".repeat(128)}`;

test.each([
  ["neither tag nor digest", "nginx", "Always"],
  ["latest", "nginx:latest", "Always"],
  ["latest beside a digest", `nginx:latest@${sha256}`, "Always"],
  ["another tag", "nginx:1.27", "IfNotPresent"],
  ["a tag that is like latest", "nginx:Latest", "IfNotPresent"],
  ["a port is no tag", "localhost:5000/nginx", "Always"],
  ["a digest", `nginx@${sha256}`, "IfNotPresent"],
  ["another tag beside a digest", `nginx:1@${sha256}`, "IfNotPresent"],
  ["no reference", "BAD Name", "IfNotPresent"],
  ["an empty string", "", "IfNotPresent"],
  ["a Docker image without a tag", { dockerImage: { registry: "quay.io", name: "a" } }, "Always"],
  [
    "a Docker image with a tag",
    { dockerImage: { registry: "quay.io", name: "a", tag: "1" } },
    "IfNotPresent",
  ],
  [
    "a Docker image with latest and a digest",
    { dockerImage: { registry: "quay.io", name: "a", tag: "latest", digest: sha256 } },
    "Always",
  ],
  ["an ACI without a tag", { aci: { name: "example.com/a" } }, "Always"],
  ["an ACI with latest", { aci: { name: "example.com/a", tag: "latest" } }, "Always"],
  ["an ACI with a tag", { aci: { name: "example.com/a", tag: "v1" } }, "IfNotPresent"],
  ["an ACI with an ID", { aci: { name: "example.com/a", id } }, "IfNotPresent"],
  ["an ACI with latest and an ID", { aci: { name: "example.com/a", tag: "latest", id } }, "Always"],
])("%s", (_name, image, policy) => {
  expect(defaultPullPolicy(image)).toBe(policy);
});
