import { Buffer, isUtf8 } from "node:buffer";
import { fromBytes, isAscii, toBytes } from "./utf8.ts";

/** Whether Go's bytes are UTF-8 (utf8.ValidString). */
export function isWellFormed(bytes: string): boolean {
  return isAscii(bytes) || isUtf8(Buffer.from(bytes, "latin1"));
}

/** Go's bytes with U+FFFD in place of each byte that is no UTF-8. */
export function toWellFormed(bytes: string): string {
  return isWellFormed(bytes) ? bytes : toBytes(fromBytes(bytes));
}
