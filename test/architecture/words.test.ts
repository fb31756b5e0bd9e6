import { execFileSync } from "node:child_process";
import { existsSync, lstatSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { anchorsOf, linksOf } from "../support/markdown.ts";
import { repositoryRoot } from "./source-file.ts";

const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
  cwd: repositoryRoot,
  encoding: "utf8",
})
  .split("\n")
  .filter(
    (path) => path !== "" && lstatSync(join(repositoryRoot, path), { throwIfNoEntry: false })?.isFile(),
  );

const read = (path: string): string => readFileSync(join(repositoryRoot, path), "utf8");

/** What belongs to one machine or one network; written apart, so that this file does not hold it. */
const foreignWords: readonly (readonly [string, RegExp])[] = [
  ["a path of one machine", new RegExp(`(?<![\\w.-])/(?:${["work", "root", "farm"].join("|")})/`, "u")],
  ["a home folder", new RegExp(`/(?:${["home", "Users"].join("|")})/[a-z]`, "u")],
  ["a host of a package registry", new RegExp(["registry\\.npmjs\\.", "org"].join(""), "u")],
  ["a host of a module proxy", new RegExp(["(?:proxy|sum)\\.golang\\.", "org"].join(""), "u")],
];

describe("the project speaks of itself alone", () => {
  test.each(foreignWords)("no file holds %s", (_name, pattern) => {
    const found = files.flatMap((path) =>
      read(path)
        .split("\n")
        .flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1}`] : [])),
    );
    expect(found).toEqual([]);
  });
});

describe("links in documents", () => {
  const documents = files.filter((path) => path.endsWith(".md") && !path.includes("/testdata/"));

  test.each(documents)("%s", (path) => {
    const broken = linksOf(read(path))
      .filter(({ target }) => !/^[a-z]+:/u.test(target))
      .filter(({ target }) => !resolves(path, target))
      .map(({ target, line }) => `${path}:${line}: ${target}`);
    expect(broken).toEqual([]);
  });
});

function resolves(from: string, target: string): boolean {
  const [file = "", anchor] = target.split("#");
  const path = file === "" ? from : join(dirname(from), file);
  if (!existsSync(join(repositoryRoot, path))) return false;
  return anchor === undefined || anchorsOf(read(path)).has(anchor);
}
