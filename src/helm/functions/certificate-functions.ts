import type { GoContext } from "../go/context.ts";
import { hour } from "../go/duration.ts";
import { formatGo } from "../go/format.ts";
import { define, parameters, type FunctionTable } from "../go/function.ts";
import { addDuration } from "../go/instant.ts";
import { randomBigIntBelow } from "../go/random.ts";
import { plainText } from "../go/text.ts";
import { timeOfClock } from "../go/time.ts";
import { goTypes, type GoType } from "../go/type.ts";
import { bytesOf } from "../go/utf8.ts";
import { GoError, GoStruct, untracked, type GoInteger, type GoSlice, type Parameter } from "../go/value.ts";
import { generateRsaKey } from "./crypto/generate-key.ts";
import { tryParseIp } from "./crypto/ip-address.ts";
import { encodePem, tryDecodeBase64, tryDecodePem } from "./crypto/pem.ts";
import { parsePrivateKeyPem, privateKeyToPem, type PrivateKey } from "./crypto/private-key.ts";
import { createCertificate, parseIssuer, type CertificateTemplate, type Issuer } from "./crypto/x509.ts";

const certificateType: GoType = { name: "sprig.certificate", kind: "struct", named: true };

/** What `buildCustomCert` and the like give and `genSignedCert` takes. */
const certificateParameter: Parameter<GoStruct> = { type: certificateType, tracked: false };

/** A list, or nil. */
const nullableList: Parameter<GoSlice | null> = { type: goTypes.anySlice, tracked: false };

const { string, int } = parameters;

/** Sprig's functions that make certificates; times are those of the rendering. */
export const certificateFunctions: FunctionTable = {
  buildCustomCert: define([string, string], ([certificate, key]) => buildCustomCertificate(certificate, key)),
  genCA: define([string, int], ([commonName, days], context) =>
    authority(commonName, days, newKey(context), context),
  ),
  genCAWithKey: define([string, int, string], ([commonName, days, key], context) =>
    authority(commonName, days, givenKey(key), context),
  ),
  genSelfSignedCert: define(
    [string, nullableList, nullableList, int],
    ([commonName, ips, names, days], context) =>
      selfSigned({ commonName, ips, names, days }, newKey(context), context),
  ),
  genSelfSignedCertWithKey: define(
    [string, nullableList, nullableList, int, string],
    ([commonName, ips, names, days, key], context) =>
      selfSigned({ commonName, ips, names, days }, givenKey(key), context),
  ),
  genSignedCert: define(
    [string, nullableList, nullableList, int, certificateParameter],
    ([commonName, ips, names, days, signer], context) =>
      signed({ commonName, ips, names, days }, signer, newKey(context), context),
  ),
  genSignedCertWithKey: define(
    [string, nullableList, nullableList, int, certificateParameter, string],
    ([commonName, ips, names, days, signer, key], context) =>
      signed({ commonName, ips, names, days }, signer, givenKey(key), context),
  ),
};

/** What a template says of a certificate. */
interface Request {
  readonly commonName: string;
  readonly ips: GoSlice | null;
  readonly names: GoSlice | null;
  readonly days: GoInteger;
}

/** What a key and a signature take, about, in steps of half a microsecond. */
const keySteps = 200_000;
const signatureSteps = 4000;

function newKey({ budget, random }: GoContext): PrivateKey {
  budget.spendSteps(keySteps);
  return { type: "rsa", key: generateRsaKey(2048, random) };
}

function givenKey(pem: string): PrivateKey {
  return withPrefix("parsing private key: ", () => parsePrivateKeyPem(pem));
}

function authority(commonName: string, days: GoInteger, key: PrivateKey, context: GoContext): GoStruct {
  const template = templateOf({ commonName, ips: null, names: null, days }, context);
  return issue({ ...template, isAuthority: true }, undefined, key, key, context);
}

function selfSigned(request: Request, key: PrivateKey, context: GoContext): GoStruct {
  return issue(templateOf(request, context), undefined, key, key, context);
}

function signed(request: Request, signer: GoStruct, key: PrivateKey, context: GoContext): GoStruct {
  const issuer = issuerIn(textField(signer, "Cert"), "decodedSignerCert");
  const signingKey = withPrefix("error parsing private key: ", () =>
    parsePrivateKeyPem(textField(signer, "Key")),
  );
  return issue(templateOf(request, context), issuer, key, signingKey, context);
}

function issue(
  template: CertificateTemplate,
  issuer: Issuer | undefined,
  key: PrivateKey,
  signingKey: PrivateKey,
  { budget, random }: GoContext,
): GoStruct {
  budget.spendSteps(signatureSteps);
  const data = withPrefix("error creating certificate: ", () =>
    createCertificate(template, issuer, key, signingKey, random),
  );
  return certificate(encodePem({ type: "CERTIFICATE", data }), privateKeyToPem(key));
}

function certificate(cert: string, key: string): GoStruct {
  return new GoStruct(certificateType, [
    ["Cert", cert],
    ["Key", key],
  ]);
}

function textField(struct: GoStruct, name: string): string {
  const value = untracked(struct.fields.get(name) ?? null);
  return typeof value === "string" ? value : "";
}

function buildCustomCertificate(certificateInBase64: string, keyInBase64: string): GoStruct {
  const certificateData = tryDecodeBase64(certificateInBase64);
  if (certificateData === undefined) throw new GoError("unable to decode base64 certificate");
  const keyData = tryDecodeBase64(keyInBase64);
  if (keyData === undefined) throw new GoError("unable to decode base64 private key");
  const certificateText = bytesOf(certificateData);
  const keyText = bytesOf(keyData);
  issuerIn(certificateText, "decodedCert");
  withPrefix("error parsing private key: ", () => parsePrivateKeyPem(keyText));
  return certificate(certificateText, keyText);
}

/** @param name what Sprig calls the certificate in its errors */
function issuerIn(pem: string, name: string): Issuer {
  const block = tryDecodePem(pem);
  if (block === undefined) throw new GoError("unable to decode certificate");
  return withPrefix(`error parsing certificate: ${name}.Bytes: `, () => parseIssuer(block.data));
}

/** Runs what may give one of Go's errors, and says before it what was being done. */
function withPrefix<Result>(prefix: string, run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    if (error instanceof GoError) throw new GoError(prefix + error.message);
    throw error;
  }
}

function templateOf({ commonName, ips, names, days }: Request, context: GoContext): CertificateTemplate {
  const ipAddresses = stringsIn(ips, "error parsing ip: ", context).map((text) => {
    const address = tryParseIp(text);
    if (address === undefined) throw new GoError(`error parsing ip: ${text}`);
    return address;
  });
  const notBefore = timeOfClock(context.now).instant;
  return {
    serialNumber: randomBigIntBelow(context.random, 1n << 128n),
    commonName,
    hostNames: stringsIn(names, "error processing alternate dns name: ", context),
    ipAddresses,
    notBefore,
    // So many days that 64 bits of nanoseconds do not hold them wrap around.
    notAfter: addDuration(notBefore, BigInt.asIntN(64, 24n * hour * days.value)),
    isAuthority: false,
  };
}

function stringsIn(list: GoSlice | null, complaint: string, context: GoContext): string[] {
  return (list?.items ?? []).map((item) => {
    const plain = untracked(item);
    if (typeof plain === "string") return plain;
    throw new GoError(`${complaint}${plainText(formatGo("%v", [plain], context))} is not a string`);
  });
}
