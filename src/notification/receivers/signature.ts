import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { FairleadError } from "../../core/error.ts";

/** Whether two texts are equal, in a time that does not tell where they differ. */
export function equalsSecret(given: string, secret: string): boolean {
  return timingSafeEqual(sha256(given), sha256(secret));
}

const algorithms: Readonly<Record<string, { readonly name: string; readonly length: number }>> = {
  sha1: { name: "sha1", length: 40 },
  sha256: { name: "sha256", length: 64 },
  sha512: { name: "sha512", length: 128 },
};

/**
 * Checks a signature such as `sha256=<hex HMAC of the body>`.
 * @throws FairleadError `access-denied`
 */
export function checkHmacHeader(header: string | undefined, body: Uint8Array, token: string): void {
  const [, prefix = "", hex = ""] = /^([a-z0-9]+)=([0-9a-fA-F]+)$/u.exec(header ?? "") ?? [];
  const algorithm = Object.hasOwn(algorithms, prefix) ? algorithms[prefix] : undefined;
  if (algorithm === undefined) throw denied("the signature is missing or of an unknown kind");
  if (hex.length !== algorithm.length || !isHmac(hex, algorithm.name, body, token)) {
    throw denied("the signature is not that of the body");
  }
}

/** Checks a bare hexadecimal HMAC with SHA-1, as Nexus sends it. @throws FairleadError `access-denied` */
export function checkNexusSignature(header: string | undefined, body: Uint8Array, token: string): void {
  if (header === undefined || header === "") throw denied("the signature is missing");
  if (!/^[0-9a-fA-F]{40}$/u.test(header) || !isHmac(header, "sha1", body, token)) {
    throw denied("the signature is not that of the body");
  }
}

/** A request that shows no right to come. */
export function denied(message: string): FairleadError {
  return new FairleadError("access-denied", message);
}

function isHmac(hex: string, algorithm: string, body: Uint8Array, token: string): boolean {
  return equalsSecret(hex.toLowerCase(), createHmac(algorithm, token).update(body).digest("hex"));
}

function sha256(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
