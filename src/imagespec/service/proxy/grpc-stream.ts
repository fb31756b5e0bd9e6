import type { ServerHttp2Stream } from "node:http2";
import { FairleadError } from "../../../core/error.ts";
import { type GrpcStatus, statusHeaders } from "./grpc-status.ts";

/** Kubelet's limit for a message, and that of the runtimes. */
const maxMessageBytes = 16 * 1024 * 1024;

/** Of the flag and length before a message. */
const prefixBytes = 5;

const contentType = "application/grpc";

/** An option of `respond`: a date would be metadata to the client. */
export const withoutDate: object = { sendDate: false };

/**
 * Reads the one message of a unary call, with what stands before it.
 * @throws FairleadError `limit-exceeded`, or `aborted` for a client that has gone
 */
export async function readFrame(stream: ServerHttp2Stream): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxMessageBytes + prefixBytes) {
      throw new FairleadError("limit-exceeded", `the request is larger than ${maxMessageBytes} bytes`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The message in a frame; undefined where it is compressed or not one message. */
export function tryMessage(frame: Buffer): Buffer | undefined {
  const isWhole = frame.length >= prefixBytes && frame.readUInt32BE(1) === frame.length - prefixBytes;
  return isWhole && frame[0] === 0 ? frame.subarray(prefixBytes) : undefined;
}

/** A message with what stands before it. */
export function toFrame(message: Buffer): Buffer {
  const prefix = Buffer.alloc(prefixBytes);
  prefix.writeUInt32BE(message.length, 1);
  return Buffer.concat([prefix, message]);
}

/** Answers a unary call. */
export function answerMessage(stream: ServerHttp2Stream, message: Buffer): void {
  if (!canAnswer(stream)) return;
  stream.respond({ ":status": 200, "content-type": contentType }, { waitForTrailers: true, ...withoutDate });
  stream.on("wantTrailers", () => stream.sendTrailers(statusHeaders({ code: 0, message: "" })));
  stream.end(toFrame(message));
}

/** Answers a call with a status alone. */
export function answerStatus(stream: ServerHttp2Stream, status: GrpcStatus): void {
  if (!canAnswer(stream)) return;
  const headers = { ":status": 200, "content-type": contentType, ...statusHeaders(status) };
  stream.respond(headers, { endStream: true, ...withoutDate });
}

function canAnswer(stream: ServerHttp2Stream): boolean {
  return !stream.destroyed && !stream.closed && !stream.headersSent;
}

const unitsMs: Readonly<Record<string, number>> = {
  n: 1e-6,
  u: 1e-3,
  m: 1,
  S: 1_000,
  M: 60_000,
  H: 3_600_000,
};

/** The milliseconds of a `grpc-timeout`; undefined where there is none. */
export function timeoutOf(header: string | readonly string[] | undefined): number | undefined {
  const { count, unit } =
    /^(?<count>\d{1,8})(?<unit>[HMSmun])$/u.exec(typeof header === "string" ? header : "")?.groups ?? {};
  return count === undefined ? undefined : Math.ceil(Number(count) * (unitsMs[unit ?? ""] ?? 0));
}
