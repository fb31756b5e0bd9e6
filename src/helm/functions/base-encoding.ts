import { Buffer } from "node:buffer";

const base32Alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const wellFormedBase64 = /^[A-Za-z0-9+/]*={0,2}$/u;
const lineBreaks = /[\r\n]+/gu;

/** Bytes in base64 with padding. */
export function encodeBase64(bytes: string): string {
  return Buffer.from(bytes, "latin1").toString("base64");
}

/** The bytes that base64 stands for, line breaks passed over; or the text of Go's error. */
export function decodeBase64(text: string): string {
  const joined = text.replaceAll(lineBreaks, "");
  if (joined.length % 4 === 0 && wellFormedBase64.test(joined)) {
    return Buffer.from(joined, "base64").toString("latin1");
  }
  return `illegal base64 data at input byte ${firstFaultInBase64(text)}`;
}

/** Where Go's decoder stops in text that is not well formed. */
function firstFaultInBase64(text: string): number {
  let digits = 0;
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(index);
    if (character === "\n" || character === "\r") continue;
    if (character === "=") return faultInPadding(text, index, digits % 4);
    if (!/[A-Za-z0-9+/]/u.test(character)) return index;
    digits += 1;
  }
  return text.length - (digits % 4);
}

function faultInPadding(text: string, first: number, digits: number): number {
  if (digits < 2) return first;
  let next = afterLineBreaks(text, first + 1);
  if (digits === 2) {
    if (next === text.length) return text.length;
    if (text[next] !== "=") return next - 1;
    next = afterLineBreaks(text, next + 1);
  }
  return next;
}

function afterLineBreaks(text: string, start: number): number {
  let index = start;
  while (text[index] === "\n" || text[index] === "\r") index += 1;
  return index;
}

/** Bytes in base32 with padding. */
export function encodeBase32(bytes: string): string {
  let encoded = "";
  let bits = 0;
  let value = 0;
  for (let index = 0; index < bytes.length; index++) {
    value = ((value << 8) | bytes.charCodeAt(index)) & 0xfff;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      encoded += base32Alphabet.charAt((value >> bits) & 31);
    }
  }
  if (bits > 0) encoded += base32Alphabet.charAt((value << (5 - bits)) & 31);
  return encoded.padEnd(Math.ceil(bytes.length / 5) * 8, "=");
}

/** The bytes that base32 stands for, line breaks passed over; or the text of Go's error. */
export function decodeBase32(text: string): string {
  const joined = text.replaceAll(lineBreaks, "");
  const digits = endOfBase32(joined);
  if (typeof digits !== "number") return `illegal base32 data at input byte ${digits.fault}`;
  let decoded = "";
  let bits = 0;
  let value = 0;
  for (let index = 0; index < digits; index++) {
    value = ((value << 5) | base32Alphabet.indexOf(joined.charAt(index))) & 0xfff;
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      decoded += String.fromCharCode((value >> bits) & 255);
    }
  }
  return decoded;
}

/** How many digits there are before the padding, or where Go's decoder finds a fault. */
function endOfBase32(text: string): number | { readonly fault: number } {
  for (let index = 0; index < text.length; index++) {
    const digits = index % 8;
    const behind = text.length - index - 1;
    if (text[index] === "=" && digits >= 2 && behind < 8) {
      const fault = faultInBase32Padding(text, index, digits);
      return fault === undefined ? index : { fault };
    }
    if (!base32Alphabet.includes(text.charAt(index))) return { fault: index };
  }
  const missing = text.length % 8;
  return missing === 0 ? text.length : { fault: text.length - missing };
}

function faultInBase32Padding(text: string, first: number, digits: number): number | undefined {
  const behind = text.length - first - 1;
  if (behind + digits < 7) return text.length;
  for (let offset = 0; offset < 7 - digits; offset++) {
    if (text[first + 1 + offset] !== "=") return first + offset;
  }
  return digits === 3 || digits === 6 ? first : undefined;
}
