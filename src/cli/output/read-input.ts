import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { describeFileFailure } from "../../core/file-failure.ts";
import { FairleadError } from "../../core/error.ts";
import { findPlainFile } from "./plain-file.ts";

/**
 * Reads a configuration-like file as UTF-8 text; a byte order mark is dropped.
 * @throws FairleadError `input-unreadable` for a missing file, a directory, a device, a pipe, a link out of
 *   its folder or more than `maxBytes` (default: 1 MiB), `input-invalid` for bytes that are not UTF-8.
 */
export async function readInput(path: string, options: { readonly maxBytes?: number } = {}): Promise<string> {
  const maxBytes = options.maxBytes ?? 1024 * 1024;
  const where = { file: path };
  const file = await findPlainFile(path, "input-unreadable");
  const bytes = await readAtMost(file.path, maxBytes + 1).catch((cause: unknown) => {
    throw new FairleadError("input-unreadable", describeFileFailure(cause), { where, cause });
  });
  if (bytes.length > maxBytes) {
    throw new FairleadError("input-unreadable", `the file is larger than ${maxBytes} bytes`, { where });
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new FairleadError("input-invalid", "the file is not UTF-8 text", { where, cause });
  }
}

/** The first bytes of a file, no more than asked for; a pipe that took its place does not block. */
export async function readAtMost(path: string, maxBytes: number): Promise<Uint8Array> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const { size } = await handle.stat();
    const buffer = Buffer.alloc(Math.min(maxBytes, size));
    let length = 0;
    while (length < buffer.length) {
      const { bytesRead } = await handle.read(buffer, length, buffer.length - length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    return buffer.subarray(0, length);
  } finally {
    await handle.close();
  }
}
