import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { isRefName, parseRefspec } from "./ref-name.ts";

const names = [
  "refs/heads/main",
  "refs/heads/feature/a.b",
  "refs/heads/ü",
  "refs/heads/-x",
  "refs/heads/a b",
  "refs/heads/a..b",
  "refs/heads/a.lock",
  "refs/heads/a.lock/b",
  "refs/heads/.a",
  "refs/heads/a.",
  "refs/heads/a/",
  "refs/heads//a",
  "refs/heads/a~1",
  "refs/heads/a^",
  "refs/heads/a:b",
  "refs/heads/a?",
  "refs/heads/a*",
  "refs/heads/a[b",
  "refs/heads/a\\b",
  "refs/heads/a@{b",
  "refs/heads/@",
  "refs/heads/a\u007fb",
  "refs/heads/a\tb",
  "/refs/heads/a",
];

test.each(names)("is %j the name of a ref, as git has it", (name) => {
  expect(isRefName(name)).toBe(gitTakes(name));
});

function gitTakes(name: string): boolean {
  try {
    execFileSync("git", ["check-ref-format", name], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

describe("refspecs", () => {
  test.each<[text: string, expected: object]>([
    ["main", { source: "refs/heads/main", target: "refs/heads/main", force: false }],
    ["main:auto", { source: "refs/heads/main", target: "refs/heads/auto", force: false }],
    ["HEAD:refs/for/main", { source: "HEAD", target: "refs/for/main", force: false }],
    ["+refs/heads/a:refs/heads/b", { source: "refs/heads/a", target: "refs/heads/b", force: true }],
    ["refs/heads/*:refs/copies/*", { source: "refs/heads/*", target: "refs/copies/*", force: false }],
  ])("%s", (text, expected) => {
    expect(parseRefspec(text)).toEqual(expected);
  });

  test.each([
    "",
    ":",
    ":refs/heads/a",
    "a:",
    "a:b:c",
    "HEAD",
    "a b:c",
    "--all",
    "a:--mirror",
    "+a*:b*",
    "a*:b",
    "a:b*",
  ])("%j is refused", (text) => {
    expect(() => parseRefspec(text)).toThrow(expect.objectContaining({ code: "config-invalid" }));
  });
});
