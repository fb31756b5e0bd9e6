import { Buffer } from "node:buffer";
import { createECDH, createHash, type KeyObject } from "node:crypto";
import type { RandomSource } from "../../go/context.ts";
import { bigIntOf, randomBigIntBelow } from "../../go/random.ts";
import { derInteger, derSequence, readDerSequence } from "./der.ts";
import { inverseModulo } from "./modular.ts";

/** The number of points of the curves that Go's certificates can use, by OpenSSL's names. */
const orders: ReadonlyMap<string, bigint> = new Map([
  ["secp224r1", 0xffffffffffffffffffffffffffff16a2e0b8f03e13dd29455c5c2a3dn],
  ["prime256v1", 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n],
  [
    "secp384r1",
    0xffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973n,
  ],
  [
    "secp521r1",
    0x1fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffa51868783bf2f966b7fcc0148f709a5d03bb5c9b8899c47aebb6fb71e91386409n,
  ],
]);

/** @throws TypeError if it is no such curve */
export function orderOfCurve(curve: string): bigint {
  const order = orders.get(curve);
  if (order === undefined) throw new TypeError(`unknown curve ${curve}`);
  return order;
}

/** Whether Go's certificates can use the curve. */
export function isKnownCurve(curve: string | undefined): boolean {
  return curve !== undefined && orders.has(curve);
}

/**
 * An ECDSA signature in DER. The signer of node:crypto takes random numbers of its own; here they are the caller's,
 * so that what is made from a seed can be made again.
 */
export function signEcdsa(key: KeyObject, hash: string, data: Uint8Array, random: RandomSource): Buffer {
  const curve = key.asymmetricKeyDetails?.namedCurve ?? "";
  const order = orderOfCurve(curve);
  const secret = bigIntOf(
    readDerSequence(key.export({ format: "der", type: "sec1" }))?.[1]?.content ?? new Uint8Array(),
  );
  const digest = leftmostBits(createHash(hash).update(data).digest(), order.toString(2).length);
  for (;;) {
    const nonce = 1n + randomBigIntBelow(random, order - 1n);
    const first = abscissa(curve, nonce) % order;
    const second = (inverseModulo(nonce, order) * (digest + first * secret)) % order;
    if (first !== 0n && second !== 0n) return derSequence(derInteger(first), derInteger(second));
  }
}

function leftmostBits(digest: Uint8Array, bits: number): bigint {
  return bigIntOf(digest) >> BigInt(Math.max(0, digest.length * 8 - bits));
}

/** The x of the curve's generator multiplied by a number. */
function abscissa(curve: string, factor: bigint): bigint {
  const exchange = createECDH(curve);
  const digits = factor.toString(16);
  exchange.setPrivateKey(Buffer.from(digits.padStart(digits.length + (digits.length % 2), "0"), "hex"));
  const point = exchange.getPublicKey();
  return bigIntOf(point.subarray(1, (point.length + 1) / 2));
}
