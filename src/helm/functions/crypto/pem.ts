import { Buffer } from "node:buffer";

/** Bytes between the lines that name them. */
export interface PemBlock {
  /** Such as `CERTIFICATE`. */
  readonly type: string;
  readonly data: Buffer;
}

const begin = "-----BEGIN ";
const end = "-----END ";
const dashes = "-----";

/** As encoding/pem writes a block: lines of 64 characters. */
export function encodePem({ type, data }: PemBlock): string {
  const lines = data.toString("base64").match(/.{1,64}/gu) ?? [];
  return [`${begin}${type}${dashes}`, ...lines, `${end}${type}${dashes}`, ""].join("\n");
}

/** The first block of a text that is well formed (pem.Decode). */
export function tryDecodePem(text: string): PemBlock | undefined {
  let from = 0;
  for (;;) {
    const endLine = text.indexOf(end, from);
    if (endLine === -1) return undefined;
    // Of several lines that begin a block, the last before its end counts.
    const start = text.lastIndexOf(begin, endLine);
    const block = start < from ? undefined : readBlock(text, start, endLine);
    if (block !== undefined) return block;
    from = endLine + end.length;
  }
}

function readBlock(text: string, start: number, endLine: number): PemBlock | undefined {
  if (start > 0 && text[start - 1] !== "\n") return undefined;
  const [typeLine = "", ...lines] = text.slice(start + begin.length, endLine).split("\n");
  const trimmed = withoutTrailingSpace(typeLine);
  if (!trimmed.endsWith(dashes)) return undefined;
  const type = trimmed.slice(0, -dashes.length);
  const closing = `${type}${dashes}`;
  const afterEnd = endLine + end.length;
  if (!text.startsWith(closing, afterEnd)) return undefined;
  const [restOfLine = ""] = text.slice(afterEnd + closing.length).split("\n", 1);
  if (withoutTrailingSpace(restOfLine) !== "") return undefined;
  while (lines[0]?.includes(":") === true) lines.shift();
  const data = tryDecodeBase64(lines.join("\n").replaceAll(/[ \t]/gu, ""));
  return data === undefined ? undefined : { type, data };
}

function withoutTrailingSpace(line: string): string {
  return line.replace(/\r$/u, "").replace(/[ \t]+$/u, "");
}

/** The bytes of base64 with padding, line breaks passed over; undefined where it is not well formed. */
export function tryDecodeBase64(text: string): Buffer | undefined {
  const joined = text.replaceAll(/[\r\n]/gu, "");
  const isWellFormed = joined.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/u.test(joined);
  return isWellFormed ? Buffer.from(joined, "base64") : undefined;
}
