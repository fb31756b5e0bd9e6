import { FairleadError } from "../../core/error.ts";
import type { Call } from "./call.ts";

/** One HTTP request, as small as registries need it. */
export interface HttpRequest {
  readonly method: "GET" | "HEAD" | "POST" | "PUT";
  readonly url: URL;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** The most that the body of a successful answer may hold. */
  readonly maxBytes: number;
  /** Takes the body of a successful answer as it comes, in place of the memory; called anew for each attempt. */
  readonly sink?: ((chunks: AsyncIterable<Uint8Array>) => Promise<void>) | undefined;
}

/** A whole answer. */
export interface HttpAnswer {
  readonly status: number;
  /** Names in lower case; the values of a name that came several times are joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  /** Of an answer that is no success, the first {@link maxErrorBytes}; empty where a sink took it. */
  readonly body: Uint8Array;
  /** Where the answer came from, after redirects. */
  readonly url: URL;
}

/** Sends one request and gives its answer, whatever its status; each layer of the transport is one. */
export type Send = (request: HttpRequest, call: Call) => Promise<HttpAnswer>;

/** What is read of an answer that tells of an error. */
const maxErrorBytes = 64 * 1024;

/** Whether the status of an answer is 2xx. */
export function isSuccess({ status }: Pick<HttpAnswer, "status">): boolean {
  return status >= 200 && status < 300;
}

/** An address for people and logs: without user, password, query and fragment, each of which may be a secret. */
export function describeUrl(url: URL): string {
  return `${url.protocol}//${url.host}${url.pathname}`;
}

/**
 * Reads a body whole, or the start of it where it tells of an error.
 * @throws FairleadError `limit-exceeded` when a success is larger than `maxBytes`
 */
export async function readBody(
  chunks: AsyncIterable<Uint8Array>,
  options: { readonly success: boolean; readonly maxBytes: number; readonly url: URL },
): Promise<Uint8Array> {
  const limit = options.success ? options.maxBytes : maxErrorBytes;
  const parts: Uint8Array[] = [];
  let length = 0;
  // Leaving the loop early ends the connection, so that nothing more is received.
  for await (const chunk of chunks) {
    parts.push(chunk);
    length += chunk.length;
    if (length > limit && options.success) {
      throw new FairleadError("limit-exceeded", `${describeUrl(options.url)} sends more than ${limit} bytes`);
    }
    if (length >= limit && !options.success) break;
  }
  return Buffer.concat(parts, Math.min(length, limit));
}
