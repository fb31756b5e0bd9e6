import type { Readable } from "node:stream";
import { FairleadError } from "../../../core/error.ts";
import { brokeOff } from "../stream-end.ts";

/**
 * Reads a body that may be small.
 * @returns all of it, or undefined where it is larger: the stream then holds all of it still
 * @throws FairleadError `upstream-failed` where it breaks off
 */
export async function readSmallBody(body: Readable, maxBytes: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const read = Promise.withResolvers<Buffer | undefined>();
  const onReadable = (): void => {
    for (let chunk = next(body); chunk !== null; chunk = next(body)) {
      chunks.push(chunk);
      bytes += chunk.length;
    }
    if (bytes <= maxBytes) return;
    body.off("readable", onReadable).unshift(Buffer.concat(chunks));
    read.resolve(undefined);
  };
  const onEnd = (): void => {
    if (brokeOff(body)) onClose();
    else read.resolve(Buffer.concat(chunks));
  };
  const onClose = (cause?: Error): void =>
    read.reject(new FairleadError("upstream-failed", "the API server's answer broke off", { cause }));
  body.on("readable", onReadable).on("end", onEnd).on("error", onClose).on("close", onClose);
  // An error may come behind the listeners' end, and without any listener it would end the process.
  body.on("error", () => {});
  if (body.destroyed) onClose(body.errored ?? undefined);
  try {
    return await read.promise;
  } finally {
    body.off("readable", onReadable).off("end", onEnd).off("error", onClose).off("close", onClose);
  }
}

function next(body: Readable): Buffer | null {
  return body.read() as Buffer | null;
}
