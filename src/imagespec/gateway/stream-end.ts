import { constants } from "node:http2";
import type { Readable } from "node:stream";

/** Whether a stream that has ended was reset by its peer: node:http2 ends it then as if it were whole. */
export function brokeOff(body: Readable): boolean {
  return "rstCode" in body && body.rstCode !== undefined && body.rstCode !== constants.NGHTTP2_NO_ERROR;
}
