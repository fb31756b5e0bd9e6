import { checkPrimeSync } from "node:crypto";
import { lazy } from "../../../core/lazy.ts";
import type { RandomSource } from "../../go/context.ts";
import { bigIntOf } from "../../go/random.ts";

/** Most numbers that are not prime have one of these as a factor; the rest is left to the real test. */
const smallPrimes = lazy(() => primesBelow(4096));

/** How many numbers after a random one are looked at before another is drawn. */
const tries = 4096;

/** A prime with so many bits, the first two of them set, so that two of them have a product of twice the bits. */
export function randomPrime(
  bits: number,
  random: RandomSource,
  isWanted: (prime: bigint) => boolean = () => true,
): bigint {
  for (;;) {
    const start = randomOfBits(bits, random) | (3n << BigInt(bits - 2)) | 1n;
    const prime = primeInProgression(start, 2n, (candidate) => isWanted(candidate));
    if (prime !== undefined && prime < 1n << BigInt(bits)) return prime;
  }
}

/** The first prime among a number and those that follow in equal steps; undefined if none is near. */
export function primeInProgression(
  start: bigint,
  step: bigint,
  isWanted: (prime: bigint) => boolean = () => true,
): bigint | undefined {
  const sieve = new Uint8Array(tries);
  for (const prime of smallPrimes()) {
    const first = Number(start % BigInt(prime));
    const stride = Number(step % BigInt(prime));
    if (stride === 0) continue;
    const firstMultiple = ((prime - first) * inverseOf(stride, prime)) % prime;
    for (let index = firstMultiple; index < tries; index += prime) sieve[index] = 1;
  }
  for (const [index, isComposite] of sieve.entries()) {
    const candidate = start + BigInt(index) * step;
    if (isComposite === 0 && isWanted(candidate) && checkPrimeSync(candidate)) return candidate;
  }
  return undefined;
}

/** What a number is to be multiplied with to leave 1 over a prime. */
function inverseOf(value: number, prime: number): number {
  let [remainder, next] = [prime, value];
  let [factor, nextFactor] = [0, 1];
  while (next !== 0) {
    const quotient = Math.floor(remainder / next);
    [remainder, next] = [next, remainder - quotient * next];
    [factor, nextFactor] = [nextFactor, factor - quotient * nextFactor];
  }
  return factor < 0 ? factor + prime : factor;
}

/** A number below two to the power of the bits. */
export function randomOfBits(bits: number, random: RandomSource): bigint {
  return BigInt.asUintN(bits, bigIntOf(random.bytes(Math.ceil(bits / 8))));
}

function primesBelow(limit: number): number[] {
  const primes: number[] = [];
  for (let candidate = 2; candidate < limit; candidate++) {
    if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate);
  }
  return primes;
}
