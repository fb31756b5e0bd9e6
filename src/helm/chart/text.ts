import { type ErrorCode, FairleadError } from "../../core/error.ts";

/**
 * The text of a UTF-8 file, without a byte order mark.
 * @throws FairleadError with the given code when it is not UTF-8.
 */
export function decodeText(data: Uint8Array, file: string, code: ErrorCode): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(data);
  } catch (cause) {
    throw new FairleadError(code, "the file is not UTF-8 text", { where: { file }, cause });
  }
}

/** The bytes after a UTF-8 byte order mark, which Helm removes from every file of a chart. */
export function stripByteOrderMark(data: Uint8Array): Uint8Array {
  const marked = data[0] === 0xef && data[1] === 0xbb && data[2] === 0xbf;
  return marked ? data.subarray(3) : data;
}
