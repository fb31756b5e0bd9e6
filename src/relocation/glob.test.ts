import * as fc from "fast-check";
import { expect, test } from "vitest";
import { matchesGlob } from "./glob.ts";

test.each([
  ["quay.io", "quay.io", true],
  ["quay.io", "xquay.io", false],
  ["*.example.com", "r.internal.example.com", true],
  ["*.example.com", "example.com", false],
  ["internal-*", "internal-", true],
  ["r*y.*", "registry.lan", true],
  ["*", "", true],
  ["", "", true],
  ["", "a", false],
  ["a*b*c", "abcbc", true],
  ["a*b*c", "abcb", false],
])("%s on %s is %s", (pattern, text, expected) => {
  expect(matchesGlob(pattern, text)).toBe(expected);
});

test("agrees with the regular expression of the same meaning", () => {
  const text = fc.stringMatching(/^[ab.]{0,10}$/u);
  const pattern = fc.stringMatching(/^[ab.*]{0,6}$/u);
  fc.assert(
    fc.property(pattern, text, (glob, subject) => {
      const meaning = new RegExp(`^${glob.replaceAll(".", "[.]").replaceAll("*", ".*")}$`, "u");
      expect(matchesGlob(glob, subject)).toBe(meaning.test(subject));
    }),
    { seed: 3, numRuns: 5000 },
  );
});

test("a hostile pair takes no exponential time", () => {
  expect(matchesGlob("*a".repeat(500), `${"a".repeat(5000)}b`)).toBe(false);
});
