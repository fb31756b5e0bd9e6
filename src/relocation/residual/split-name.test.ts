import { expect, test } from "vitest";
import { spreadName } from "./split-name.ts";

test.each<[string, readonly string[], string, readonly string[]]>([
  ["one text", ["quay.io/a/b"], "r.lan/quayio/a/b", ["r.lan/quayio/a/b"]],
  ["repository and image", ["quay.io/a", "b"], "r.lan/quayio/a/b", ["r.lan/quayio/a", "b"]],
  ["registry and repository", ["quay.io", "a/b"], "r.lan/quayio/a/b", ["r.lan/quayio", "a/b"]],
  [
    "an official image",
    ["docker.io", "nginx"],
    "r.lan/dockerio/library/nginx",
    ["r.lan/dockerio/library", "nginx"],
  ],
  ["three", ["quay.io", "a", "b"], "r.lan/quayio/a/b", ["r.lan/quayio", "a", "b"]],
  ["a flat name", ["quay.io", "a/b"], "r.lan/quay.io-a-b", ["r.lan", "quay.io-a-b"]],
  ["a flat name over three", ["quay.io", "a", "b"], "r.lan/x/quay.io-a-b", ["r.lan", "x", "quay.io-a-b"]],
  ["a slash at an end", ["quay.io/", "a/b"], "r.lan/quayio/a/b", ["r.lan/quayio/", "a/b"]],
])("%s", (_name, parts, name, expected) => {
  expect(spreadName(parts, name)).toEqual(expected);
});
