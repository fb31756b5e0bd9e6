import type { OutgoingHttpHeaders, ServerResponse } from "node:http";
import { type Http2ServerResponse, type ServerHttp2Stream } from "node:http2";
import type { ApiResponse } from "../api-exchange.ts";
import { brokeOff } from "../stream-end.ts";

const lineEnd = 0x0a;

/** Statuses whose answers have no body. */
const bodiless: ReadonlySet<number> = new Set([204, 205, 304]);

/** Writes one answer to a client, at the client's pace. */
export class Answer {
  /** Of the body. */
  bytes = 0;
  /** Settles once all is written, or cannot be written any more. */
  readonly done: Promise<"whole" | "broken">;
  readonly #client: ServerResponse | ServerHttp2Stream;
  readonly #isHead: boolean;
  #settle: (outcome: "whole" | "broken") => void = () => undefined;
  #body: Exclude<ApiResponse["body"], Uint8Array> | undefined;
  #isAtLineEnd = true;
  #endsAtLine = false;

  constructor(method: string, response: ServerResponse | Http2ServerResponse) {
    this.#isHead = method === "HEAD";
    this.#client = "stream" in response ? response.stream : response;
    this.done = new Promise((resolve) => {
      this.#settle = resolve;
    });
    this.#client.once("close", () => this.#settle(this.#client.writableFinished ? "whole" : "broken"));
    this.#client.on("error", () => this.#settle("broken"));
  }

  /** @param extra fields that concern this connection */
  write({ status, headers, body }: ApiResponse, extra: OutgoingHttpHeaders = {}): void {
    const client = this.#client;
    if (client.destroyed) {
      if (!(body instanceof Uint8Array)) body.destroy();
      return;
    }
    const fields = {
      ...(headers as OutgoingHttpHeaders),
      ...(body instanceof Uint8Array && !bodiless.has(status)
        ? { "content-length": String(body.length) }
        : {}),
      ...extra,
    };
    const isEmpty = this.#writeHead(status, fields);
    if (body instanceof Uint8Array) {
      this.bytes = isEmpty ? 0 : body.length;
      if (isEmpty) client.end();
      else client.end(body);
      return;
    }
    this.#body = body;
    body.on("error", () => this.#break());
    body.once("close", () => {
      if (!body.readableEnded) this.#break();
    });
    body.once("end", () => {
      if (brokeOff(body)) this.#break();
      else client.end();
    });
    if (isEmpty) {
      body.resume();
      return;
    }
    client.on("drain", () => body.resume());
    body.on("data", (chunk: Buffer | string) =>
      this.#pass(typeof chunk === "string" ? Buffer.from(chunk) : chunk),
    );
  }

  /** Ends a stream of lines behind the last whole one, so that a client can go on from it elsewhere. */
  endAtLine(): void {
    this.#endsAtLine = true;
    if (this.#isAtLineEnd) this.#end();
  }

  /** Leaves the client with a part that it can tell from the whole. */
  #break(): void {
    this.#settle("broken");
    // Without an error, node:http2 would first end the stream as if it were whole.
    this.#client.destroy(new Error("the answer broke off"));
  }

  /** @returns whether the answer has no body */
  #writeHead(status: number, fields: OutgoingHttpHeaders): boolean {
    const client = this.#client;
    const isEmpty = this.#isHead || bodiless.has(status);
    if ("rstCode" in client) {
      client.respond({ ...fields, ":status": status }, { endStream: isEmpty });
      return isEmpty;
    }
    client.writeHead(status, fields);
    client.flushHeaders();
    return isEmpty;
  }

  #pass(chunk: Buffer): void {
    if (this.#endsAtLine) {
      const end = chunk.indexOf(lineEnd);
      this.#send(end === -1 ? chunk : chunk.subarray(0, end + 1));
      if (end !== -1) this.#end();
      return;
    }
    this.#isAtLineEnd = chunk[chunk.length - 1] === lineEnd;
    this.#send(chunk);
  }

  #send(chunk: Buffer): void {
    this.bytes += chunk.length;
    if (!this.#client.write(chunk)) this.#body?.pause();
  }

  #end(): void {
    this.#body?.removeAllListeners("data");
    this.#body?.pause();
    this.#client.end();
  }
}
