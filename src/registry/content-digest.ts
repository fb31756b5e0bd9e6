import { createHash } from "node:crypto";
import { FairleadError } from "../core/error.ts";
import { parseDigest } from "../reference/digest.ts";

/** The digest of content, `algorithm:hex`. */
export function digestOf(bytes: Uint8Array, algorithm: "sha256" | "sha384" | "sha512"): string {
  return `${algorithm}:${createHash(algorithm).update(bytes).digest("hex")}`;
}

/**
 * Holds content against the digest that it must have.
 * @param source where it came from, for the message
 * @throws FairleadError `registry-failed` where it differs, `digest-invalid`
 */
export function verifyDigest(bytes: Uint8Array, expected: string, source: string): void {
  const actual = digestOf(bytes, parseDigest(expected).algorithm);
  if (actual === expected) return;
  throw new FairleadError(
    "registry-failed",
    `${source} sends content with the digest ${actual}, not ${expected}`,
  );
}
