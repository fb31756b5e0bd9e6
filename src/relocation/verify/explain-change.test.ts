import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { yamlMap } from "../../../test/support/relocation.ts";
import { isChecksum, isEcho, isExplainedBy } from "./explain-change.ts";

const replacements = [
  { from: "quay.io", to: "r.lan/quayio" },
  { from: "quay.io/a", to: "r.lan/x/a" },
  { from: "nginx", to: "r.lan/dockerio/library/nginx" },
  { from: "", to: "anything" },
  { from: "same", to: "same" },
];

const base64 = (text: string): string => Buffer.from(text).toString("base64");

describe("isExplainedBy", () => {
  test.each<[string, string, string, boolean]>([
    ["no change", "text", "text", true],
    ["one replacement", "pull quay.io now", "pull r.lan/quayio now", true],
    ["two replacements", "quay.io, image nginx", "r.lan/quayio, image r.lan/dockerio/library/nginx", true],
    ["one of two occurrences", "quay.io quay.io", "quay.io r.lan/quayio", true],
    ["the longer of two that begin alike", "quay.io/a/b", "r.lan/x/a/b", true],
    ["the shorter of two that begin alike", "quay.io/a/b", "r.lan/quayio/a/b", true],
    ["at the end", "image=nginx", "image=r.lan/dockerio/library/nginx", true],
    ["a word that nothing calls an image", "exec nginx", "exec r.lan/dockerio/library/nginx", false],
    ["a word on the line after", "image:\nnginx", "image:\nr.lan/dockerio/library/nginx", false],
    ["a part of a word", "image: x-nginx", "image: x-r.lan/dockerio/library/nginx", false],
    ["a part of a path", "image at /etc/nginx", "image at /etc/r.lan/dockerio/library/nginx", false],
    ["a name of its own", "image: nginx", "image: r.lan/dockerio/library/nginx", true],
    ["something added", "quay.io", "r.lan/quayio and more", false],
    ["something removed", "quay.io and more", "r.lan/quayio", false],
    ["something else changed", "quay.io a", "r.lan/quayio b", false],
    ["an empty text explains nothing", "a", "aanything", false],
    ["base64", base64("from quay.io\n"), base64("from r.lan/quayio\n"), true],
    ["base64 with another change", base64("from quay.io\n"), base64("to r.lan/quayio\n"), false],
    ["base64 of no text", "gIGCg4SFhoc=", "gIGCg4SFhog=", false],
  ])("%s", (_name, before, after, expected) => {
    expect(isExplainedBy(before, after, replacements)).toBe(expected);
  });

  const parts = [
    { from: "quay.io", to: "r.lan" },
    { from: "acme/web", to: "x/web" },
  ];
  test.each<[string, string, string, boolean]>([
    ["after its registry", "quay.io/acme/web", "r.lan/x/web", true],
    ["by itself", "repository: acme/web", "repository: x/web", true],
    ["after another host", "https://github.com/acme/web", "https://github.com/x/web", false],
  ])("a path %s", (_name, before, after, expected) => {
    expect(isExplainedBy(before, after, parts)).toBe(expected);
  });

  test.each([
    ["image repository", true],
    ["value SIDECAR_IMAGE", true],
    ["containers name", false],
  ])("a word in a field called %s: %s", (place, expected) => {
    expect(isExplainedBy("nginx", "r.lan/dockerio/library/nginx", replacements, place)).toBe(expected);
  });

  test("what it explains is equal but for the replacements, and it never throws", () => {
    const part = fc.constantFrom(
      "quay.io",
      "r.lan/quayio",
      "nginx",
      "x",
      " ",
      "/",
      "r.lan/dockerio/library/nginx",
    );
    const text = fc.array(part, { maxLength: 5 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(text, text, (before, after) => {
        if (isExplainedBy(before, after, replacements, "image")) expect(undo(after)).toBe(undo(before));
      }),
      { seed: 5, numRuns: 3000 },
    );
  });
});

describe("isEcho", () => {
  const override = yamlMap(
    "image: {registry: r.lan/quayio}\nglobal: {security: {allowInsecureImages: true}}",
  );
  test.each<[string, string, string, boolean]>([
    ["a key of the override is new", "image: {tag: '1'}", "image: {tag: '1', registry: r.lan/quayio}", true],
    ["a whole branch is new", "a: 1", "a: 1\nglobal:\n  security: {allowInsecureImages: true}", true],
    ["in JSON", '{"a": 1}', '{"a": 1, "image": {"registry": "r.lan/quayio"}}', true],
    ["a replaced text beside it", "host: quay.io", "host: r.lan/quayio", true],
    ["another value", "image: {registry: a}", "image: {registry: b}", false],
    ["a lost key", "image: {registry: a}\nb: 1", "image: {registry: r.lan/quayio}", false],
    ["no map", "- a", "- b", false],
    ["a comment alone", "a: 1 # b", "a: 1 # c", false],
    ["a second document", "a: 1\n---\nb: 1", "a: 1\n---\nb: 2", false],
    ["in base64", base64("a: 1"), base64("a: 1\nglobal: {security: {allowInsecureImages: true}}"), true],
    ["no YAML", "a: [", "a: ]", false],
  ])("%s", (_name, before, after, expected) => {
    expect(isEcho(before, after, override, replacements)).toBe(expected);
  });
});

describe("isChecksum", () => {
  const [one, two] = ["ab".repeat(32), "cd".repeat(32)];
  test.each<[string, string, string, string, boolean]>([
    ["hex", "checksum/config", one, two, true],
    ["base64", "config-hash", `${"Ab1+".repeat(8)}=`, `${"Cd2/".repeat(8)}=`, true],
    ["sha256", "config.sha256", one, two, true],
    ["sha256, cut short", "checksum", "abcdef12", "12345678", true],
    ["adler32", "checksum", "3284079763", "654122136", true],
    ["another key", "token", one, two, false],
    ["a key that only begins alike", "sharedKey", one, two, false],
    ["no hash before", "checksum", "none", two, false],
    ["no hash after", "checksum", one, "none", false],
  ])("%s", (_name, key, before, after, expected) => {
    expect(isChecksum(["metadata", "annotations", key], before, after)).toBe(expected);
  });

  test.each([
    ["labels", true],
    ["annotations", true],
    ["spec", false],
  ])("below %s: %s", (place, expected) => {
    expect(isChecksum([place, "digest"], one, two)).toBe(expected);
  });
});

function undo(text: string): string {
  return replacements.slice(0, 3).reduce((all, { from, to }) => all.replaceAll(to, from), text);
}
