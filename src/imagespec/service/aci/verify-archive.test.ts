import { createWriteStream } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip, gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { run } from "../../../core/process.ts";
import {
  aciId,
  makeAci,
  makeManifest,
  makeTar,
  type TestEntry,
} from "../../../../test/support/aci-archive.ts";
import { createTempDir, type TempDir } from "../../../../test/support/temp-dir.ts";
import { defaultAciLimits } from "./aci-limits.ts";
import { type VerifiedArchive, verifyArchive } from "./verify-archive.ts";

const signal = new AbortController().signal;
const limits = { ...defaultAciLimits, maxEntries: 1000, maxPathDepth: 20, maxImageBytes: 300 * 1024 * 1024 };
const manifest: TestEntry = { name: "manifest", body: makeManifest({ name: "x.example/a", version: "1.0" }) };
const rootfs: TestEntry = { name: "rootfs", kind: "folder" };
const link = (name: string, linkName: string): TestEntry => ({ name, linkName, kind: "symbolicLink" });
const hardLink = (name: string, linkName: string): TestEntry => ({ name, linkName, kind: "hardLink" });

const suffixes: Readonly<Record<string, string>> = { gzip: ".gz", bzip2: ".bz2", xz: ".xz" };

let folder: TempDir;
let archiveFile: string;
let imageFile: string;

beforeAll(async () => {
  folder = await createTempDir("archive");
  archiveFile = path.join(folder.path, "archive");
  imageFile = path.join(folder.path, "image");
});
afterAll(async () => folder.remove());

async function verify(archive: Uint8Array | undefined): Promise<VerifiedArchive> {
  if (archive !== undefined) await writeFile(archiveFile, archive);
  await rm(imageFile, { force: true });
  return verifyArchive(archiveFile, imageFile, { limits, signal });
}

/** What a program makes of a file. */
async function pack(program: string, flags: readonly string[], file: string): Promise<Buffer> {
  const { exitCode, stderr } = await run(program, ["-f", ...flags, file]);
  expect([exitCode, stderr]).toEqual([0, ""]);
  return readFile(`${file}${suffixes[program] ?? ""}`);
}

test.each([
  ["a plain one", [manifest, rootfs, { name: "rootfs/a", body: "a" }]],
  ["the manifest after rootfs", [rootfs, { name: "rootfs/a" }, manifest]],
  ["rootfs that only its files imply", [manifest, { name: "rootfs/a/b" }]],
  [
    "names that begin with a dot",
    [
      { name: "./", kind: "folder" },
      { ...manifest, name: "./manifest" },
      { name: "./rootfs/", kind: "folder" },
    ],
  ],
  ["links that lead anywhere", [manifest, rootfs, link("rootfs/a", "/etc"), link("rootfs/b", "../../x")]],
  ["a hard link to a file before it", [manifest, { name: "rootfs/a" }, hardLink("rootfs/b", "./rootfs/a")]],
  ["devices", [manifest, { name: "rootfs/null", kind: "characterDevice", deviceMajor: 1, deviceMinor: 3 }]],
  ["an empty rootfs", [manifest, rootfs]],
] as readonly (readonly [string, readonly TestEntry[]])[])(
  "an archive is taken: %s",
  async (_title, entries) => {
    const archive = makeTar(entries);
    expect(await verify(archive)).toMatchObject({
      id: aciId(archive),
      imageBytes: archive.length,
      manifest: {
        name: "x.example/a",
        labels: expect.arrayContaining([{ name: "version", value: "1.0" }]) as unknown,
      },
    });
    expect(archive.equals(await readFile(imageFile))).toBe(true);
  },
);

const hostile: readonly (readonly [title: string, entries: readonly TestEntry[]])[] = [
  ["a parent folder", [manifest, rootfs, { name: "rootfs/../../etc/passwd" }]],
  ["a parent folder that stays inside", [manifest, rootfs, { name: "rootfs/a/../b" }]],
  ["an absolute path", [manifest, rootfs, { name: "/rootfs/a" }]],
  [
    "an absolute path from an extended header",
    [manifest, rootfs, { name: "rootfs/a", records: { path: "/etc/passwd" } }],
  ],
  [
    "a parent folder from an extended header",
    [manifest, rootfs, { name: "rootfs/a", records: { path: "rootfs/../x" } }],
  ],
  ["a file through a link", [manifest, link("rootfs/a", "/etc"), { name: "rootfs/a/passwd" }]],
  ["a link where a folder is implied", [manifest, { name: "rootfs/a/b" }, link("rootfs/a", "/etc")]],
  ["a file below a file", [manifest, { name: "rootfs/a" }, { name: "rootfs/a/b" }]],
  ["a hard link out of rootfs", [manifest, rootfs, hardLink("rootfs/a", "/etc/passwd")]],
  ["a hard link through the parent", [manifest, rootfs, hardLink("rootfs/a", "rootfs/../../x")]],
  ["a hard link to the manifest", [manifest, rootfs, hardLink("rootfs/a", "manifest")]],
  ["a hard link to what comes later", [manifest, hardLink("rootfs/a", "rootfs/b"), { name: "rootfs/b" }]],
  ["a hard link to itself", [manifest, hardLink("rootfs/a", "rootfs/a")]],
  [
    "a hard link to a folder",
    [manifest, { name: "rootfs/d", kind: "folder" }, hardLink("rootfs/a", "rootfs/d")],
  ],
  ["two manifests", [manifest, manifest, rootfs]],
  ["a file twice", [manifest, { name: "rootfs/a" }, { name: "rootfs/./a" }]],
  ["a folder twice", [manifest, rootfs, rootfs]],
  ["no manifest", [rootfs]],
  ["no rootfs", [manifest]],
  ["a manifest that is a link", [link("manifest", "rootfs/m"), rootfs, { ...manifest, name: "rootfs/m" }]],
  ["a manifest that is a folder", [{ name: "manifest", kind: "folder" }, rootfs]],
  ["a rootfs that is a link", [manifest, link("rootfs", "/")]],
  ["a rootfs that is a file", [manifest, { name: "rootfs" }]],
  ["a file beside rootfs", [manifest, rootfs, { name: "other" }]],
  ["an empty name", [manifest, rootfs, { name: "." }]],
  ["a NUL in a name", [manifest, rootfs, { name: "rootfs/a", records: { path: "rootfs/a\0b" } }]],
  ["a path that is too deep", [manifest, rootfs, { name: `rootfs/${"a/".repeat(25)}b` }]],
  [
    "a path that is too long",
    [manifest, rootfs, { name: "r", records: { path: `rootfs/${"a/".repeat(2100)}` } }],
  ],
  [
    "a name that is too long",
    [manifest, rootfs, { name: "r", records: { path: `rootfs/${"a".repeat(256)}` } }],
  ],
  ["a sparse file", [manifest, rootfs, { name: "rootfs/a", records: { "GNU.sparse.major": "1" } }]],
  ["a size that is none", [manifest, rootfs, { name: "rootfs/a", records: { size: "-1" } }]],
  ["a size beyond the end", [manifest, rootfs, { name: "rootfs/a", records: { size: "9000000" } }]],
  ["a manifest that is too large", [{ name: "manifest", body: " ".repeat(1024 * 1024 + 1) }, rootfs]],
  [
    "a global header that changes names",
    [{ name: "g", kind: "paxGlobal", body: "18 path=rootfs/../x\n" }, manifest, rootfs],
  ],
  [
    "a long name that goes on for ever",
    [{ name: "L", kind: "gnuLongName", body: "a".repeat(1024 * 1024 + 1) }, manifest, rootfs],
  ],
];

test.each(hostile)("an archive is refused: %s", async (_title, entries) => {
  await expect(verify(makeTar(entries))).rejects.toMatchObject({ code: "aci-invalid" });
});

const usual = makeAci({ name: "x.example/a" }, { a: "a".repeat(100_000) });
const gzipped = gzipSync(usual);

test.each([
  ["nothing", Buffer.alloc(0), "aci-invalid"],
  ["text", Buffer.from("hello"), "aci-invalid"],
  ["an encrypted file", Buffer.from("-----BEGIN PGP MESSAGE-----".padEnd(600)), "aci-invalid"],
  ["a body that is cut off", usual.subarray(0, 50_000), "aci-invalid"],
  ["an archive without its end", usual.subarray(0, usual.length - 1024), "aci-invalid"],
  ["something after the end", Buffer.concat([usual, makeTar([{ name: "rootfs/late" }])]), "aci-invalid"],
  [
    "a checksum that is wrong",
    Buffer.from(usual).fill(0x39, 600, 601).fill(0x39, 700, 701).fill(0x39, 0, 1),
    "aci-invalid",
  ],
  ["gzip that is cut off", gzipped.subarray(0, gzipped.length - 20), "aci-invalid"],
  ["gzip with an error", Buffer.from(gzipped).fill(0xff, 60, 90), "aci-invalid"],
  ["gzip within gzip", gzipSync(gzipped), "aci-invalid"],
  ["bzip2 that is none", Buffer.from("BZh9 and then nothing that it could be"), "aci-invalid"],
  ["xz that is none", Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0, 1, 2, 3]), "aci-invalid"],
  [
    "too many entries",
    makeTar([manifest, ...Array.from({ length: 1001 }, (_, index) => ({ name: `rootfs/${index}` }))]),
    "limit-exceeded",
  ],
])("a file is refused: %s", async (_title, archive, code) => {
  await expect(verify(archive)).rejects.toMatchObject({ code });
});

test.each([
  ["gzip", "gzip", ["-9"]],
  ["bzip2", "bzip2", ["-9"]],
  ["bzip2 of small blocks", "bzip2", ["-1"]],
  ["xz", "xz", []],
  ["xz with another check", "xz", ["--check=crc32", "-0"]],
])("what %s has compressed is taken", async (_title, program, flags) => {
  const random = Buffer.from(
    Array.from({ length: 400_000 }, (_, index) => (index * index * 31) >> (index % 7)),
  );
  const archive = makeAci(
    { name: "x.example/a", version: "1.0" },
    { random, zeros: Buffer.alloc(3_000_000) },
  );
  await writeFile(archiveFile, archive);
  const packed = await pack(program, flags, archiveFile);
  expect((await verify(packed)).id).toBe(aciId(archive));
});

test("a bomb of gzip ends at the bound of its ratio", async () => {
  const chunk = Buffer.alloc(1024 * 1024);
  const head = makeAci({ name: "x.example/a" }).subarray(0, -1024);
  const bomb = makeTar([{ name: "rootfs/zeros", records: { size: String(100 * chunk.length) } }]).subarray(
    0,
    -1024,
  );
  await pipeline(
    Readable.from([head, bomb, ...Array.from({ length: 100 }, () => chunk)]),
    createGzip({ level: 9 }),
    createWriteStream(archiveFile),
  );
  await expect(verify(undefined)).rejects.toMatchObject({ code: "limit-exceeded" });
});

test.each(["bzip2", "xz"])("a bomb of %s ends at the bound of its ratio", async (program) => {
  const zeros = path.join(folder.path, "zeros");
  const head = makeAci({ name: "x.example/a" }).subarray(0, -1024);
  const bomb = makeTar([{ name: "rootfs/zeros", records: { size: "300000000" } }]).subarray(0, -1024);
  await writeFile(zeros, Buffer.concat([head, bomb, Buffer.alloc(100_000_000)]));
  const packed = await pack(program, [], zeros);
  const before = process.memoryUsage().rss;
  await expect(verify(packed)).rejects.toMatchObject({ code: "limit-exceeded" });
  expect(process.memoryUsage().rss - before).toBeLessThan(1.5e9);
});

test.each([
  ["another kind", { acKind: "PodManifest" }],
  ["a version that is none", { acVersion: "1.0" }],
  ["a version with leading zeros", { acVersion: "01.0.0" }],
  ["a name that is none", { name: "Bad Name" }],
  ["no name", { name: null }],
  ["labels that are no list", { labels: {} }],
  [
    "a label twice",
    {
      labels: [
        { name: "a", value: "1" },
        { name: "a", value: "2" },
      ],
    },
  ],
  ["a label 'name'", { labels: [{ name: "name", value: "1" }] }],
  ["a label without value", { labels: [{ name: "a" }] }],
  ["a program that is not absolute", { app: { exec: ["run"], user: "0", group: "0" } }],
  ["a user that is none", { app: { exec: ["/a"], user: "", group: "0" } }],
  ["a user with a group in it", { app: { exec: ["/a"], user: "0:0", group: "0" } }],
  ["no group", { app: { exec: ["/a"], user: "0" } }],
  [
    "a working directory that is not absolute",
    { app: { exec: ["/a"], user: "0", group: "0", workingDirectory: "x" } },
  ],
  [
    "a variable that is none",
    { app: { exec: ["/a"], user: "0", group: "0", environment: [{ name: "A=B", value: "" }] } },
  ],
  [
    "a port that is none",
    { app: { exec: ["/a"], user: "0", group: "0", ports: [{ name: "a", protocol: "tcp", port: 0 }] } },
  ],
  [
    "ports beyond the last",
    {
      app: {
        exec: ["/a"],
        user: "0",
        group: "0",
        ports: [{ name: "a", protocol: "tcp", port: 65_535, count: 2 }],
      },
    },
  ],
  ["a dependency without name", { dependencies: [{ imageID: `sha512-${"0".repeat(128)}` }] }],
  ["a dependency with a wrong ID", { dependencies: [{ imageName: "a", imageID: "sha512-0" }] }],
  ["a dependency with a wrong size", { dependencies: [{ imageName: "a", size: -1 }] }],
  ["a whitelist that is not absolute", { pathWhitelist: ["a"] }],
])("a manifest is refused: %s", async (_title, fields) => {
  const archive = makeAci(makeManifest({ name: "x.example/a", fields }));
  await expect(verify(archive)).rejects.toMatchObject({ code: "aci-invalid" });
});

test.each([
  ["no JSON", "{"],
  ["a list", "[]"],
  ["null", "null"],
  ["bytes that are no UTF-8", "\u00ff"],
])("a manifest is refused: %s", async (_title, text) => {
  const body = Buffer.from(text, "latin1");
  await expect(verify(makeTar([{ name: "manifest", body }, rootfs]))).rejects.toMatchObject({
    code: "aci-invalid",
  });
});
