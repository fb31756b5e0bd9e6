import { Buffer } from "node:buffer";
import { createCipheriv, createHash, randomBytes } from "node:crypto";
import { lazy } from "../../core/lazy.ts";
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
  // Few templates draw anything, and loading the ciphers takes longer than most charts.
  const cipher = lazy(() => {
    const key = createHash("sha256").update(seed, "utf8").digest();
    return createCipheriv("aes-256-ctr", key, new Uint8Array(16));
  });
  return { bytes: (count) => cipher().update(new Uint8Array(count)) };
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

/** So many bytes at most are drawn at once. */
const bytesDrawn = 16_384;

/** Draws many integers, whose bytes it draws together. */
export class Dice {
  readonly #random: RandomSource;
  #bytes: DataView = new DataView(new ArrayBuffer(0));
  #position = 0;

  constructor(random: RandomSource) {
    this.#random = random;
  }

  /**
   * An integer from 0 to below the limit, at most 2^32, each with the same chance.
   * @param expected how many will be drawn, this one included
   */
  below(limit: number, expected: number): number {
    const end = 2 ** 32 - (2 ** 32 % limit);
    for (;;) {
      const value = this.#draw(expected);
      if (value < end) return value % limit;
    }
  }

  #draw(expected: number): number {
    if (this.#position === this.#bytes.byteLength) {
      const { buffer, byteOffset, byteLength } = this.#random.bytes(Math.min(4 * expected, bytesDrawn));
      this.#bytes = new DataView(buffer, byteOffset, byteLength);
      this.#position = 0;
    }
    this.#position += 4;
    return this.#bytes.getUint32(this.#position - 4);
  }
}

/** Bytes as one large number, the first byte the most significant. */
export function bigIntOf(bytes: Uint8Array): bigint {
  return BigInt(`0x0${Buffer.from(bytes).toString("hex")}`);
}
