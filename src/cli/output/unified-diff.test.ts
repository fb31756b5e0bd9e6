import { execFileSync } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import picocolors from "picocolors";
import { describe, expect, test } from "vitest";
import { withTempDir } from "../../../test/support/temp-dir.ts";
import { formatUnifiedDiff } from "./unified-diff.ts";

const plain = picocolors.createColors(false);

describe("git applies a diff", () => {
  test.each([
    ["of one line", "a: 1\n", "a: 2\n"],
    ["of several places", `a: 1\n${"b: c\n".repeat(20)}d: 1\n`, `a: 2\n${"b: c\n".repeat(20)}d: 2\n`],
    ["with CRLF", "a: 1\r\nb: c\r\n", "a: 2\r\nb: c\r\n"],
    ["without a line end", "b: c\na: 1", "b: c\na: 2"],
    ["with tabs and emoji", "a: 1\t# 😀\nb:\t- é\n", "a: 2\t# 😀\nb:\t- é\n"],
    ["with a new line", "a: |\nb: c\n", "a: |\n  2\nb: c\n"],
  ])("%s", async (_name, before, after) => {
    await withTempDir(async (folder) => {
      await mkdir(path.join(folder, "a b"));
      const file = path.join(folder, "a b", "c.yaml");
      await writeFile(file, before);
      const diff = await formatUnifiedDiff([{ path: "a b/c.yaml", before, after }], plain);
      execFileSync("git", ["apply", "-"], { cwd: folder, input: diff });
      expect(await readFile(file, "utf8")).toBe(after);
    });
  });
});

test("what is removed is red, and what is added green", async () => {
  const colours = picocolors.createColors(true);
  const diff = await formatUnifiedDiff(
    [{ path: "a.yaml", before: "a: 1\nb: c\n", after: "a: 2\nb: c\n" }],
    colours,
  );
  expect(diff.split("\n")).toEqual([
    colours.bold("--- a/a.yaml"),
    colours.bold("+++ b/a.yaml"),
    colours.cyan("@@ -1,2 +1,2 @@"),
    colours.red("-a: 1"),
    colours.green("+a: 2"),
    " b: c",
    "",
  ]);
});

test("nothing reaches the terminal that it would act on", async () => {
  const hostile = "\u001b[2J\u009b1m\u202e\r##[error]";
  const files = [
    { path: `a${hostile}\n`, before: `::error::${hostile}\na: 1\n`, after: `::error::${hostile}\na: 2\n` },
  ];
  const diff = await formatUnifiedDiff(files, plain);
  expect(diff).not.toMatch(/[\u001b\u009b\u202e\r]|##\[|^\s*::/mu);
  expect(diff.split("\n")).toHaveLength(7);
});
