import { Buffer } from "node:buffer";
import { createCipheriv, createHash, randomBytes } from "node:crypto";
import type { RandomSource } from "./context.ts";

/** The system's own randomness. */
export function createSystemRandom(): RandomSource {
  return new SystemRandom();
}

class SystemRandom implements RandomSource {
  bytes(count: number): Uint8Array {
    return randomBytes(count);
  }
}

/** Whether what is drawn differs from run to run, so that the system may as well make whole keys. */
export function isSystemRandom(source: RandomSource): boolean {
  return source instanceof SystemRandom;
}

/** Bytes that look random and follow from the seed alone: AES in counter mode. For output that can be reproduced. */
export function createSeededRandom(seed: string): RandomSource {
  const key = createHash("sha256").update(seed, "utf8").digest();
  const cipher = createCipheriv("aes-256-ctr", key, new Uint8Array(16));
  return { bytes: (count) => cipher.update(new Uint8Array(count)) };
}

/** For renderings that are only looked at: the same for a seed, with keys too short to protect anything. */
export function createRehearsalRandom(seed: string = "rehearsal"): RandomSource {
  return { ...createSeededRandom(seed), isRehearsal: true };
}

/** An integer from 0 to below the limit, each with the same chance; for keys and serial numbers. */
export function randomBigIntBelow(source: RandomSource, limit: bigint): bigint {
  const bits = (limit - 1n).toString(2).length;
  for (;;) {
    const value = BigInt.asUintN(bits, bigIntOf(source.bytes(Math.ceil(bits / 8))));
    if (value < limit) return value;
  }
}

/** An integer from 0 to below the limit, at most 2^32, each with the same chance. */
export function randomBelow(source: RandomSource, limit: number): number {
  const end = 2 ** 32 - (2 ** 32 % limit);
  for (;;) {
    const bytes = source.bytes(4);
    const value = new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0);
    if (value < end) return value % limit;
  }
}

/** Bytes as one large number, the first byte the most significant. */
export function bigIntOf(bytes: Uint8Array): bigint {
  return BigInt(`0x0${Buffer.from(bytes).toString("hex")}`);
}
