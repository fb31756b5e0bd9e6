import { Buffer } from "node:buffer";

/** Whether every byte is below 128, so that bytes, runes and UTF-16 units are the same. */
export function isAscii(text: string): boolean {
  // Counting is native code, several times as fast as a regular expression; all else takes more bytes than units.
  return Buffer.byteLength(text, "utf8") === text.length;
}

/** A text as Go's bytes: UTF-8, one byte a UTF-16 unit. */
export function toBytes(text: string): string {
  return isAscii(text) ? text : Buffer.from(text, "utf8").toString("latin1");
}

/** Go's bytes as text; each byte that is no UTF-8 becomes U+FFFD, as Go's `range` and encoders have it. */
export function fromBytes(bytes: string): string {
  if (isAscii(bytes)) return bytes;
  const text = Buffer.from(bytes, "latin1").toString("utf8");
  // Node takes several malformed bytes for one, where Go takes each for itself.
  if (!text.includes("\ufffd")) return text;
  return [...runes(bytes)].map((rune) => String.fromCodePoint(rune.code)).join("");
}

/** A file's content as Go's string. */
export function bytesOf(data: Uint8Array): string {
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString("latin1");
}

/** Go's string as a file's content. */
export function toData(bytes: string): Uint8Array {
  return Buffer.from(bytes, "latin1");
}

/** A rune and the bytes it takes; a byte that is no UTF-8 is U+FFFD of width 1. */
export interface Rune {
  readonly code: number;
  readonly offset: number;
  readonly width: number;
}

/** The runes of a string as `range` gives them in Go. */
export function* runes(bytes: string): Generator<Rune> {
  for (let offset = 0; offset < bytes.length;) {
    const rune = runeAt(bytes, offset);
    yield rune;
    offset += rune.width;
  }
}

/** The rune that begins at a byte (Go's utf8.DecodeRuneInString). */
export function runeAt(bytes: string, offset: number): Rune {
  const first = bytes.charCodeAt(offset);
  if (first < 0x80) return { code: first, offset, width: 1 };
  const width = first >= 0xf0 && first <= 0xf4 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first >= 0xc2 && first <= 0xf4 && offset + width <= bytes.length) {
    let code = first & (0x7f >> width);
    let valid = true;
    for (let index = 1; index < width; index++) {
      const byte = bytes.charCodeAt(offset + index);
      valid &&= (byte & 0xc0) === 0x80;
      code = (code << 6) | (byte & 0x3f);
    }
    const smallest = [0, 0, 0x80, 0x800, 0x10000][width] ?? 0;
    const isSurrogate = code >= 0xd800 && code <= 0xdfff;
    if (valid && code >= smallest && code <= 0x10ffff && !isSurrogate) return { code, offset, width };
  }
  return { code: 0xfffd, offset, width: 1 };
}
