import { Buffer } from "node:buffer";
import { createPrivateKey, type KeyObject } from "node:crypto";
import { GoError } from "../../go/value.ts";
import { derTags, readDerSequence } from "./der.ts";
import { isKnownCurve } from "./ecdsa.ts";
import { encodePem, tryDecodePem } from "./pem.ts";

/** A private key. Of DSA, which no certificate can use, only what is written down is kept. */
export type PrivateKey =
  | { readonly type: "rsa" | "ec" | "ed25519" | "x25519"; readonly key: KeyObject }
  | { readonly type: "dsa"; readonly data: Buffer };

/** The key in the format that Sprig writes for its kind. */
export function privateKeyToPem(privateKey: PrivateKey): string {
  if (privateKey.type === "dsa") return encodePem({ type: "DSA PRIVATE KEY", data: privateKey.data });
  const format = { rsa: "pkcs1", ec: "sec1", ed25519: "pkcs8", x25519: "pkcs8" } as const;
  return String(privateKey.key.export({ format: "pem", type: format[privateKey.type] }));
}

/**
 * The key in a PEM text.
 * @throws GoError with Sprig's text; what Go says of malformed DER is not repeated to the letter
 */
export function parsePrivateKeyPem(text: string): PrivateKey {
  const block = tryDecodePem(text);
  if (block === undefined) throw new GoError("no PEM data in input");
  const { type, data } = block;
  if (type === "PRIVATE KEY") {
    return parseDer(data, "pkcs8", ["rsa", "ec", "ed25519", "x25519"], "decoding PEM as PKCS#8: ");
  }
  if (!type.endsWith(" PRIVATE KEY")) throw new GoError(`no private key data in PEM block of type ${type}`);
  switch (type) {
    case "RSA PRIVATE KEY":
      return parseDer(data, "pkcs1", ["rsa"], "parsing RSA private key from PEM: ");
    case "EC PRIVATE KEY":
      return parseDer(data, "sec1", ["ec"], "parsing EC private key from PEM: ");
    case "DSA PRIVATE KEY":
      return parseDsa(data);
    default:
      throw new GoError(`invalid private key type ${type}`);
  }
}

function parseDer(
  data: Buffer,
  format: "pkcs1" | "sec1" | "pkcs8",
  types: readonly Exclude<PrivateKey["type"], "dsa">[],
  complaint: string,
): PrivateKey {
  let key: KeyObject;
  try {
    key = createPrivateKey({ key: data, format: "der", type: format });
  } catch {
    const detail = format === "sec1" ? "x509: failed to parse EC private key: " : "";
    throw new GoError(`${complaint}${detail}asn1: structure error`);
  }
  const type = types.find((name) => name === key.asymmetricKeyType);
  if (type === undefined) throw new GoError(`${complaint}x509: unknown algorithm`);
  if (type === "ec" && !isKnownCurve(key.asymmetricKeyDetails?.namedCurve)) {
    throw new GoError(`${complaint}x509: unknown elliptic curve`);
  }
  return { type, key };
}

function parseDsa(data: Buffer): PrivateKey {
  const numbers = readDerSequence(data);
  if (numbers?.length !== 6 || numbers.some(({ tag }) => tag !== derTags.integer)) {
    throw new GoError("parsing DSA private key from PEM: asn1: structure error");
  }
  return { type: "dsa", data };
}
