import type { Diagnostic } from "../core/diagnostic.ts";
import { mapConcurrent } from "../core/pool.ts";
import { findManifestFiles, readManifestFile } from "./manifest-files.ts";
import { ObjectCollection } from "./object-collection.ts";
import type { KubernetesObject, ObjectKinds } from "./object-kind.ts";
import { parseObjects } from "./parse-objects.ts";

export interface LoadedObjects<Read extends KubernetesObject> {
  /** In the order of files and documents. */
  readonly objects: readonly Read[];
  /** What is wrong with files and objects; those that are well work nevertheless. */
  readonly diagnostics: readonly Diagnostic[];
}

export interface LoadOptions {
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads the objects of some kinds from manifests as users have them: files, and folders with all `.yaml`, `.yml`
 * and `.json` files below them. Files and objects of other kinds are passed over.
 * @returns findings `object-invalid`, `file-unparsable`, `file-refused` (links that leave their folder) and
 *   `duplicate-key`
 * @throws FairleadError `input-unreadable` for a path that is no readable file or folder, `limit-exceeded` for
 *   more than 100,000 files or folders, or 256 MiB, `aborted`
 */
export async function loadObjectsOf<Read extends KubernetesObject>(
  kinds: ObjectKinds<Read>,
  paths: readonly string[],
  { signal }: LoadOptions = {},
): Promise<LoadedObjects<Read>> {
  const found = await findManifestFiles(paths, { signal });
  const texts = await mapConcurrent(found.files, 8, (file) => readManifestFile(file, { signal }));
  const collection = new ObjectCollection<Read>();
  collection.tell(...found.diagnostics);
  // A text without one of these words holds no object that is looked for, whatever else it is.
  const kindPattern = new RegExp([...kinds.keys()].join("|"), "u");
  for (const [index, read] of texts.entries()) {
    if ("diagnostic" in read) collection.tell(read.diagnostic);
    else if (kindPattern.test(read.text)) {
      parseObjects({ file: found.files[index]?.name ?? "", ...read }, kinds, collection);
    }
  }
  return { objects: collection.objects, diagnostics: collection.diagnostics };
}
