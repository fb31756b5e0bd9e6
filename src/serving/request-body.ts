import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import { FairleadError } from "../core/error.ts";

/** What notification-controller takes, and the API server (`k8s.io/apiserver`, `MaxRequestBodyBytes`). */
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
 * @throws FairleadError as {@link withBody}
 */
export async function withRequestBody<Result>(
  request: IncomingMessage,
  budget: BodyBudget,
  use: (body: Buffer) => Promise<Result> | Result,
): Promise<Result> {
  return withBody(request, request.headers["content-length"], budget, use);
}

/**
 * Reads the whole of a stream and hands it to `use`; it counts against the budget until that is done.
 * @param length what it says of its length in bytes
 * @throws FairleadError `limit-exceeded` for a body that is too large, `timeout` where there is no memory for it,
 *   `aborted` where the client went away; what `use` throws
 */
export async function withBody<Result>(
  body: Readable,
  length: string | undefined,
  budget: BodyBudget,
  use: (body: Buffer) => Promise<Result> | Result,
): Promise<Result> {
  if (Number(length ?? 0) > maxBodyBytes) throw tooLarge();
  const taken = { bytes: 0 };
  try {
    return await use(await readBody(body, budget, taken));
  } finally {
    budget.giveBack(taken.bytes);
  }
}

async function readBody(body: Readable, budget: BodyBudget, taken: { bytes: number }): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const stop = (error: FairleadError): void => {
      body.pause();
      body.removeAllListeners("data");
      reject(error);
    };
    body.on("data", (chunk: Buffer) => {
      if (!budget.tryTake(chunk.length)) {
        stop(new FairleadError("timeout", "too much is being received at a time", { retryable: true }));
        return;
      }
      taken.bytes += chunk.length;
      if (taken.bytes > maxBodyBytes) stop(tooLarge());
      else chunks.push(chunk);
    });
    body.on("end", () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    body.on("close", () => reject(new FairleadError("aborted", "the client went away")));
    body.on("error", (cause) => reject(new FairleadError("aborted", "the client went away", { cause })));
  });
}

function tooLarge(): FairleadError {
  return new FairleadError("limit-exceeded", `the body is larger than ${maxBodyBytes} bytes`);
}
