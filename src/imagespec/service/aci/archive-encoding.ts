import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { FairleadError } from "../../../core/error.ts";

/** How an archive is compressed. */
export interface ArchiveEncoding {
  readonly name: "gzip" | "bzip2" | "xz" | "tar";
  /** The most that a byte can honestly become; more is a bomb. */
  readonly maxRatio: number;
}

const magics: readonly { readonly bytes: readonly number[]; readonly encoding: ArchiveEncoding }[] = [
  { bytes: [0x1f, 0x8b, 0x08], encoding: { name: "gzip", maxRatio: 400 } },
  // Its decoder holds a whole read of input's output in memory.
  { bytes: [0x42, 0x5a, 0x68], encoding: { name: "bzip2", maxRatio: 100 } },
  { bytes: [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00], encoding: { name: "xz", maxRatio: 1000 } },
];
const tarMagicOffset = 257;

/**
 * How a file is compressed, by how it begins.
 * @throws FairleadError `aci-invalid` for what is none of the formats of images
 */
export async function detectEncoding(file: string): Promise<ArchiveEncoding> {
  const start = await readStart(file);
  const found = magics.find(({ bytes }) => bytes.every((byte, index) => start[index] === byte));
  if (found !== undefined) return found.encoding;
  if (start.toString("latin1", tarMagicOffset, tarMagicOffset + 5) !== "ustar") {
    throw new FairleadError(
      "aci-invalid",
      "the file is neither a tar archive nor one that gzip, bzip2 or xz has compressed",
      { hint: "an encrypted image cannot be read" },
    );
  }
  return { name: "tar", maxRatio: 1 };
}

async function readStart(file: string): Promise<Buffer> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(512), position: 0 });
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** The uncompressed bytes of a file; what goes wrong with them is thrown as the decoder does. */
export async function decompress(
  file: string,
  encoding: ArchiveEncoding,
): Promise<AsyncIterable<Uint8Array>> {
  const { name } = encoding;
  const source = createReadStream(file, { highWaterMark: 64 * 1024 });
  if (name === "tar") return source;
  // What is thrown is thrown by the stream that is read as well.
  if (name === "gzip") return pipeline(source, createGunzip(), () => undefined);
  if (name === "bzip2") return decompressBzip2(source, encoding);
  const { XzReadableStream } = (await import("xz-decompress")).default;
  return new XzReadableStream(Readable.toWeb(source) as ReadableStream<Uint8Array>);
}

/** The decoder gives what it has at once, so that what it may give is held to the bound as it comes. */
async function* decompressBzip2(
  source: AsyncIterable<Uint8Array>,
  encoding: ArchiveEncoding,
): AsyncGenerator<Uint8Array, void> {
  const decoder = (await import("unbzip2-stream")).default();
  const made: Buffer[] = [];
  let failure: unknown;
  let bytesIn = 0;
  let bytesOut = 0;
  decoder.on("error", (error: unknown) => {
    failure ??= error;
  });
  decoder.on("data", (chunk: Buffer) => {
    bytesOut += chunk.length;
    // The decoder stops where its listener throws, and tells of it as its own error.
    checkRatio(encoding, bytesIn, bytesOut);
    made.push(chunk);
  });
  const take = (): readonly Buffer[] => {
    if (failure !== undefined) throw failure;
    return made.splice(0);
  };
  for await (const chunk of source) {
    bytesIn += chunk.length;
    decoder.write(chunk);
    yield* take();
  }
  decoder.end();
  yield* take();
}

/** A small file may become so much, whatever the ratio. */
const honestBytes = 64 * 1024 * 1024;

/** @throws FairleadError `limit-exceeded` where a file becomes more than its format honestly makes of it */
export function checkRatio({ name, maxRatio }: ArchiveEncoding, bytesIn: number, bytesOut: number): void {
  if (bytesOut <= Math.max(honestBytes, bytesIn * maxRatio)) return;
  throw new FairleadError(
    "limit-exceeded",
    `the image archive becomes more than ${maxRatio} times as large as ${name} has made it`,
  );
}
