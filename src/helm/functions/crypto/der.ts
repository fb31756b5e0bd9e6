import { Buffer } from "node:buffer";

/** Tags of ASN.1. */
export const derTags = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  objectIdentifier: 0x06,
  utf8String: 0x0c,
  printableString: 0x13,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const;

/** An element of DER: its tag, its length, its contents one after another. */
export function derElement(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  if (length < 0x80) return Buffer.concat([Buffer.from([tag, length]), content]);
  const size = bytesOfNumber(BigInt(length));
  return Buffer.concat([Buffer.from([tag, 0x80 + size.length]), size, content]);
}

/** The elements as one, in their order. */
export function derSequence(...contents: readonly Uint8Array[]): Buffer {
  return derElement(derTags.sequence, ...contents);
}

/** An integer that is not negative. */
export function derInteger(value: bigint): Buffer {
  const bytes = bytesOfNumber(value);
  const isNegative = (bytes[0] ?? 0) >= 0x80;
  return derElement(derTags.integer, Buffer.from(isNegative ? [0] : []), bytes);
}

/** In DER, true is all bits. */
export function derBoolean(value: boolean): Buffer {
  return derElement(derTags.boolean, Buffer.from([value ? 0xff : 0]));
}

/** Bits in whole bytes, of which the last may have some that do not count. */
export function derBitString(bytes: Uint8Array, unusedBits = 0): Buffer {
  return derElement(derTags.bitString, Buffer.from([unusedBits]), bytes);
}

/** @param dotted such as `2.5.4.3` */
export function derObjectIdentifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  return derElement(derTags.objectIdentifier, Buffer.from([first * 40 + second, ...rest.flatMap(septets)]));
}

/** A number in groups of seven bits, all but the last marked. */
function septets(value: number): number[] {
  const groups = [value % 128];
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) {
    groups.unshift((rest % 128) + 128);
  }
  return groups;
}

function bytesOfNumber(value: bigint): Buffer {
  const digits = value.toString(16);
  return Buffer.from(digits.padStart(digits.length + (digits.length % 2), "0"), "hex");
}

/** An element that was read. */
export interface DerPart {
  readonly tag: number;
  /** With tag and length. */
  readonly whole: Buffer;
  readonly content: Buffer;
}

/** The elements in the content of another, or undefined where there is something else. */
export function readDer(bytes: Uint8Array): DerPart[] | undefined {
  const parts: DerPart[] = [];
  const data = Buffer.from(bytes);
  for (let start = 0; start < data.length;) {
    const tag = data[start] ?? 0;
    const short = data[start + 1] ?? 0;
    const sizeBytes = short < 0x80 ? 0 : short - 0x80;
    const contentStart = start + 2 + sizeBytes;
    if (sizeBytes > 4 || contentStart > data.length) return undefined;
    const length = sizeBytes === 0 ? short : data.readUIntBE(start + 2, sizeBytes);
    const end = contentStart + length;
    if (end > data.length) return undefined;
    parts.push({ tag, whole: data.subarray(start, end), content: data.subarray(contentStart, end) });
    start = end;
  }
  return parts;
}

/** The elements of the one sequence that the bytes are, or undefined. */
export function readDerSequence(bytes: Uint8Array): DerPart[] | undefined {
  const [sequence, ...rest] = readDer(bytes) ?? [];
  if (sequence?.tag !== derTags.sequence || rest.length > 0) return undefined;
  return readDer(sequence.content);
}
