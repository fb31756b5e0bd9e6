import type { Client, Metadata, ServiceError } from "@grpc/grpc-js";
import { randomUUID } from "node:crypto";
import type { Readable } from "node:stream";
import { FairleadError } from "../../../core/error.ts";
import type { GrpcCodec } from "../cri/grpc-codec.ts";
import {
  type ContainerdMessages,
  type ContainerdReceived,
  type ContainerdSent,
  writeContentPath,
} from "./containerd-api.ts";

/** Content with its name. */
export interface Blob {
  readonly digest: string;
  readonly size: number;
  /** What containerd is to know of it, such as the blobs that it needs. */
  readonly labels?: Readonly<Record<string, string>>;
  open(): Readable;
}

interface Session {
  readonly client: Client;
  readonly codec: GrpcCodec<ContainerdMessages>;
  readonly metadata: Metadata;
}

/** Messages of containerd may have 16 MiB; smaller ones let others in between. */
const pieceBytes = 1024 * 1024;

/**
 * Writes a blob piece by piece; containerd takes it when its size and digest are right.
 * @param toFailure what an error of containerd's means; undefined: that the blob is there
 */
export async function writeBlob(
  { client, codec, metadata }: Session,
  blob: Blob,
  signal: AbortSignal,
  toFailure: (error: ServiceError) => unknown,
): Promise<void> {
  const { digest, size, labels = {} } = blob;
  const stream = client.makeBidiStreamRequest(
    writeContentPath,
    (message: ContainerdSent<"WriteContentRequest">) => codec.encode("WriteContentRequest", message),
    (bytes): ContainerdReceived<"WriteContentResponse"> => codec.decode("WriteContentResponse", bytes),
    metadata,
  );
  const onAbort = (): void => stream.cancel();
  signal.addEventListener("abort", onAbort, { once: true });
  const answers = stream[Symbol.asyncIterator]();
  const send = async (message: ContainerdSent<"WriteContentRequest">): Promise<void> => {
    stream.write(message);
    const { done } = await answers.next();
    if (done === true) throw new FairleadError("runtime-failed", "containerd ended a write too early");
  };
  const description = {
    // Each write has its own, so that none waits for one whose process was killed.
    ref: `fairlead-${randomUUID()}`,
    total: String(size),
    expected: digest,
  };
  try {
    await send({ action: "STAT", ...description });
    let offset = 0;
    for await (const data of inPieces(blob.open())) {
      await send({ action: "WRITE", offset: String(offset), data });
      offset += data.length;
    }
    await send({ action: "COMMIT", ...description, offset: String(offset), labels });
    stream.end();
  } catch (error) {
    const failure = isServiceError(error) ? toFailure(error) : error;
    if (failure !== undefined) throw failure;
  } finally {
    signal.removeEventListener("abort", onAbort);
    // After its end this does nothing.
    stream.on("error", () => undefined);
    stream.cancel();
  }
}

async function* inPieces(source: Readable): AsyncGenerator<Buffer, void> {
  let chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of source as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length < pieceBytes) continue;
    yield Buffer.concat(chunks);
    [chunks, length] = [[], 0];
  }
  if (length > 0) yield Buffer.concat(chunks);
}

function isServiceError(error: unknown): error is ServiceError {
  return error instanceof Error && "code" in error && "details" in error && typeof error.code === "number";
}
