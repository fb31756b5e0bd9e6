import { mkdir, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { writeFiles } from "../../../test/support/chart-files.ts";
import { withTempDir } from "../../../test/support/temp-dir.ts";
import { createBudget } from "./budget.ts";
import { readDirectory } from "./directory.ts";

async function names(folder: string): Promise<string[]> {
  return readDirectory(folder, createBudget()).map(({ name }) => name);
}

test("files at any depth, sorted by folder as Helm walks", () =>
  withTempDir(async (folder) => {
    await writeFiles(folder, { "b/z": "1", "b/a": "2", "a.txt": "3", c: "4", "templates/.x": "5" });
    expect(await names(folder)).toEqual(["a.txt", "b/a", "b/z", "c"]);
  }));

test(".helmignore leaves out files and whole folders, and applies from the top only", () =>
  withTempDir(async (folder) => {
    await writeFiles(folder, {
      ".helmignore": "ci/\n*.bak\n",
      "ci/values.yaml": "",
      "x.bak": "",
      "charts/sub/.helmignore": "Chart.yaml",
      "charts/sub/Chart.yaml": "",
      "charts/sub/y.bak": "",
    });
    expect(await names(folder)).toEqual([".helmignore", "charts/sub/.helmignore", "charts/sub/Chart.yaml"]);
  }));

describe("links", () => {
  test("within the chart are followed, and so is the chart's own", () =>
    withTempDir(async (folder) => {
      const chart = join(folder, "chart");
      await writeFiles(chart, { "real/a.txt": "x", "b.txt": "y" });
      await symlink("real", join(chart, "linked"));
      await symlink("../b.txt", join(chart, "real", "to-b"));
      await symlink("chart", join(folder, "entry"));
      expect(await names(join(folder, "entry"))).toEqual([
        "b.txt",
        "linked/a.txt",
        "linked/to-b",
        "real/a.txt",
        "real/to-b",
      ]);
    }));

  const refused: readonly (readonly [string, (chart: string) => Promise<void>, RegExp])[] = [
    [
      "to a file outside",
      (chart) => symlink("../secret.txt", join(chart, "a")),
      /^the link a leaves the chart$/u,
    ],
    ["to a folder outside", (chart) => symlink("..", join(chart, "a")), /leaves the chart/u],
    [
      "to a sibling whose name begins alike",
      (chart) => symlink("../chart-other", join(chart, "a")),
      /leaves the chart/u,
    ],
    ["to the root of the file system", (chart) => symlink("/", join(chart, "a")), /leaves the chart/u],
    [
      "through a link",
      async (chart) => {
        await symlink("b", join(chart, "a"));
        await symlink("../secret.txt", join(chart, "b"));
      },
      /leaves the chart/u,
    ],
    ["to nothing", (chart) => symlink("nowhere", join(chart, "a")), /leads nowhere/u],
    ["to itself", (chart) => symlink("a", join(chart, "a")), /leads nowhere or in a circle/u],
    ["to the chart", (chart) => symlink(".", join(chart, "a")), /the link a leads in a circle/u],
    [
      "to a folder above",
      async (chart) => {
        await mkdir(join(chart, "x", "y"), { recursive: true });
        await symlink("../../x", join(chart, "x", "y", "z"));
      },
      /the link x\/y\/z leads in a circle/u,
    ],
    [
      "in a circle of two folders",
      async (chart) => {
        await mkdir(join(chart, "x"));
        await mkdir(join(chart, "y"));
        await symlink("../y", join(chart, "x", "to-y"));
        await symlink("../x", join(chart, "y", "to-x"));
      },
      /leads in a circle/u,
    ],
  ];

  test.each(refused)("%s are refused", (_name, make, message) =>
    withTempDir(async (folder) => {
      const chart = join(folder, "chart");
      await writeFiles(folder, { "secret.txt": "s", "chart/Chart.yaml": "", "chart-other/x": "" });
      await make(chart);
      await expect(names(chart)).rejects.toMatchObject({
        code: "chart-invalid",
        message: expect.stringMatching(message) as string,
        where: { file: expect.stringContaining(chart) as string },
      });
    }),
  );

  test("that .helmignore leaves out may lead outside", () =>
    withTempDir(async (folder) => {
      await writeFiles(folder, { "secret.txt": "s", "chart/.helmignore": "/a", "chart/b": "" });
      await symlink("../secret.txt", join(folder, "chart", "a"));
      expect(await names(join(folder, "chart"))).toEqual([".helmignore", "b"]);
    }));
});

test("a socket is refused", () =>
  withTempDir(async (folder) => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(join(folder, "socket"), resolve));
    await expect(names(folder)).rejects.toMatchObject({ message: "socket is not a regular file" });
    await new Promise((resolve) => server.close(resolve));
  }));

describe("the budget", () => {
  test("bytes", () =>
    withTempDir(async (folder) => {
      await writeFile(join(folder, "a"), Buffer.alloc(1000));
      expect(() => readDirectory(folder, createBudget({ maxBytes: 999 }))).toThrow(
        expect.objectContaining({
          code: "chart-invalid",
        }),
      );
    }));

  test("links that multiply folders", () =>
    withTempDir(async (folder) => {
      await mkdir(join(folder, "d0"));
      for (let level = 1; level < 25; level++) {
        await mkdir(join(folder, `d${level}`));
        await symlink(`../d${level - 1}`, join(folder, `d${level}`, "a"));
        await symlink(`../d${level - 1}`, join(folder, `d${level}`, "b"));
      }
      expect(() => readDirectory(folder, createBudget({ maxFiles: 500 }))).toThrow(
        expect.objectContaining({
          message: "the chart holds more than 500 files and folders",
        }),
      );
    }));
});
