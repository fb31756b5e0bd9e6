import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { arbitraryYamlMap } from "../../test/support/arbitrary-yaml.ts";
import { dumpYaml } from "./dump.ts";
import { loadYaml } from "./load.ts";
import { formatValuePath } from "./value-path.ts";
import type { YamlMap } from "./value.ts";

test("an override as a person would write it", () => {
  const value: YamlMap = {
    global: { imageRegistry: "myharbor.internal:5000/dockerio", security: { allowInsecureImages: true } },
    image: { repository: "myharbor.internal:5000/dockerio/library/nginx", tag: "1.10", digest: "" },
    sidecars: [{ name: "a", image: "quay.io/a/b:v1", args: ["--x=1", "- y"] }, {}, ["a", ["b"]], []],
    script: "#!/bin/sh\nset -e\n",
    'odd "key"': { "a.b/c": null },
    none: {},
  };
  expect(dumpYaml(value)).toBe(`global:
  imageRegistry: myharbor.internal:5000/dockerio
  security:
    allowInsecureImages: true
image:
  repository: myharbor.internal:5000/dockerio/library/nginx
  tag: "1.10"
  digest: ""
sidecars:
  - name: a
    image: quay.io/a/b:v1
    args:
      - "--x=1"
      - "- y"
  - {}
  - - a
    - - b
  - []
script: |
  #!/bin/sh
  set -e
"odd \\"key\\"":
  a.b/c: null
none: {}
`);
});

test("an empty map", () => {
  expect(dumpYaml({})).toBe("{}\n");
});

describe("strings that something could take for another type are quoted", () => {
  const quoted =
    "y N yes On off TRUE null ~ 0 1.10 1e3 0x1F 0o17 0777 1_000 .5 . .inf .NaN 1:30 12:30:45 2001-01-01 20240101 <<";
  test.each(quoted.split(" "))("%s", (text) => {
    expect(dumpYaml({ a: text })).toBe(`a: "${text}"\n`);
  });

  const plain =
    "1.2.3 v1.10 7.2-alpine nginx docker.io/library/nginx:1.27 a@sha256:0123 yesterday 50m 10.0.0.0/8";
  test.each(plain.split(" "))("but not %s", (text) => {
    expect(dumpYaml({ a: text })).toBe(`a: ${text}\n`);
  });
});

test("comments stand behind the scalars of their paths", () => {
  const value = { a: { tag: "1.10", text: "x\ny\n", map: {} }, list: ["b", { c: null }] };
  const comments = new Map([
    ["a.tag", "one"],
    ["a.text", "two"],
    ["a.map", "three"],
    ["list[0]", "four"],
    ["list[1].c", "five"],
    ["a", "none: a map is no scalar"],
  ]);
  const text = dumpYaml(value, (path) => comments.get(formatValuePath(path)));
  expect(text).toBe(`a:
  tag: "1.10" # one
  text: | # two
    x
    y
  map: {} # three
list:
  - b # four
  - c: null # five
`);
  expect(loadYaml(text).value).toEqual(value);
});

test("a number that YAML cannot hold is refused", () => {
  expect(() => dumpYaml({ a: Number.NaN })).toThrow("cannot be written as YAML");
});

test("a long key is announced", () => {
  const value = { ["k".repeat(1500)]: { a: ["b"] }, c: 1 };
  expect(loadYaml(dumpYaml(value)).value).toEqual(value);
});

test("what is written reads back as the same value", () => {
  fc.assert(
    fc.property(arbitraryYamlMap(), (value) => {
      expect(loadYaml(dumpYaml(value))).toStrictEqual({ value, duplicates: [] });
      const commented = dumpYaml(value, () => '{"$imagepolicy": "a:b"}');
      expect(loadYaml(commented)).toStrictEqual({ value, duplicates: [] });
    }),
    { numRuns: 3000, seed: 20261106 },
  );
});
