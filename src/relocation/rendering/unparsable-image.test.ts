import { expect, test } from "vitest";
import { parseManifests } from "./manifest.ts";
import { findUnparsableImages } from "./unparsable-image.ts";

test.each([
  ["a container", "spec: {containers: [{image: 'a::b'}]}", ["a::b"]],
  [
    "an init container of a template",
    "spec: {template: {spec: {initContainers: [{image: Acme/X}]}}}",
    ["Acme/X"],
  ],
  ["an image that can be read", "spec: {containers: [{image: 'nginx:1'}]}", []],
  ["no image yet", "spec: {containers: [{image: ''}]}", []],
  ["an image of something else", "spec: {image: 'a::b', disks: [{image: 'a::b'}]}", []],
])("%s", (_name, spec, texts) => {
  const [manifest] = parseManifests(`kind: Pod\nmetadata: {name: a}\n${spec}\n`);
  if (manifest === undefined) throw new Error("no manifest");
  expect(findUnparsableImages(manifest).map(({ text }) => text)).toEqual(texts);
});
