import { stat } from "node:fs/promises";
import type { Diagnostic } from "../core/diagnostic.ts";
import { mapConcurrent } from "../core/pool.ts";
import { findManifestFiles, type ManifestFile } from "./manifest-files.ts";

/** The files at one moment. */
export interface FileScan {
  readonly files: readonly ScannedFile[];
  readonly diagnostics: readonly Diagnostic[];
  /** What tells this moment from another. */
  readonly fingerprint: string;
}

interface ScannedFile {
  readonly file: ManifestFile;
  readonly fingerprint: string;
}

/** Finds the files that paths name, and what tells whether they change. @throws FairleadError as findManifestFiles */
export async function scanFiles(paths: readonly string[]): Promise<FileScan> {
  const { files, diagnostics } = await findManifestFiles(paths);
  const scanned = await mapConcurrent(files, 16, async (file) => {
    const info = await stat(file.path).catch(() => undefined);
    return { file, fingerprint: `${info?.ino}:${info?.size}:${info?.mtimeMs}:${info?.ctimeMs}` };
  });
  const lines = scanned.map(({ file: { name, path }, fingerprint }) => `${name}\0${path}\0${fingerprint}`);
  return { files: scanned, diagnostics, fingerprint: lines.join("\n") };
}
