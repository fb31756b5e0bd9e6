import { isUtf8 } from "node:buffer";
import { runeAt, toData } from "./utf8.ts";

const continuation = (byte: number): boolean => (byte & 0xc0) === 0x80;

/** What libyaml's reader says of the first bytes that are no UTF-8, undefined where all are. */
export function findMalformedOctet(bytes: string): string | undefined {
  if (isUtf8(toData(bytes))) return undefined;
  for (let offset = 0; offset < bytes.length;) {
    const { code, width } = runeAt(bytes, offset);
    if (code === 0xfffd && width === 1) return describe(bytes, offset);
    offset += width;
  }
  return undefined;
}

function describe(bytes: string, offset: number): string {
  const first = bytes.charCodeAt(offset);
  if (first < 0xc0 || first >= 0xf8) return "invalid leading UTF-8 octet";
  const width = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  if (offset + width > bytes.length) return "incomplete UTF-8 octet sequence";
  for (let index = 1; index < width; index++) {
    if (!continuation(bytes.charCodeAt(offset + index))) return "invalid trailing UTF-8 octet";
  }
  const second = bytes.charCodeAt(offset + 1);
  const isOverlong = first < 0xc2 || (first === 0xe0 && second < 0xa0) || (first === 0xf0 && second < 0x90);
  return isOverlong ? "invalid length of a UTF-8 sequence" : "invalid Unicode character";
}
