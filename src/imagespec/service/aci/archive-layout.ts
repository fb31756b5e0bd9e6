import { FairleadError } from "../../../core/error.ts";
import { excerpt } from "../../../core/escape.ts";
import type { AciLimits } from "./aci-limits.ts";
import type { TarEntry } from "./tar-reader.ts";

/** Where an entry belongs: the manifest, or a path within the root file system, `""` for the root itself. */
export type ArchivePlace =
  | { readonly part: "manifest" }
  | { readonly part: "rootfs"; readonly path: string; readonly linkPath?: string };

/** Holds an archive to the layout of images, entry by entry. */
export interface ArchiveLayout {
  /** Undefined for the folder that holds everything. @throws FairleadError `aci-invalid`, `limit-exceeded` */
  place(entry: TarEntry): ArchivePlace | undefined;
  /** What must be there is. @throws FairleadError `aci-invalid` */
  finish(): void;
}

const maxPathBytes = 4096;
const maxNameBytes = 255;

type Known = "impliedFolder" | "folder" | "file" | "other";

/**
 * The layout of image archives (appc specification, "Image Archives"): `manifest`, a file, and `rootfs`, a folder,
 * with nothing beside them and nothing twice. Within `rootfs` there is no way to name anything outside, neither by
 * `..` nor through a link that stands in a path; symbolic links lead where they want and are followed by nobody here,
 * and devices are kept as they are in images of other formats.
 */
export function createArchiveLayout({
  maxEntries,
  maxPathDepth,
}: Pick<AciLimits, "maxEntries" | "maxPathDepth">): ArchiveLayout {
  const known = new Map<string, Known>();
  let count = 0;

  const imply = (parts: readonly string[]): void => {
    for (let depth = parts.length - 1; depth > 0; depth -= 1) {
      const folder = parts.slice(0, depth).join("/");
      const kind = known.get(folder);
      if (kind === "folder" || kind === "impliedFolder") return;
      if (kind !== undefined)
        throw refuse(parts.join("/"), `lies below '${excerpt(folder)}', which is no folder`);
      known.set(folder, "impliedFolder");
    }
  };
  const remember = (path: string, entry: TarEntry): void => {
    const kind: Known = entry.kind === "folder" || entry.kind === "file" ? entry.kind : "other";
    const earlier = known.get(path);
    if (earlier === "impliedFolder" && kind !== "folder")
      throw refuse(path, "is a folder and something else");
    if (earlier !== undefined && earlier !== "impliedFolder") throw refuse(path, "is there twice");
    // A hard link is the file that it links to.
    known.set(path, entry.kind === "hardLink" ? "file" : kind);
  };

  return {
    place: (entry) => {
      count += 1;
      if (count > maxEntries) {
        throw new FairleadError("limit-exceeded", `the image archive has more than ${maxEntries} entries`);
      }
      const parts = partsOf(entry.name, maxPathDepth);
      if (parts.length === 0) {
        if (entry.kind !== "folder") throw refuse(entry.name, "has no name");
        return undefined;
      }
      const path = parts.join("/");
      imply(parts);
      remember(path, entry);
      if (path === "manifest") {
        if (entry.kind !== "file") throw refuse(path, "is no file");
        return { part: "manifest" };
      }
      if (parts[0] !== "rootfs") throw refuse(path, "is neither the manifest nor below rootfs");
      if (path === "rootfs" && entry.kind !== "folder") throw refuse(path, "is no folder");
      const inner = parts.slice(1).join("/");
      if (entry.kind !== "hardLink") return { part: "rootfs", path: inner };
      const target = partsOf(entry.linkName, maxPathDepth);
      if (target[0] !== "rootfs" || known.get(target.join("/")) !== "file" || target.join("/") === path) {
        throw refuse(path, "is a hard link to no file before it in rootfs");
      }
      return { part: "rootfs", path: inner, linkPath: target.slice(1).join("/") };
    },
    finish: () => {
      if (known.get("manifest") !== "file")
        throw new FairleadError("aci-invalid", "the image archive has no manifest");
      if (!known.has("rootfs")) throw new FairleadError("aci-invalid", "the image archive has no rootfs");
    },
  };
}

function partsOf(name: string, maxDepth: number): readonly string[] {
  if (name.startsWith("/")) throw refuse(name, "is an absolute path");
  if (name.includes("\0")) throw refuse(name, "holds a NUL");
  if (name.length > maxPathBytes) throw refuse(name, `is longer than ${maxPathBytes} bytes`);
  const parts = name.split("/").filter((part) => part !== "" && part !== ".");
  if (parts.includes("..")) throw refuse(name, "refers to a parent folder");
  if (parts.length > maxDepth) throw refuse(name, `lies more than ${maxDepth} folders deep`);
  if (parts.some((part) => part.length > maxNameBytes)) {
    throw refuse(name, `holds a name of more than ${maxNameBytes} bytes`);
  }
  return parts;
}

function refuse(name: string, reason: string): FairleadError {
  return new FairleadError("aci-invalid", `the entry '${excerpt(name)}' of the image archive ${reason}`);
}
