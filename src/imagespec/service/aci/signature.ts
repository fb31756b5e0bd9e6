import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { Readable } from "node:stream";
import type { PublicKey } from "openpgp";
import { FairleadError, messageOf } from "../../../core/error.ts";
import { describeFileFailure } from "../../../core/file-failure.ts";

/** Keys of which one must have signed the images whose names begin with a prefix. */
export interface TrustedKey {
  /** Whole parts of a name, such as `example.com/team`; empty: every name. The longest that fits is asked for. */
  readonly prefix: string;
  /** OpenPGP public keys, armored or not. */
  readonly keyFile: string;
}

/** Finds the keys of which one must have signed an image; none: it need not be signed. */
export type Keyring = (name: string) => readonly PublicKey[];

/** The largest signature that is read. */
export const maxSignatureBytes: number = 64 * 1024;

/**
 * Reads the keys that signatures are checked with.
 * @throws FairleadError `config-invalid` for a file that cannot be read or holds no public key
 */
export async function loadKeyring(trusted: readonly TrustedKey[]): Promise<Keyring> {
  const keys = await Promise.all(
    trusted.map(async ({ prefix, keyFile }) => ({ prefix, keys: await readKeyFile(keyFile) })),
  );
  return (name) => {
    const fitting = keys.filter(
      ({ prefix }) =>
        prefix === "" || name === prefix || name.startsWith(prefix.endsWith("/") ? prefix : `${prefix}/`),
    );
    const longest = Math.max(...fitting.map(({ prefix }) => prefix.length));
    return fitting.filter(({ prefix }) => prefix.length === longest).flatMap((entry) => entry.keys);
  };
}

/**
 * Checks a detached signature over an image archive as it was fetched, compressed or not (appc specification, "Image
 * Archives": it is the `.aci` that is signed).
 * @throws FairleadError `signature-invalid`
 */
export async function checkSignature(
  archiveFile: string,
  signatureBytes: Uint8Array,
  keys: readonly PublicKey[],
  signal: AbortSignal,
): Promise<void> {
  const { createMessage, readSignature, verify } = await import("openpgp");
  try {
    const signature = await (isArmored(signatureBytes)
      ? readSignature({ armoredSignature: Buffer.from(signatureBytes).toString("latin1") })
      : readSignature({ binarySignature: signatureBytes }));
    const data = Readable.toWeb(createReadStream(archiveFile, { signal })) as ReadableStream<Uint8Array>;
    const message = await createMessage({ binary: data });
    const result = await verify({ message, signature, verificationKeys: [...keys], format: "binary" });
    // Signatures are known once all of it was read.
    const reader = (result.data as ReadableStream<Uint8Array>).getReader();
    while (!(await reader.read()).done) continue;
    await Promise.any(result.signatures.map(async ({ verified }) => verified));
  } catch (cause) {
    signal.throwIfAborted();
    const reason =
      cause instanceof AggregateError ? messageOf(cause.errors[0] ?? "it holds none") : messageOf(cause);
    throw new FairleadError("signature-invalid", `the signature of the image is not valid: ${reason}`, {
      cause,
    });
  }
}

async function readKeyFile(keyFile: string): Promise<readonly PublicKey[]> {
  const { readKeys } = await import("openpgp");
  const bytes = await readFile(keyFile).catch((cause: unknown) => {
    throw new FairleadError("config-invalid", `the keys cannot be read: ${describeFileFailure(cause)}`, {
      where: { file: keyFile },
      cause,
    });
  });
  try {
    const keys = await (isArmored(bytes)
      ? readKeys({ armoredKeys: bytes.toString("latin1") })
      : readKeys({ binaryKeys: bytes }));
    const publicKeys = keys.map((key) => key.toPublic());
    if (publicKeys.length > 0) return publicKeys;
    throw new Error("it holds none");
  } catch (cause) {
    throw new FairleadError("config-invalid", `the file holds no OpenPGP public key: ${messageOf(cause)}`, {
      where: { file: keyFile },
      cause,
    });
  }
}

function isArmored(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, 64)).toString("latin1").trimStart().startsWith("-----BEGIN PGP");
}
