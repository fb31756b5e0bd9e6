import { chmod, readdir, readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { beforeAll, expect, test } from "vitest";
import { buildCommands, runCommand } from "../support/cli.ts";
import { withTempDir } from "../support/temp-dir.ts";

beforeAll(buildCommands);

const args = ["render", "examples/shop"];

/** Runs a command twice with a cache of its own; what the first run keeps is changed between. */
async function runTwice(cache: string, change: (file: string) => Promise<void>): Promise<void> {
  const env = { XDG_CACHE_HOME: cache };
  const first = await runCommand("fairlead", args, { env });
  const [name = ""] = await keptIn(cache);
  await change(path.join(cache, "fairlead", name));
  expect(await runCommand("fairlead", args, { env })).toEqual(first);
  expect(first).toMatchObject({ exitCode: 0, stderr: "" });
}

const keptIn = async (cache: string): Promise<readonly string[]> => readdir(path.join(cache, "fairlead"));

test("compiled code is kept for its command, and for nobody else", () =>
  withTempDir((cache) =>
    runTwice(cache, async (file) => {
      expect(path.basename(file)).toMatch(/^fairlead-render_v[\w.-]+\.code$/u);
      expect((await stat(file)).mode & 0o777).toBe(0o600);
    }),
  ));

const damages: readonly [string, (bytes: Buffer) => Buffer][] = [
  ["a byte is another", (bytes) => bytes.fill(bytes.readUInt8(90_000) ^ 0xff, 90_000, 90_001)],
  ["the end is missing", (bytes) => bytes.subarray(0, bytes.length / 2)],
  ["it is empty", () => Buffer.alloc(0)],
  ["it is something else", () => Buffer.from("console.log('something else')")],
];

test.each(damages)("damaged code is not run: %s", (_name, damage) =>
  withTempDir((cache) =>
    runTwice(cache, async (file) => writeFile(file, damage(Buffer.from(await readFile(file))))),
  ),
);

test("code that others can write is not read, and not kept again", () =>
  withTempDir((cache) =>
    runTwice(cache, async (file) => {
      await chmod(file, 0o666);
    }),
  ));

test.each([
  ["wrong flags", ["render", "--unknown"], 2],
  ["a command that does not exist", ["../../etc"], 2],
])("nothing is kept of %s", (_name, wrong, exitCode) =>
  withTempDir(async (cache) => {
    const result = await runCommand("fairlead", wrong, { env: { XDG_CACHE_HOME: cache } });
    expect(result.exitCode).toBe(exitCode);
    expect(await readdir(cache)).toEqual([]);
  }),
);

test("a cache that cannot be written is done without", () =>
  withTempDir(async (folder) => {
    const file = path.join(folder, "file");
    await writeFile(file, "");
    const result = await runCommand("fairlead", args, { env: { XDG_CACHE_HOME: file } });
    expect(result).toMatchObject({ exitCode: 0, stderr: "" });
  }));

test("what is not ASCII comes out as it is written", () =>
  withTempDir(async (folder) => {
    const report = path.join(folder, "report.html");
    const flags = ["-t", "h.example.com", "-s", "*", "--report", report];
    await runCommand("fairlead", ["override", "examples/shop", ...flags], {
      env: { XDG_CACHE_HOME: folder },
    });
    expect(await readFile(report, "utf8")).toMatch(/ – fairlead<\/title>/u);
  }));
