import { Buffer } from "node:buffer";
import { createECDH, createPrivateKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import type { RandomSource } from "../../go/context.ts";
import { isSystemRandom, randomBigIntBelow } from "../../go/random.ts";
import { derInteger, derSequence } from "./der.ts";
import { orderOfCurve } from "./ecdsa.ts";
import { inverseModulo, powerModulo } from "./modular.ts";
import type { PrivateKey } from "./private-key.ts";
import { primeInProgression, randomOfBits, randomPrime } from "./prime.ts";

/** The shortest key that can sign with SHA-256. */
const rehearsalBits = 512;

/** An RSA key; from a seed it is always the same, which node:crypto cannot do. */
export function generateRsaKey(length: number, random: RandomSource): KeyObject {
  if (isSystemRandom(random)) return generateKeyPairSync("rsa", { modulusLength: length }).privateKey;
  const bits = random.isRehearsal === true ? rehearsalBits : length;
  const exponent = 65_537n;
  const prime = (): bigint => randomPrime(bits / 2, random, (candidate) => candidate % exponent !== 1n);
  const first = prime();
  const second = prime();
  const secret = inverseModulo(exponent, (first - 1n) * (second - 1n));
  const key = {
    kty: "RSA",
    n: base64Url(first * second),
    e: base64Url(exponent),
    d: base64Url(secret),
    p: base64Url(first),
    q: base64Url(second),
    dp: base64Url(secret % (first - 1n)),
    dq: base64Url(secret % (second - 1n)),
    qi: base64Url(inverseModulo(second, first)),
  };
  return createPrivateKey({ key, format: "jwk" });
}

/** An ECDSA key on P-256. */
export function generateEcKey(random: RandomSource): KeyObject {
  const curve = "prime256v1";
  const secret = bytesOf(1n + randomBigIntBelow(random, orderOfCurve(curve) - 1n), 32);
  const exchange = createECDH(curve);
  exchange.setPrivateKey(secret);
  const point = exchange.getPublicKey();
  const key = {
    kty: "EC",
    crv: "P-256",
    d: secret.toString("base64url"),
    x: point.subarray(1, 33).toString("base64url"),
    y: point.subarray(33).toString("base64url"),
  };
  return createPrivateKey({ key, format: "jwk" });
}

/** An Ed25519 key, which is 32 bytes and what PKCS#8 says before them. */
export function generateEd25519Key(random: RandomSource): KeyObject {
  const header = Buffer.from("302e020100300506032b657004220420", "hex");
  const key = Buffer.concat([header, random.bytes(32)]);
  return createPrivateKey({ key, format: "der", type: "pkcs8" });
}

/** A DSA key with parameters of 2048 and 256 bits of its own, in the format of OpenSSL. */
export function generateDsaKey(random: RandomSource): PrivateKey {
  const divisor = randomPrime(256, random);
  const modulus = dsaModulus(divisor, random);
  const generator = powerModulo(2n, (modulus - 1n) / divisor, modulus);
  const secret = 1n + randomBigIntBelow(random, divisor - 1n);
  const open = powerModulo(generator, secret, modulus);
  const numbers = [0n, modulus, divisor, generator, open, secret];
  return { type: "dsa", data: derSequence(...numbers.map(derInteger)) };
}

/** A prime of 2048 bits that is one more than a multiple of the divisor. */
function dsaModulus(divisor: bigint, random: RandomSource): bigint {
  for (;;) {
    const start = randomOfBits(2048, random) | (1n << 2047n);
    const prime = primeInProgression(start - (start % (2n * divisor)) + 1n, 2n * divisor);
    if (prime !== undefined && prime.toString(2).length === 2048) return prime;
  }
}

function base64Url(value: bigint): string {
  const digits = value.toString(16);
  return bytesOf(value, Math.ceil(digits.length / 2)).toString("base64url");
}

function bytesOf(value: bigint, length: number): Buffer {
  return Buffer.from(value.toString(16).padStart(length * 2, "0"), "hex");
}
