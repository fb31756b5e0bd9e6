import type { IncomingMessage } from "node:http";
import { FairleadError } from "../core/error.ts";

/** What notification-controller takes. */
const maxBodyBytes: number = 3 * 1024 * 1024;

/** How much of requests is held in memory at a time, by all of them. */
export class BodyBudget {
  readonly #maxBytes: number;
  #takenBytes = 0;

  constructor(maxBytes: number = 128 * 1024 * 1024) {
    this.#maxBytes = maxBytes;
  }

  /** Takes some of it, unless too little is left. */
  tryTake(bytes: number): boolean {
    if (this.#takenBytes + bytes > this.#maxBytes) return false;
    this.#takenBytes += bytes;
    return true;
  }

  /** Gives some of it back. */
  giveBack(bytes: number): void {
    this.#takenBytes -= bytes;
  }
}

/**
 * Reads the whole body of a request and hands it to `use`; it counts against the budget until that is done.
 * @throws FairleadError `limit-exceeded` for a body that is too large, `timeout` where there is no memory for it,
 *   `aborted` where the client went away; what `use` throws
 */
export async function withRequestBody<Result>(
  request: IncomingMessage,
  budget: BodyBudget,
  use: (body: Buffer) => Promise<Result> | Result,
): Promise<Result> {
  if (Number(request.headers["content-length"] ?? 0) > maxBodyBytes) throw tooLarge();
  const taken = { bytes: 0 };
  try {
    return await use(await readBody(request, budget, taken));
  } finally {
    budget.giveBack(taken.bytes);
  }
}

async function readBody(
  request: IncomingMessage,
  budget: BodyBudget,
  taken: { bytes: number },
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const stop = (error: FairleadError): void => {
      request.pause();
      request.removeAllListeners("data");
      reject(error);
    };
    request.on("data", (chunk: Buffer) => {
      if (!budget.tryTake(chunk.length)) {
        stop(new FairleadError("timeout", "too much is being received at a time", { retryable: true }));
        return;
      }
      taken.bytes += chunk.length;
      if (taken.bytes > maxBodyBytes) stop(tooLarge());
      else chunks.push(chunk);
    });
    request.on("end", () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    request.on("error", (cause) => reject(new FairleadError("aborted", "the client went away", { cause })));
  });
}

function tooLarge(): FairleadError {
  return new FairleadError("limit-exceeded", `the body is larger than ${maxBodyBytes} bytes`);
}
