import { describe, expect, test } from "vitest";
import { parseHelmignore } from "./helmignore.ts";

const names = [
  "a.txt",
  "b.bak",
  "docs/",
  "docs/a.txt",
  "docs",
  "templates/a.yaml",
  "templates/.hidden",
  "templates/deep/.hidden",
  ".git/",
  "charts/sub/a.txt",
];

/** Outcomes as Helm 3.22 gives them; a name with a slash at its end is a folder. */
const rows: readonly (readonly [string, string, readonly string[]])[] = [
  ["nothing but the default", "", ["templates/.hidden"]],
  ["comments and blank lines", "# *\n\n   \n", ["templates/.hidden"]],
  ["base name at any depth", "a.txt", ["a.txt", "docs/a.txt", "templates/.hidden", "charts/sub/a.txt"]],
  ["anchored", "/a.txt", ["a.txt", "templates/.hidden"]],
  ["with a path", "docs/*", ["docs/a.txt", "templates/.hidden"]],
  ["folders only", "docs/", ["docs/", "templates/.hidden"]],
  ["star does not cross a slash", "charts/*.txt", ["templates/.hidden"]],
  ["spaces and line ends around", "  *.bak \r\n", ["b.bak", "templates/.hidden"]],
  ["byte order mark", "\uFEFF*.bak", ["b.bak", "templates/.hidden"]],
  ["hidden anywhere", ".*", ["templates/.hidden", "templates/deep/.hidden", ".git/"]],
  [
    "a negated rule leaves out what it does not match",
    "!*.txt",
    ["b.bak", "docs/", "docs", "templates/a.yaml", "templates/.hidden", "templates/deep/.hidden", ".git/"],
  ],
];

describe("which names are left out", () => {
  test.each(rows)("%s", (_name, text, expected) => {
    const isIgnored = parseHelmignore(text, ".helmignore");
    expect(names.filter((name) => isIgnored(name.replace(/\/$/u, ""), name.endsWith("/")))).toEqual(expected);
  });

  test.each([
    ["double star", "ok\ndocs/**\n", 2],
    ["unclosed class", "[a", 1],
    ["backslash at the end", "a\\", 1],
  ])("%s is refused with its line", (_name, text, line) => {
    expect(() => parseHelmignore(text, "app/.helmignore")).toThrow(
      expect.objectContaining({ code: "chart-invalid", where: { file: "app/.helmignore", line } }) as Error,
    );
  });
});

test("a pattern with many stars takes no long time", () => {
  const isIgnored = parseHelmignore(`${"*a".repeat(60)}b`, ".helmignore");
  expect(isIgnored("a".repeat(4000), false)).toBe(false);
});
