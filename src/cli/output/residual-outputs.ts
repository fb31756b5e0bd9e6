import { mkdir, rmdir, stat } from "node:fs/promises";
import path from "node:path";
import { describeFileFailure } from "../../core/file-failure.ts";
import { FairleadError } from "../../core/error.ts";
import { kustomizationFiles } from "../../relocation/residual/kustomization.ts";
import type { PlannedObject } from "../../relocation/residual/plan-residual.ts";
import type { ResidualSource } from "../../relocation/residual/residual-files.ts";
import type { ResidualChoice } from "../options/residual-options.ts";
import type { Output } from "./write-output.ts";

/**
 * The files of a residual plan in the form and folder that the user chose.
 * @throws FairleadError what {@link kustomizationFiles} throws
 */
export async function residualOutputs(
  { form, folder }: ResidualChoice,
  source: ResidualSource,
  objects: readonly PlannedObject[],
): Promise<Output[]> {
  const files =
    form === "kustomize"
      ? kustomizationFiles(source, objects)
      : // The form of its plan would cost every run its start-up.
        (await import("../../relocation/residual/post-renderer.ts")).postRendererFiles(source, objects);
  return files.map(({ name, text, kind, mode }) => ({
    path: path.join(folder, name),
    text,
    kind,
    mode,
  }));
}

/**
 * Refuses a folder that cannot be one, before any work is done: it may be missing, but what it is in may not.
 * @throws FairleadError `output-refused`
 */
export async function checkFolder(folder: string): Promise<void> {
  if (await isFolder(folder)) return;
  if (!(await isFolder(path.dirname(path.resolve(folder))))) {
    throw new FairleadError("output-refused", "its folder does not exist", { where: { file: folder } });
  }
}

/**
 * Does work in a folder that is made for it where it is missing, and removed again where the work fails.
 * @throws FairleadError `output-refused`, and what the work throws
 */
export async function withFolder<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
  const isNew = !(await isFolder(folder));
  if (isNew) await mkdir(folder).catch((error: unknown) => Promise.reject(refuse(folder, error)));
  try {
    return await work();
  } catch (error) {
    // Whatever else has come into it stays.
    if (isNew) await rmdir(folder).catch(() => undefined);
    throw error;
  }
}

async function isFolder(folder: string): Promise<boolean> {
  try {
    const stats = await stat(folder);
    if (stats.isDirectory()) return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return false;
    throw refuse(folder, error);
  }
  throw new FairleadError("output-refused", "this is no folder", { where: { file: folder } });
}

function refuse(folder: string, cause: unknown): FairleadError {
  return new FairleadError("output-refused", `cannot use the folder: ${describeFileFailure(cause)}`, {
    where: { file: folder },
    cause,
  });
}
