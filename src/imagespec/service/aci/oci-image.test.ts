import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, readlink, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { run } from "../../../core/process.ts";
import {
  aciId,
  makeManifest,
  makeTar,
  type TestEntry,
  type TestManifest,
} from "../../../../test/support/aci-archive.ts";
import { createTempDir, type TempDir } from "../../../../test/support/temp-dir.ts";
import { defaultAciLimits } from "./aci-limits.ts";
import { type AciStore, openAciStore } from "./aci-store.ts";
import { type OciImage, toOciImage } from "./oci-image.ts";
import { verifyArchive } from "./verify-archive.ts";

const platform = { os: "linux", arch: "amd64" };
const signal = new AbortController().signal;

let folder: TempDir;
let store: AciStore;

beforeAll(async () => {
  folder = await createTempDir("oci");
  store = await openAciStore(path.join(folder.path, "store"));
});
afterAll(async () => {
  store.close();
  await folder.remove();
});

/** Verifies and stores an archive whose dependencies are stored, and gives its ID. */
async function put(archive: Buffer, dependencies: readonly string[] = []): Promise<string> {
  const archiveFile = store.workFile();
  const file = store.workFile();
  await writeFile(archiveFile, archive);
  const { manifest, manifestBytes, ...sizes } = await verifyArchive(archiveFile, file, {
    limits: defaultAciLimits,
    signal,
  });
  const known = dependencies.map((id) => {
    const found = store.tryImage(id);
    if (found === undefined) throw new Error(`${id} is not stored`);
    return { ...found, file: undefined };
  });
  const image = { ...sizes, name: manifest.name, manifest: manifestBytes, dependencies, file };
  store.add([...known, image], "v1");
  return sizes.id;
}

async function putEntries(
  manifest: TestManifest,
  entries: readonly TestEntry[],
  dependencies: readonly string[] = [],
): Promise<string> {
  const root: TestEntry = { name: "rootfs", kind: "folder", mode: 0o755 };
  const inner = entries.map((entry) => ({ ...entry, name: `rootfs/${entry.name}` }));
  return put(makeTar([{ name: "manifest", body: makeManifest(manifest) }, root, ...inner]), dependencies);
}

async function render(id: string): Promise<OciImage> {
  return toOciImage(store, id, platform, signal);
}

/** Lays the layers over one another, as GNU tar does it. */
async function unpack(image: OciImage): Promise<string> {
  const target = await mkdtemp(path.join(folder.path, "root-"));
  for (const layer of image.layers) {
    const file = store.workFile();
    await writeFile(file, await buffer(layer.open()));
    const { exitCode, stderr } = await run("tar", ["-xpf", file, "-C", target, "--no-same-owner"]);
    expect([exitCode, stderr]).toEqual([0, ""]);
  }
  return target;
}

async function filesOf(root: string): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => !entry.isDirectory());
  const pairs = files.map(async (entry) => {
    const file = path.join(entry.parentPath, entry.name);
    const content = entry.isSymbolicLink() ? `-> ${await readlink(file)}` : await readFile(file, "utf8");
    return [path.relative(root, file), content] as const;
  });
  return Object.fromEntries(
    (await Promise.all(pairs)).toSorted(([left], [right]) => (left < right ? -1 : 1)),
  );
}

describe("an OCI image of an ACI", () => {
  test("has the configuration that the app says", async () => {
    const id = await putEntries(
      {
        name: "x.example/app",
        version: "1.2.3",
        labels: { os: "linux", arch: "aarch64" },
        fields: {
          annotations: [
            { name: "created", value: "2014-10-27T19:32:27.67021798Z" },
            { name: "homepage", value: "https://x.example" },
          ],
          app: {
            exec: ["/bin/run", "--quiet"],
            user: "/bin/run",
            group: "300",
            workingDirectory: "/opt",
            environment: [{ name: "A", value: "b=c" }],
            ports: [
              { name: "web", protocol: "tcp", port: 80 },
              { name: "data", protocol: "udp", port: 9000, count: 2 },
            ],
          },
        },
      },
      [{ name: "bin/run", body: "#!", mode: 0o4755, uid: 77, gid: 78 }],
    );
    const image = await render(id);
    expect(JSON.parse(Buffer.from(image.config.bytes).toString())).toEqual({
      created: "2014-10-27T19:32:27.67021798Z",
      architecture: "arm64",
      os: "linux",
      config: {
        User: "77:300",
        ExposedPorts: { "80/tcp": {}, "9000/udp": {}, "9001/udp": {} },
        Env: ["A=b=c"],
        Entrypoint: ["/bin/run", "--quiet"],
        WorkingDir: "/opt",
        Labels: { created: "2014-10-27T19:32:27.67021798Z", homepage: "https://x.example" },
      },
      rootfs: { type: "layers", diff_ids: image.layers.map(({ descriptor }) => descriptor.digest) },
    });
    expect(JSON.parse(Buffer.from(image.manifest.bytes).toString())).toEqual({
      schemaVersion: 2,
      mediaType: "application/vnd.oci.image.manifest.v1+json",
      config: image.config.descriptor,
      layers: image.layers.map(({ descriptor }) => descriptor),
    });
    for (const { bytes, descriptor } of [image.manifest, image.config]) {
      expect(descriptor).toMatchObject({ digest: sha256(bytes), size: bytes.length });
    }
  });

  test("is the same each time, and its layers are what was told", async () => {
    const id = await putEntries({ name: "x.example/same" }, [{ name: "a", body: "a".repeat(1_000_000) }]);
    const [first, second] = [await render(id), await render(id)];
    expect(second.manifest).toEqual(first.manifest);
    for (const layer of first.layers) {
      const bytes = await buffer(layer.open());
      expect([sha256(bytes), bytes.length]).toEqual([layer.descriptor.digest, layer.descriptor.size]);
    }
  });

  test("keeps modes, links, long names, attributes and what is no file", async () => {
    const long = `${"d".repeat(90)}/${"f".repeat(120)}`;
    const id = await putEntries({ name: "x.example/kinds" }, [
      {
        name: "tool",
        body: "tool",
        mode: 0o4711,
        records: {
          uid: "2500000",
          "SCHILY.xattr.user.a": "b\u0000\u00ff",
          mtime: "1400000000.25",
          comment: "gone",
        },
      },
      { name: "hard", kind: "hardLink", linkName: "rootfs/tool" },
      { name: "soft", kind: "symbolicLink", linkName: "../../../etc/passwd" },
      { name: "pipe", kind: "fifo", mode: 0o600 },
      { name: "long", body: "long", records: { path: `rootfs/${long}` } },
      { name: "toLong", kind: "hardLink", records: { linkpath: `rootfs/${long}` } },
    ]);
    const image = await render(id);
    const [layer] = image.layers;
    const bytes = layer === undefined ? Buffer.alloc(0) : await buffer(layer.open());
    const file = store.workFile();
    await writeFile(file, bytes);
    const listed = (await run("tar", ["--numeric-owner", "--xattrs", "-tvvf", file])).stdout;
    expect(listed).toContain("-rws--x--x* 2500000/0");
    expect(listed).toContain("x: 3 user.a");
    expect(listed).toContain(`link to ${long}`);
    expect(bytes.includes(Buffer.from("SCHILY.xattr.user.a=b\u0000\u00ff\n", "latin1"))).toBe(true);
    const root = await unpack(image);
    expect(await readFile(path.join(root, long), "utf8")).toBe("long");
    expect((await stat(path.join(root, "tool"))).mtimeMs).toBe(1_400_000_000_250);
    expect((await stat(path.join(root, "hard"))).ino).toBe((await stat(path.join(root, "tool"))).ino);
    expect((await stat(path.join(root, "pipe"))).isFIFO()).toBe(true);
    expect(await readlink(path.join(root, "soft"))).toBe("../../../etc/passwd");
  });

  test("lays dependencies down in their order, each before what needs it", async () => {
    const base = await putEntries({ name: "x.example/base" }, [file("all", "base"), file("base", "base")]);
    const left = await putEntries(
      { name: "x.example/left" },
      [file("all", "left"), file("base", "left"), file("side", "left")],
      [base],
    );
    const right = await putEntries(
      { name: "x.example/right" },
      [file("all", "right"), file("side", "right")],
      [base],
    );
    const top = await putEntries({ name: "x.example/top" }, [file("all", "top")], [left, right]);
    const image = await render(top);
    // The base comes again with the image on the right, and so counts there.
    expect(image.layers).toHaveLength(4);
    expect(await filesOf(await unpack(image))).toEqual({ all: "top", base: "base", side: "right" });
  });

  test("a whitelist leaves exactly its paths, through hard links too", async () => {
    const base = await putEntries({ name: "x.example/wide" }, [
      { name: "etc", kind: "folder", mode: 0o755 },
      { name: "etc/kept", body: "kept" },
      { name: "etc/dropped", body: "dropped" },
      { name: "empty", kind: "folder" },
      { name: "data", body: "data" },
      { name: "between", kind: "hardLink", linkName: "rootfs/data" },
      { name: "one", kind: "hardLink", linkName: "rootfs/between" },
      { name: "two", kind: "hardLink", linkName: "rootfs/data" },
      { name: "etc/again", kind: "hardLink", linkName: "rootfs/etc/kept" },
      { name: "etc/last", kind: "hardLink", linkName: "rootfs/etc/again" },
    ]);
    const fields = { pathWhitelist: ["/etc/kept", "/etc/last", "/one", "/two", "/empty/", "/own"] };
    const top = await putEntries(
      { name: "x.example/narrow", fields },
      [
        { name: "own", body: "own" },
        { name: "not", body: "not" },
      ],
      [base],
    );
    const root = await unpack(await render(top));
    expect(await filesOf(root)).toEqual({
      "etc/kept": "kept",
      "etc/last": "kept",
      one: "data",
      own: "own",
      two: "data",
    });
    const inode = async (name: string): Promise<number> => (await stat(path.join(root, name))).ino;
    expect(await inode("one")).toBe(await inode("two"));
    expect(await inode("etc/kept")).toBe(await inode("etc/last"));
    expect((await stat(path.join(root, "empty"))).isDirectory()).toBe(true);
  });

  test.each([
    ["a name that is a removal in a layer", {}, [{ name: "a/.wh.b", body: "" }], "aci-invalid"],
    [
      "an owner that is not there",
      { app: { exec: ["/a"], user: "/nobody", group: "0" } },
      [{ name: "a", body: "" }],
      "aci-invalid",
    ],
  ] as const)("%s is refused", async (title, fields, entries, code) => {
    const id = await putEntries({ name: `x.example/${title.split(" ").length}x`, fields }, entries);
    await expect(render(id)).rejects.toMatchObject({ code });
  });

  test("an archive of GNU tar comes out as it went in", async () => {
    const source = await mkdtemp(path.join(folder.path, "gnu-"));
    await mkdir(path.join(source, "rootfs/usr/bin"), { recursive: true });
    await writeFile(path.join(source, "manifest"), makeManifest({ name: "x.example/gnu" }));
    await writeFile(path.join(source, "rootfs/usr/bin/ä-program"), "p".repeat(70_000));
    await writeFile(path.join(source, `rootfs/${"n".repeat(200)}`), "long");
    for (const format of ["gnu", "pax", "ustar"]) {
      const names = format === "ustar" ? ["./manifest", "./rootfs/usr"] : ["."];
      const file = path.join(folder.path, `${format}.tar`);
      const extra = format === "ustar" ? ["--no-recursion", "./rootfs"] : [];
      const made = await run("tar", [
        "-C",
        source,
        `--format=${format}`,
        "-cf",
        file,
        ...extra,
        "--recursion",
        ...names,
      ]);
      expect(made.stderr).toBe("");
      const archive = await readFile(file);
      const id = await put(archive);
      expect(id).toBe(aciId(archive));
      const files = await filesOf(await unpack(await render(id)));
      expect(files["usr/bin/ä-program"]).toHaveLength(70_000);
      expect(Object.keys(files)).toHaveLength(format === "ustar" ? 1 : 2);
    }
  });
});

function file(name: string, body: string): TestEntry {
  return { name, body };
}

function sha256(bytes: Uint8Array): string {
  return `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
}
