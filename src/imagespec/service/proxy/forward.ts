import {
  constants,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type ServerHttp2Stream,
} from "node:http2";
import { answerStatus, withoutDate } from "./grpc-stream.ts";
import { type GrpcStatus, statusHeaders } from "./grpc-status.ts";
import type { RuntimeSession } from "./runtime-session.ts";

const unavailable: GrpcStatus = { code: 14, message: "the container runtime does not answer" };

/**
 * Passes a call to the runtime and what it answers back, as it is: bytes, metadata, deadline, status, cancellation.
 * @param body what is sent in place of the caller's bytes, where they were read already
 */
export function forward(
  caller: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  runtime: RuntimeSession,
  body?: Buffer,
): void {
  if (caller.destroyed) return;
  const called = runtime.request({ ...headers });
  let trailers: OutgoingHttpHeaders = statusHeaders(unavailable);
  called.on("response", (answer, flags) => {
    if (caller.destroyed || caller.closed) return;
    const isEnd = (flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0;
    caller.respond({ ...answer }, { endStream: isEnd, waitForTrailers: !isEnd, ...withoutDate });
    if (isEnd) return;
    caller.on("wantTrailers", () => caller.sendTrailers(trailers));
    called.pipe(caller);
  });
  called.on("trailers", (received: IncomingHttpHeaders) => {
    trailers = { ...received };
  });
  // What follows an error is its end.
  called.on("error", () => undefined);
  caller.on("error", () => undefined);
  called.on("close", () => {
    if (!caller.headersSent) answerStatus(caller, unavailable);
    else if (!called.readableEnded && !caller.destroyed) caller.end();
  });
  caller.on("close", () => {
    if (!called.destroyed) called.close(constants.NGHTTP2_CANCEL);
  });
  if (body === undefined) caller.pipe(called);
  else called.end(body);
}
