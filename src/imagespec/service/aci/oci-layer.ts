import type { FileHandle } from "node:fs/promises";
import { FairleadError } from "../../../core/error.ts";
import { excerpt } from "../../../core/escape.ts";
import { createArchiveLayout } from "./archive-layout.ts";
import type { PathFilter } from "./path-whitelist.ts";
import { readTar, type TarEntry } from "./tar-reader.ts";
import { fileSource } from "./tar-source.ts";
import { encodeTarEntry, padding, tarEnd } from "./tar-writer.ts";

/** The part of an image that becomes a layer. */
export interface LayerOptions {
  readonly imageBytes: number;
  readonly filter: PathFilter;
  /** Told of each entry, by its path below the root. */
  readonly onEntry?: ((path: string, entry: TarEntry) => void) | undefined;
}

const pieceBytes = 256 * 1024;
/** Stored images were held to the service's own limits. */
const unlimited = { maxEntries: Number.POSITIVE_INFINITY, maxPathDepth: Number.POSITIVE_INFINITY };

/**
 * The tar archive of an OCI layer with what is below `rootfs` in an image: owners, modes, times, extended attributes
 * and links as they are there. The same image gives the same bytes.
 * @throws FairleadError `aci-invalid` for a name that means a removal in a layer
 */
export async function* layerBytes(
  image: FileHandle,
  { imageBytes, filter, onEntry }: LayerOptions,
): AsyncGenerator<Buffer, void> {
  const layout = createArchiveLayout(unlimited);
  /** Files that are left out, which a hard link may bring back. */
  const leftOut = new Map<string, TarEntry>();
  /** Where those are that were brought back. */
  const restored = new Map<TarEntry, string>();
  /** What hard links that are left out link to. */
  const linked = new Map<string, string>();
  for await (const entry of readTar(fileSource(image, imageBytes))) {
    const place = layout.place(entry);
    if (place?.part !== "rootfs") continue;
    const { path } = place;
    const target = place.linkPath === undefined ? undefined : (linked.get(place.linkPath) ?? place.linkPath);
    const origin = target === undefined ? undefined : leftOut.get(target);
    if (!filter(path, entry.kind === "folder")) {
      if (target !== undefined && origin === undefined) linked.set(path, target);
      else if (entry.kind === "file" || origin !== undefined) leftOut.set(path, origin ?? entry);
      continue;
    }
    checkName(path);
    onEntry?.(path, entry);
    const linkTarget = origin === undefined ? target : restored.get(origin);
    const written = origin !== undefined && linkTarget === undefined ? origin : entry;
    if (written === origin) restored.set(origin, path);
    const linkName = written.kind === "hardLink" ? (linkTarget ?? "") : written.linkName;
    yield encodeTarEntry({ ...written, name: nameOf(path, written), linkName }, keptRecords(written));
    if (written.size > 0) yield* bodyOf(image, written);
  }
  yield tarEnd;
}

async function* bodyOf(image: FileHandle, { bodyOffset, size }: TarEntry): AsyncGenerator<Buffer, void> {
  for (let done = 0; done < size;) {
    const length = Math.min(pieceBytes, size - done);
    const { buffer, bytesRead } = await image.read({
      buffer: Buffer.allocUnsafe(length),
      position: bodyOffset + done,
    });
    if (bytesRead === 0) throw new FairleadError("aci-invalid", "the stored image ends too early");
    yield buffer.subarray(0, bytesRead);
    done += bytesRead;
  }
  const rest = padding(size);
  if (rest.length > 0) yield rest;
}

function nameOf(path: string, { kind }: TarEntry): string {
  if (path === "") return "./";
  return kind === "folder" ? `${path}/` : path;
}

/** Extended attributes, and times finer than seconds. */
function keptRecords({ records }: TarEntry): ReadonlyMap<string, string> {
  return new Map(
    [...records].filter(([key]) => key === "mtime" || /^(?:SCHILY|LIBARCHIVE)\.xattr\./u.test(key)),
  );
}

/** OCI image specification, "Whiteouts". */
function checkName(path: string): void {
  if (!path.split("/").some((part) => part.startsWith(".wh."))) return;
  throw new FairleadError("aci-invalid", `'${excerpt(path)}' would be a removal in an OCI layer`);
}
