import { sep } from "node:path";
import type { Diagnostic } from "../../core/diagnostic.ts";
import { mapConcurrent } from "../../core/pool.ts";
import type { FileScan } from "../../objects/file-scan.ts";
import { type ManifestFile, readManifestFile } from "../../objects/manifest-files.ts";
import { ObjectCollection } from "../../objects/object-collection.ts";
import type { ObjectKinds } from "../../objects/object-kind.ts";
import { parseObjects } from "../../objects/parse-objects.ts";
import { declaredKey, type DeclaredObject } from "./declared-object.ts";

interface LoadedFile {
  readonly fingerprint: string;
  readonly objects: readonly DeclaredObject[];
  /** Those of before that the file does not have any more, and cannot be trusted not to have. */
  readonly kept: readonly DeclaredObject[];
  readonly diagnostics: readonly Diagnostic[];
  readonly isBroken: boolean;
}

/** What files declare. */
export interface DeclaredObjects {
  /** By their keys; the same object as before where its file has not changed. */
  readonly objects: ReadonlyMap<string, DeclaredObject>;
  readonly diagnostics: readonly Diagnostic[];
  /** Whether a file may hold more than could be read of it. */
  readonly isBroken: (file: string | undefined) => boolean;
}

/** The objects that files declare, where only files that have changed are read again. */
export class DeclaredFiles {
  readonly #kinds: ObjectKinds<DeclaredObject>;
  /** A text without one of these words declares nothing, whatever else it is. */
  readonly #kindPattern: RegExp;
  #files: ReadonlyMap<string, LoadedFile> = new Map();

  constructor(kinds: ObjectKinds<DeclaredObject>) {
    this.#kinds = kinds;
    this.#kindPattern = new RegExp([...kinds.keys()].join("|"), "u");
  }

  /** Reads what has changed. What a change broke stays as it was. */
  async load({ files, diagnostics }: FileScan): Promise<DeclaredObjects> {
    const loaded = await mapConcurrent(files, 8, async ({ file, fingerprint }) => {
      const before = this.#files.get(file.name);
      const isSame = before?.fingerprint === fingerprint;
      return [file.name, isSame ? before : await this.#read(file, fingerprint, before)] as const;
    });
    const current = new Map(loaded);
    const unreadable = diagnostics.flatMap(({ code, where: { file } }) =>
      code === "file-unparsable" && file !== undefined ? [file] : [],
    );
    const isUnreadable = (file: string): boolean =>
      unreadable.some((folder) => file.startsWith(folder + sep));
    for (const [name, before] of this.#files) {
      if (!current.has(name) && isUnreadable(name)) current.set(name, before);
    }
    this.#files = current;
    return {
      ...gather(current.values(), diagnostics),
      isBroken: (file) => file !== undefined && (current.get(file)?.isBroken === true || isUnreadable(file)),
    };
  }

  async #read(file: ManifestFile, fingerprint: string, before: LoadedFile | undefined): Promise<LoadedFile> {
    const read = await readManifestFile(file);
    const collection = new ObjectCollection<DeclaredObject>();
    const known = before === undefined ? [] : [...before.objects, ...before.kept];
    if ("diagnostic" in read) collection.tell(read.diagnostic);
    else if (read.text.trim() === "" && known.length > 0) collection.tell(emptied(file));
    else if (known.length > 0 || this.#kindPattern.test(read.text)) {
      parseObjects({ file: file.name, text: read.text }, this.#kinds, collection);
    }
    const { objects, diagnostics } = collection;
    const isBroken = diagnostics.some(
      ({ code, severity }) => code === "file-unparsable" || severity === "error",
    );
    const keys = new Set(objects.map(declaredKey));
    const kept = isBroken ? known.filter((object) => !keys.has(declaredKey(object))) : [];
    return { fingerprint, objects, kept, diagnostics, isBroken };
  }
}

/** Of objects of one name the first counts, and what is there over what was. */
function gather(
  files: Iterable<LoadedFile>,
  found: readonly Diagnostic[],
): Pick<DeclaredObjects, "objects" | "diagnostics"> {
  const collection = new ObjectCollection<DeclaredObject>();
  collection.tell(...found);
  const kept: DeclaredObject[] = [];
  for (const file of files) {
    collection.tell(...file.diagnostics);
    for (const object of file.objects) collection.add(nameOf(object), object);
    kept.push(...file.kept);
  }
  const objects = new Map(collection.objects.map((object) => [declaredKey(object), object]));
  for (const object of kept) {
    if (!objects.has(declaredKey(object))) objects.set(declaredKey(object), object);
  }
  return { objects, diagnostics: collection.diagnostics };
}

function nameOf({ kind, namespace, meta: { name } }: DeclaredObject): string {
  return `${kind} ${namespace === undefined ? name : `${namespace}/${name}`}`;
}

/** Who writes a file anew empties it first. */
function emptied({ name }: ManifestFile): Diagnostic {
  return {
    code: "file-unparsable",
    severity: "warning",
    message: "the file has become empty; its objects stay until it is deleted, or written",
    where: { file: name },
  };
}
