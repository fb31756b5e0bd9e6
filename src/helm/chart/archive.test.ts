import { Readable } from "node:stream";
import { gzipSync, zstdCompressSync } from "node:zlib";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { makeArchive, makeTar, type TarEntry } from "../../../test/support/chart-files.ts";
import { FairleadError } from "../../core/error.ts";
import { isGzip, readArchive } from "./archive.ts";
import { createBudget } from "./budget.ts";

const good: readonly TarEntry[] = [
  { path: "app/", type: "Directory" },
  { path: "app/Chart.yaml", data: "name: app" },
  { path: "app/templates/a.yaml", data: "a: 1" },
];

async function read(source: Uint8Array | Readable, maxBytes?: number, maxFiles?: number): Promise<string[]> {
  const files = await readArchive(source, "app.tgz", createBudget({ maxBytes, maxFiles }));
  return files.map(({ name, data }) => `${name}=${Buffer.from(data).toString()}`);
}

describe("archives as helm package makes them", () => {
  test("files and folders", async () => {
    expect(await read(makeArchive(good))).toEqual(["Chart.yaml=name: app", "templates/a.yaml=a: 1"]);
  });

  test("from a stream of single bytes", async () => {
    const bytes = [...makeArchive(good)].map((byte) => Buffer.of(byte));
    expect(await read(Readable.from(bytes))).toHaveLength(2);
  });

  test("empty files and long names", async () => {
    const name = `templates/${"long/".repeat(40)}file.yaml`;
    const record = `path=app/${name}\n`;
    const header = `${String(record.length + 4).padStart(3, "0")} ${record}`;
    const entries: TarEntry[] = [
      { path: "app/Chart.yaml", data: "" },
      { path: "PaxHeader/x", type: "ExtendedHeader", data: header },
      { path: "app/short", data: "x" },
    ];
    expect(await read(makeArchive(entries))).toEqual(["Chart.yaml=", `${name}=x`]);
  });

  test("of two entries with one name the last counts", async () => {
    const entries = [...good, { path: "app/Chart.yaml", data: "name: other" }];
    expect(await read(makeArchive(entries))).toContain("Chart.yaml=name: other");
  });

  test("a stream in two gzip members", async () => {
    const tar = makeTar(good);
    const halves = [tar.subarray(0, 700), tar.subarray(700)].map((part) => gzipSync(part));
    expect(await read(Buffer.concat(halves))).toHaveLength(2);
  });
});

const refused: readonly (readonly [string, TarEntry | readonly TarEntry[], RegExp])[] = [
  ["a symbolic link", { path: "app/a", type: "SymbolicLink", linkpath: "b" }, /"app\/a" is a link/u],
  ["a hard link", { path: "app/a", type: "Link", linkpath: "app/Chart.yaml" }, /is a link/u],
  ["a link outside", { path: "app/a", type: "SymbolicLink", linkpath: "/etc/passwd" }, /is a link/u],
  ["a character device", { path: "app/a", type: "CharacterDevice" }, /neither file nor folder/u],
  ["a block device", { path: "app/a", type: "BlockDevice" }, /neither file nor folder/u],
  ["a pipe", { path: "app/a", type: "FIFO" }, /neither file nor folder/u],
  ["an absolute path", { path: "/app/a", data: "x" }, /absolute path/u],
  ["a parent folder", { path: "app/../a", data: "x" }, /parent folder/u],
  ["a parent folder first", { path: "../app/a", data: "x" }, /parent folder/u],
  ["a parent folder last", { path: "app/..", type: "Directory" }, /parent folder/u],
  ["a backslash", { path: "app\\a", data: "x" }, /backslash/u],
  ["a backslash below", { path: "app/..\\a", data: "x" }, /backslash/u],
  ["a drive letter", { path: "c:/app/a", data: "x" }, /drive letter/u],
  ["a drive letter below", { path: "app/c:/a", data: "x" }, /drive letter/u],
  ["a file at the top", { path: "Chart.yaml", data: "x" }, /outside the chart's folder/u],
  ["a second top folder", { path: "other/a", data: "x" }, /outside the chart's folder "app"/u],
  ["the same by another spelling", { path: "./other/a", data: "x" }, /outside the chart's folder/u],
];

describe("hostile entries are refused", () => {
  test.each(refused)("%s", async (_name, entry, message) => {
    const entries = [...good, ...(Array.isArray(entry) ? (entry as TarEntry[]) : [entry as TarEntry])];
    await expect(read(makeArchive(entries))).rejects.toMatchObject({
      code: "chart-invalid",
      message: expect.stringMatching(message) as string,
      where: { file: "app.tgz" },
    });
  });
});

const damaged: readonly (readonly [string, () => Uint8Array])[] = [
  ["nothing", () => Buffer.alloc(0)],
  ["text", () => Buffer.from("apiVersion: v2\n")],
  ["gzip of text", () => gzipSync("apiVersion: v2\n".repeat(100))],
  ["gzip of little", () => gzipSync("x")],
  ["gzip of nothing", () => gzipSync("")],
  ["a cut gzip stream", () => makeArchive(good).subarray(0, 80)],
  [
    "a cut tar stream",
    () => gzipSync(makeTar([{ path: "app/a", data: "x".repeat(5000) }]).subarray(0, 2000)),
  ],
  ["a wrong header checksum", () => gzipSync(makeTar(good).fill(0x41, 0, 3))],
  ["only folders", () => makeArchive([{ path: "app/", type: "Directory" }])],
  ["compressed twice", () => gzipSync(makeArchive(good.concat(good, good)))],
  ["zstd within gzip", () => gzipSync(zstdCompressSync(Buffer.from(makeTar(good).toString("hex"))))],
  [
    "an oversized extended header",
    () => makeArchive([{ path: "x", type: "ExtendedHeader", data: "x".repeat(2 * 1024 * 1024) }, ...good]),
  ],
];

describe("damaged archives are refused", () => {
  test.each(damaged)("%s", async (_name, make) => {
    await expect(read(make())).rejects.toMatchObject({ name: "FairleadError", code: "chart-invalid" });
  });

  test("any change of bytes gives files or a typed error", async () => {
    const bytes = makeArchive(good);
    const tar = makeTar(good);
    const change = fc.array(fc.tuple(fc.nat(4000), fc.nat(255)), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(change, fc.boolean(), async (changes, within) => {
        const copy = Buffer.from(within ? tar : bytes);
        for (const [position, byte] of changes) copy[position % copy.length] = byte;
        const outcome = await read(within ? gzipSync(copy) : copy).catch((error: unknown) => error);
        expect(Array.isArray(outcome) || outcome instanceof FairleadError).toBe(true);
      }),
      { seed: 7, numRuns: 300 },
    );
  });
});

describe("the budget", () => {
  test("a bomb is stopped while it unpacks", async () => {
    const bomb = makeArchive([...good, { path: "app/zeros", data: Buffer.alloc(20 * 1024 * 1024) }]);
    expect(bomb.length).toBeLessThan(50_000);
    await expect(read(bomb, 1024 * 1024)).rejects.toMatchObject({
      code: "chart-invalid",
      message: "the chart unpacks to more than 1048576 bytes",
    });
  });

  test("zeros after the end of the archive count", async () => {
    const padded = gzipSync(Buffer.concat([makeTar(good), Buffer.alloc(2 * 1024 * 1024)]));
    await expect(read(padded, 1024 * 1024)).rejects.toMatchObject({ code: "chart-invalid" });
  });

  test("many entries", async () => {
    const entries = Array.from({ length: 50 }, (_, index) => ({ path: `app/${index}`, data: "" }));
    await expect(read(makeArchive(entries), undefined, 49)).rejects.toMatchObject({
      message: "the chart holds more than 49 files and folders",
    });
  });

  test("a stopped signal", async () => {
    const budget = createBudget({ signal: AbortSignal.abort() });
    await expect(readArchive(makeArchive(good), "app.tgz", budget)).rejects.toMatchObject({
      code: "aborted",
    });
  });
});

test("gzip is told by its first bytes", () => {
  expect(isGzip(makeArchive(good))).toBe(true);
  expect(isGzip(Buffer.from("\x1f\x8b"))).toBe(false);
  expect(isGzip(Buffer.alloc(0))).toBe(false);
});
