import { createHash } from "node:crypto";
import {
  encodePaxRecords,
  encodeTarHeader,
  type TarHeader,
} from "../../src/imagespec/service/aci/tar-header.ts";

/** An entry of an archive that is made for a test, as right or wrong as the test wants it. */
export interface TestEntry extends Partial<Omit<TarHeader, "size">> {
  readonly name: string;
  readonly body?: string | Uint8Array;
  /** PAX records before the entry. */
  readonly records?: Readonly<Record<string, string>>;
}

const plain: Omit<TarHeader, "name"> = {
  kind: "file",
  linkName: "",
  mode: 0o644,
  uid: 0,
  gid: 0,
  userName: "",
  groupName: "",
  size: 0,
  modified: 1_400_000_000,
  deviceMajor: 0,
  deviceMinor: 0,
};

/** A tar archive of these entries, with the two blocks that end it. */
export function makeTar(entries: readonly TestEntry[]): Buffer {
  const blocks = entries.flatMap(({ body = "", records, ...header }) => {
    const bytes = Buffer.from(body);
    const before = records === undefined ? [] : paxEntry(records);
    return [...before, encodeTarHeader({ ...plain, ...header, size: bytes.length }), ...padded(bytes)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

function paxEntry(records: Readonly<Record<string, string>>): readonly Buffer[] {
  const body = encodePaxRecords(new Map(Object.entries(records)));
  return [encodeTarHeader({ ...plain, name: "pax", kind: "pax", size: body.length }), ...padded(body)];
}

function padded(bytes: Buffer): readonly Buffer[] {
  return [bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)];
}

/** What an image says of itself, as JSON. */
export interface TestManifest {
  readonly name: string;
  readonly version?: string;
  /** Beside the version; default: linux on amd64. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Fields of the manifest beside these. */
  readonly fields?: Readonly<Record<string, unknown>>;
}

/** The bytes of a manifest. */
export function makeManifest({ name, version, labels, fields = {} }: TestManifest): string {
  const all = {
    ...(version === undefined ? {} : { version }),
    ...(labels ?? { os: "linux", arch: "amd64" }),
  };
  return JSON.stringify({
    acKind: "ImageManifest",
    acVersion: "0.8.11",
    name,
    labels: Object.entries(all).map(([key, value]) => ({ name: key, value })),
    ...fields,
  });
}

/** The uncompressed archive of an image with these files below `rootfs`. */
export function makeAci(
  manifest: TestManifest | string,
  files: Readonly<Record<string, string | Uint8Array>> = {},
  mode: number = 0o644,
): Buffer {
  return makeTar([
    { name: "manifest", body: typeof manifest === "string" ? manifest : makeManifest(manifest) },
    { name: "rootfs", kind: "folder", mode: 0o755 },
    ...Object.entries(files).map(([name, body]) => ({ name: `rootfs/${name}`, body, mode })),
  ]);
}

/** The ID of an uncompressed archive. */
export function aciId(archive: Uint8Array): string {
  return `sha512-${createHash("sha512").update(archive).digest("hex")}`;
}
