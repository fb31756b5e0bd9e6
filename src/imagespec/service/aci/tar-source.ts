import type { FileHandle } from "node:fs/promises";

/** The bytes of a tar archive, from its beginning to its end. */
export interface TarSource {
  /** Of the next byte. */
  readonly offset: number;
  /** The next bytes; fewer only at the end. */
  read(length: number): Promise<Buffer>;
  /** Passes over bytes. @returns whether there were so many */
  skip(length: number): Promise<boolean>;
}

/** An archive as it comes. */
export function streamSource(chunks: AsyncIterable<Uint8Array>): TarSource {
  const iterator = chunks[Symbol.asyncIterator]();
  let current: Buffer = Buffer.alloc(0);
  let offset = 0;
  /** Makes `current` hold something; false at the end. */
  const fill = async (): Promise<boolean> => {
    while (current.length === 0) {
      const next = await iterator.next();
      if (next.done === true) return false;
      current = Buffer.from(next.value.buffer, next.value.byteOffset, next.value.byteLength);
    }
    return true;
  };
  const take = (length: number): Buffer => {
    const taken = current.subarray(0, length);
    current = current.subarray(taken.length);
    offset += taken.length;
    return taken;
  };
  return {
    get offset() {
      return offset;
    },
    read: async (length) => {
      if (current.length >= length) return take(length);
      const parts: Buffer[] = [];
      for (let missing = length; missing > 0 && (await fill());) {
        const part = take(missing);
        parts.push(part);
        missing -= part.length;
      }
      return Buffer.concat(parts);
    },
    skip: async (length) => {
      for (let missing = length; missing > 0;) {
        if (!(await fill())) return false;
        missing -= take(missing).length;
      }
      return true;
    },
  };
}

const fileBufferBytes = 64 * 1024;

/** An archive in a file, of which only what is read is read. */
export function fileSource(file: FileHandle, size: number): TarSource {
  let offset = 0;
  let buffer: Buffer = Buffer.alloc(0);
  let bufferOffset = 0;
  return {
    get offset() {
      return offset;
    },
    read: async (length) => {
      const end = Math.min(offset + length, size);
      if (offset < bufferOffset || end > bufferOffset + buffer.length) {
        buffer = await readAt(file, offset, Math.min(Math.max(length, fileBufferBytes), size - offset));
        bufferOffset = offset;
      }
      const part = buffer.subarray(offset - bufferOffset, end - bufferOffset);
      offset += part.length;
      return part;
    },
    skip: async (length) => {
      const end = offset + length;
      offset = Math.min(end, size);
      return end <= size;
    },
  };
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(length), position });
  return buffer.subarray(0, bytesRead);
}
