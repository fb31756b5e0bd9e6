import { createHash } from "node:crypto";
import { open, stat } from "node:fs/promises";
import { FairleadError, messageOf } from "../../../core/error.ts";
import type { AciLimits } from "./aci-limits.ts";
import { checkRatio, decompress, detectEncoding } from "./archive-encoding.ts";
import { createArchiveLayout } from "./archive-layout.ts";
import { type ImageManifest, maxManifestBytes, parseImageManifest } from "./image-manifest.ts";
import { readTar } from "./tar-reader.ts";
import { streamSource } from "./tar-source.ts";
import { describeStoreFailure } from "./store-failure.ts";

/** An image archive that keeps all rules that it can keep alone. */
export interface VerifiedArchive {
  /** `sha512-` and the hash of the uncompressed archive. */
  readonly id: string;
  readonly manifest: ImageManifest;
  readonly manifestBytes: Uint8Array;
  /** Of the uncompressed archive. */
  readonly imageBytes: number;
  readonly archiveBytes: number;
}

export interface VerifyArchiveOptions {
  readonly limits: AciLimits;
  readonly signal: AbortSignal;
  /** Told of bytes of the archive that are uncompressed. */
  readonly onBytes?: (imageBytes: number) => void;
}

/**
 * Uncompresses an image archive into another file, which is on disk when this returns, and holds it to the rules of
 * layout and manifest on the way; no more than a piece of it is in memory.
 * @throws FairleadError `aci-invalid`, `limit-exceeded`, and the reason of the signal
 */
export async function verifyArchive(
  archiveFile: string,
  imageFile: string,
  { limits, signal, onBytes }: VerifyArchiveOptions,
): Promise<VerifiedArchive> {
  const { size: archiveBytes } = await stat(archiveFile);
  const encoding = await detectEncoding(archiveFile);
  const hash = createHash("sha512");
  const output = await open(imageFile, "wx", 0o600);
  let imageBytes = 0;
  /** Each piece of the image, once it is counted, hashed and written. */
  async function* written(): AsyncGenerator<Uint8Array, void> {
    for await (const chunk of decoded(await decompress(archiveFile, encoding), encoding.name)) {
      signal.throwIfAborted();
      imageBytes += chunk.length;
      checkRatio(encoding, archiveBytes, imageBytes);
      if (imageBytes > limits.maxImageBytes) {
        throw new FairleadError("limit-exceeded", `the image is larger than ${limits.maxImageBytes} bytes`);
      }
      hash.update(chunk);
      await output.appendFile(chunk).catch((error: unknown) => Promise.reject(describeStoreFailure(error)));
      onBytes?.(imageBytes);
      yield chunk;
    }
  }
  try {
    const manifestBytes = await readLayout(written(), limits);
    const manifest = parseImageManifest(manifestBytes);
    await output.datasync();
    return { id: `sha512-${hash.digest("hex")}`, manifest, manifestBytes, imageBytes, archiveBytes };
  } finally {
    await output.close();
  }
}

async function readLayout(chunks: AsyncIterable<Uint8Array>, limits: AciLimits): Promise<Uint8Array> {
  const layout = createArchiveLayout(limits);
  let manifest: Uint8Array | undefined;
  for await (const entry of readTar(streamSource(chunks))) {
    if (layout.place(entry)?.part !== "manifest") continue;
    if (entry.size > maxManifestBytes) {
      throw new FairleadError("aci-invalid", `the manifest is larger than ${maxManifestBytes} bytes`);
    }
    manifest = Buffer.from(await entry.readBody());
  }
  layout.finish();
  if (manifest === undefined)
    throw new FairleadError("internal", "a layout without manifest was let through");
  return manifest;
}

async function* decoded(
  chunks: AsyncIterable<Uint8Array>,
  encoding: string,
): AsyncGenerator<Uint8Array, void> {
  try {
    yield* chunks;
  } catch (cause) {
    if (cause instanceof FairleadError) throw cause;
    throw new FairleadError("aci-invalid", `the ${encoding} file is damaged: ${messageOf(cause)}`, { cause });
  }
}
