import type { Diagnostic } from "../../core/diagnostic.ts";
import { loadObjectsOf, type LoadOptions } from "../../objects/load-objects.ts";
import { collectObjects } from "./object-collection.ts";
import { objectKinds } from "./object-kinds.ts";
import type { AutomationObjects } from "./objects.ts";

export interface LoadedObjects {
  readonly objects: AutomationObjects;
  /** What is wrong with files and objects; those that are well work nevertheless. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads the objects of automation from manifests, as {@link loadObjectsOf} does.
 * @throws FairleadError `input-unreadable`, `limit-exceeded`, `aborted`
 */
export async function loadObjects(
  paths: readonly string[],
  options: LoadOptions = {},
): Promise<LoadedObjects> {
  const { objects, diagnostics } = await loadObjectsOf(objectKinds, paths, options);
  return { objects: collectObjects(objects), diagnostics };
}
