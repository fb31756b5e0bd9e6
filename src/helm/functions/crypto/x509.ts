import { Buffer } from "node:buffer";
import { createHash, createPublicKey, sign, X509Certificate, type KeyObject } from "node:crypto";
import type { RandomSource } from "../../go/context.ts";
import { wallTime } from "../../go/calendar.ts";
import type { Instant } from "../../go/instant.ts";
import { quoteGo } from "../../go/quote.ts";
import { formatTime } from "../../go/time-format.ts";
import { isAscii } from "../../go/utf8.ts";
import { GoError } from "../../go/value.ts";
import { isWellFormed } from "../../go/well-formed.ts";
import {
  derBitString,
  derBoolean,
  derElement,
  derInteger,
  derObjectIdentifier,
  derSequence,
  derTags,
  readDer,
  readDerSequence,
} from "./der.ts";
import { signEcdsa } from "./ecdsa.ts";
import type { PrivateKey } from "./private-key.ts";

/** What a certificate is to say. */
export interface CertificateTemplate {
  readonly serialNumber: bigint;
  /** Go's bytes, as are the host names. */
  readonly commonName: string;
  readonly hostNames: readonly string[];
  readonly ipAddresses: readonly Uint8Array[];
  readonly notBefore: Instant;
  readonly notAfter: Instant;
  readonly isAuthority: boolean;
}

/** Who signs a certificate, as its own certificate tells. */
export interface Issuer {
  /** In DER. */
  readonly subject: Buffer;
  readonly subjectKeyId: Buffer | undefined;
  readonly publicKey: KeyObject;
}

/**
 * A certificate in DER, as Go's x509.CreateCertificate makes it.
 * @param issuer undefined for a certificate that is signed by its own key
 * @throws GoError with Go's text
 */
export function createCertificate(
  template: CertificateTemplate,
  issuer: Issuer | undefined,
  subjectKey: PrivateKey,
  signingKey: PrivateKey,
  random: RandomSource,
): Buffer {
  if (signingKey.type === "dsa" || signingKey.type === "x25519") {
    throw new GoError("x509: certificate private key does not implement crypto.Signer");
  }
  if (subjectKey.type === "dsa") throw new GoError("x509: unsupported public key type: *dsa.PublicKey");
  const signature = signatureOf(signingKey);
  const publicKey = createPublicKey(subjectKey.key).export({ format: "der", type: "spki" });
  const subject = nameOf(template.commonName);
  if (issuer !== undefined && !issuer.publicKey.equals(createPublicKey(signingKey.key))) {
    throw new GoError("x509: provided PrivateKey doesn't match parent's PublicKey");
  }
  const issuerName = issuer?.subject ?? subject;
  const authorityKeyId = issuerName.equals(subject) ? undefined : issuer?.subjectKeyId;
  const body = derSequence(
    derElement(0xa0, derInteger(2n)),
    derInteger(template.serialNumber),
    signature.algorithm,
    issuerName,
    derSequence(timeOf(template.notBefore), timeOf(template.notAfter)),
    subject,
    publicKey,
    derElement(0xa3, derSequence(...extensionsOf(template, publicKey, authorityKeyId))),
  );
  return derSequence(body, signature.algorithm, derBitString(signature.sign(body, random)));
}

interface SignatureScheme {
  readonly algorithm: Buffer;
  sign(data: Uint8Array, random: RandomSource): Buffer;
}

const ecdsaSchemes: ReadonlyMap<string | undefined, readonly [hash: string, algorithm: string]> = new Map([
  ["secp384r1", ["sha384", "1.2.840.10045.4.3.3"]],
  ["secp521r1", ["sha512", "1.2.840.10045.4.3.4"]],
]);

/** The scheme that Go takes for a key. */
function signatureOf({ type, key }: Exclude<PrivateKey, { type: "dsa" }>): SignatureScheme {
  if (type === "rsa") {
    const algorithm = derSequence(derObjectIdentifier("1.2.840.113549.1.1.11"), derElement(derTags.null));
    return { algorithm, sign: (data) => sign("sha256", data, key) };
  }
  if (type === "ec") {
    const [hash, algorithm] = ecdsaSchemes.get(key.asymmetricKeyDetails?.namedCurve) ?? [
      "sha256",
      "1.2.840.10045.4.3.2",
    ];
    return {
      algorithm: derSequence(derObjectIdentifier(algorithm)),
      sign: (data, random) => signEcdsa(key, hash, data, random),
    };
  }
  return {
    algorithm: derSequence(derObjectIdentifier("1.3.101.112")),
    sign: (data) => sign(null, data, key),
  };
}

function nameOf(commonName: string): Buffer {
  if (commonName === "") return derSequence();
  if (!isWellFormed(commonName)) throw new GoError("asn1: string not valid UTF-8");
  const isPrintable = /^[A-Za-z0-9 '()+,\-./:=?]*$/u.test(commonName);
  const tag = isPrintable ? derTags.printableString : derTags.utf8String;
  const text = derElement(tag, Buffer.from(commonName, "latin1"));
  return derSequence(derElement(derTags.set, derSequence(derObjectIdentifier("2.5.4.3"), text)));
}

/** Two digits of the year while they are enough. */
function timeOf(instant: Instant): Buffer {
  const { year } = wallTime(instant.unixSeconds, 0);
  const isShort = year >= 1950 && year < 2050;
  const text = formatTime(instant, isShort ? "060102150405Z" : "20060102150405Z");
  return derElement(isShort ? derTags.utcTime : derTags.generalizedTime, Buffer.from(text));
}

function extensionsOf(
  template: CertificateTemplate,
  publicKey: Uint8Array,
  authorityKeyId: Uint8Array | undefined,
): Buffer[] {
  const { isAuthority, commonName } = template;
  // Digital signature and key encipherment; of an authority, signing certificates.
  const usage = isAuthority ? derBitString(Buffer.from([0xa4]), 2) : derBitString(Buffer.from([0xa0]), 5);
  const extendedUsage = ["1.3.6.1.5.5.7.3.1", "1.3.6.1.5.5.7.3.2"].map(derObjectIdentifier);
  const names = alternativeNames(template);
  return [
    extension("2.5.29.15", usage, true),
    extension("2.5.29.37", derSequence(...extendedUsage)),
    extension("2.5.29.19", isAuthority ? derSequence(derBoolean(true)) : derSequence(), true),
    ...(isAuthority ? [extension("2.5.29.14", derElement(derTags.octetString, keyIdOf(publicKey)))] : []),
    ...(authorityKeyId === undefined
      ? []
      : [extension("2.5.29.35", derSequence(derElement(0x80, authorityKeyId)))]),
    ...(names.length === 0 ? [] : [extension("2.5.29.17", derSequence(...names), commonName === "")]),
  ];
}

function extension(identifier: string, value: Uint8Array, isCritical = false): Buffer {
  return derSequence(
    derObjectIdentifier(identifier),
    ...(isCritical ? [derBoolean(true)] : []),
    derElement(derTags.octetString, value),
  );
}

function alternativeNames({ hostNames, ipAddresses }: CertificateTemplate): Buffer[] {
  return [
    ...hostNames.map((name) => {
      if (!isAscii(name)) throw new GoError(`x509: ${quoteGo(name)} cannot be encoded as an IA5String`);
      return derElement(0x82, Buffer.from(name, "latin1"));
    }),
    ...ipAddresses.map((address) => derElement(0x87, address)),
  ];
}

/** The first 160 bits of the SHA-256 hash of the public key's bits (RFC 7093). */
function keyIdOf(publicKey: Uint8Array): Buffer {
  const bits = readDerSequence(publicKey)?.[1]?.content.subarray(1) ?? Buffer.alloc(0);
  return createHash("sha256").update(bits).digest().subarray(0, 20);
}

/**
 * What a certificate in DER says of itself as an issuer.
 * @throws GoError where it is none; what Go says of the fault is not repeated to the letter
 */
export function parseIssuer(certificate: Uint8Array): Issuer {
  const body = readDerSequence(certificate)?.[0]?.content;
  const parts = body === undefined ? [] : (readDer(body) ?? []);
  // The version may be left out.
  const subject = parts[parts[0]?.tag === 0xa0 ? 5 : 4]?.whole;
  if (subject === undefined) throw new GoError("x509: malformed certificate");
  try {
    const { publicKey } = new X509Certificate(certificate);
    const extensions = parts.find(({ tag }) => tag === 0xa3)?.content;
    return { subject, subjectKeyId: subjectKeyIdIn(extensions), publicKey };
  } catch {
    throw new GoError("x509: malformed certificate");
  }
}

function subjectKeyIdIn(extensions: Uint8Array | undefined): Buffer | undefined {
  if (extensions === undefined) return undefined;
  const identifier = derObjectIdentifier("2.5.29.14");
  for (const { content } of readDerSequence(extensions) ?? []) {
    const parts = readDer(content) ?? [];
    const value = parts.at(-1)?.content;
    if (parts[0]?.whole.equals(identifier) === true && value !== undefined)
      return readDer(value)?.[0]?.content;
  }
  return undefined;
}
