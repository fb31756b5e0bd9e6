import { describe, expect, test } from "vitest";
import { findDifference } from "./mask.ts";

const certificate = "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0t+/".repeat(20);
/** Base64 of base64 has mostly no other marks. */
const letters = "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0t";
const otherCertificate = `${certificate.slice(0, 300)}AbZz${certificate.slice(304)}QUJD`;

describe("what counts as equal to helm's output", () => {
  test.each([
    ["the same text", "a: 1\n", "a: 1\n", "a: 1\n"],
    ["a password", "p: q1W2e3", "p: aB3dE5", "p: xY7zW9"],
    [
      "a password in quotes, among other words",
      'x: "u:q1W2e3" # c',
      'x: "u:aB3dE5" # c',
      'x: "u:xY7zW9" # c',
    ],
    ["a password of digits in place of letters", "p: 123456", "p: aB3dE5", "p: xY7zW9"],
    ["a checksum", "c: 0123456789abcdef", "c: fedcba9876543210", "c: 00aa11bb22cc33dd"],
    [
      "a certificate of another length",
      `c: ${otherCertificate}`,
      `c: ${certificate}`,
      `c: b${certificate.slice(1)}`,
    ],
    [
      "a certificate of another length that needs padding",
      `c: ${letters.repeat(10)}Qg==`,
      `c: ${letters.repeat(10)}`,
      `c: b${letters.repeat(10).slice(1)}`,
    ],
  ])("%s", (_name, actual, first, second) => {
    expect(findDifference(actual, first, second)).toBeUndefined();
  });
});

describe("what does not", () => {
  test.each([
    ["another word where helm is constant", "a: 2", "a: 1", "a: 1"],
    ["another word beside a random one", "b: q1W2e3", "a: aB3dE5", "a: xY7zW9"],
    ["another mark beside a random word", "p: 'q1W2e3'", 'p: "aB3dE5"', 'p: "xY7zW9"'],
    ["another indent before a random word", " p: q1W2e3", "p: aB3dE5", "p: xY7zW9"],
    ["a random word that is too short", "p: q1W2e", "p: aB3dE5", "p: xY7zW9"],
    [
      "letters where a checksum should be",
      "c: 0123456789ABCDEF",
      "c: fedcba9876543210",
      "c: 00aa11bb22cc33dd",
    ],
    ["marks where a word should be", "p: a+b/c=", "p: aB3dE5", "p: xY7zW9"],
    ["nothing where a random word should be", "p: ", "p: aB3dE5", "p: xY7zW9"],
    ["a line more", "p: q1W2e3\n", "p: aB3dE5", "p: xY7zW9"],
    ["a line less", "p: q1W2e3", "p: aB3dE5\nb: 1", "p: xY7zW9\nb: 1"],
    [
      "a random line where helm's runs have different numbers of lines",
      "p: q1W2e3",
      "p: aB3dE5",
      "p: xY7zW9\nx",
    ],
  ])("%s", (_name, actual, first, second) => {
    expect(findDifference(actual, first, second)).toBeDefined();
  });

  test("the first line is told", () => {
    expect(findDifference("a\nb\nc", "a\nx\ny")).toEqual({ line: 2, expected: "x", actual: "b" });
  });
});
