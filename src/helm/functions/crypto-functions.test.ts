import { createPrivateKey, generateKeyPairSync, X509Certificate } from "node:crypto";
import { compareSync } from "bcryptjs";
import { describe, expect, test } from "vitest";
import { callRow, type RowArgument } from "../../../test/support/go-function.ts";
import { RenderBudget, type GoContext } from "../go/context.ts";
import { createSeededRandom, createSystemRandom, Dice } from "../go/random.ts";
import { toBytes } from "../go/utf8.ts";
import { GoInteger, GoStruct, intOf, listOf, type GoValue } from "../go/value.ts";
import { goTypes } from "../go/type.ts";
import { cryptoFunctions } from "./crypto-functions.ts";

const one = new GoInteger(1n, goTypes.uint32);
const seven = new GoInteger(7n, goTypes.uint32);
const base64 = (text: string): string => Buffer.from(text).toString("base64");
const pem = (type: string): string => `-----BEGIN ${type}-----\nAAAA\n-----END ${type}-----\n`;
const longPassword = "bcrypt: password length exceeds 72 bytes";

/** What Sprig's own functions give. */
const rows: readonly [name: string, args: readonly RowArgument[], wanted: unknown][] = [
  ["derivePassword", [one, "long", "password", "user", "example.com"], "ZedaFaxcZaso9*"],
  ["derivePassword", [seven, "maximum", "p", "u", "s"], "V8~0p(0Z23kCYEjNLEMD"],
  ["derivePassword", [seven, "basic", "p", "u", "s"], "VZk24LAy"],
  ["derivePassword", [one, "foo", "password", "user", "example.com"], "cannot find password template foo"],
  ["htpasswd", ["a:b", "c"], "invalid username: a:b"],
  ["htpasswd", ["u", "x".repeat(73)], `u:failed to encrypt string with bcrypt: ${longPassword}`],
  ["genPrivateKey", ["foo"], "Unknown type foo"],
  ["encryptAES", ["k", ""], ""],
  ["decryptAES", ["k", ""], ""],
  ["decryptAES", ["k", "!"], { error: "illegal base64 data at input byte 0" }],
  ["decryptAES", ["k", "AAAA"], { error: "runtime error: slice bounds out of range [:16] with capacity 3" }],
  ["decryptAES", ["k", `${"A".repeat(22)}==`], { error: "runtime error: index out of range [-1]" }],
  ["decryptAES", ["k", "A".repeat(24)], { error: "crypto/cipher: input not full blocks" }],
  ["decryptAES", ["k", `${"A".repeat(43)}=`], { error: "runtime error: slice bounds out of range [:-19]" }],
  ["genSelfSignedCert", ["a", [1], null, 1], { error: "error parsing ip: 1 is not a string" }],
  ["genSelfSignedCert", ["a", ["1.2.3"], null, 1], { error: "error parsing ip: 1.2.3" }],
  ["genSelfSignedCert", ["a", ["fe80::1%eth0"], null, 1], { error: "error parsing ip: fe80::1%eth0" }],
  [
    "genSelfSignedCert",
    ["a", null, [true], 1],
    { error: "error processing alternate dns name: true is not a string" },
  ],
  [
    "genSelfSignedCert",
    ["a", null, ["é"], 1],
    { error: 'error creating certificate: x509: "é" cannot be encoded as an IA5String' },
  ],
  ["genCAWithKey", ["a", 1, "x"], { error: "parsing private key: no PEM data in input" }],
  [
    "genCAWithKey",
    ["a", 1, pem("FOO")],
    { error: "parsing private key: no private key data in PEM block of type FOO" },
  ],
  [
    "genCAWithKey",
    ["a", 1, pem("FOO PRIVATE KEY")],
    { error: "parsing private key: invalid private key type FOO PRIVATE KEY" },
  ],
  ["buildCustomCert", ["!", ""], { error: "unable to decode base64 certificate" }],
  ["buildCustomCert", ["", "!"], { error: "unable to decode base64 private key" }],
  ["buildCustomCert", ["", ""], { error: "unable to decode certificate" }],
  [
    "buildCustomCert",
    [base64(pem("X")), ""],
    { error: "error parsing certificate: decodedCert.Bytes: x509: malformed certificate" },
  ],
];

test.each(rows)("%s, row %#", (name, args, wanted) => {
  expect(callRow(cryptoFunctions, name, args)).toEqual(wanted);
});

function contextOf(seed: string): GoContext {
  const random = createSeededRandom(seed);
  return { budget: new RenderBudget(), random, now: 1_700_000_000_123, tracking: false };
}

function callIn(context: GoContext, name: string, ...args: readonly GoValue[]): GoValue {
  const result = cryptoFunctions[name]?.call(args, context);
  if (result === undefined) throw new Error(`there is no function ${name}`);
  return result;
}

function textOf(value: GoValue | undefined): string {
  if (typeof value !== "string") throw new TypeError("not a text");
  return value;
}

function pairOf(value: GoValue): { cert: string; key: string } {
  if (!(value instanceof GoStruct)) throw new TypeError("not a certificate");
  return { cert: textOf(value.fields.get("Cert")), key: textOf(value.fields.get("Key")) };
}

const hosts = listOf(["web.example.com", "*.svc"]);
const addresses = listOf(["10.0.0.1", "::1", "::ffff:1.2.3.4", "1:2::7:1.2.3.4"]);

describe("from a seed", () => {
  test.each([
    ["genPrivateKey", ["dsa"]],
    ["genPrivateKey", ["ecdsa"]],
    ["genPrivateKey", ["ed25519"]],
    ["genCA", ["ca", intOf(1)]],
    ["uuidv4", []],
    ["bcrypt", ["secret"]],
    ["encryptAES", ["key", "text"]],
  ] as const)("%s gives the same again, and something else from another", (name, args) => {
    const [first, again, other] = ["a", "a", "b"].map((seed) => callIn(contextOf(seed), name, ...args));
    expect(first instanceof GoStruct ? pairOf(first) : first).toEqual(
      again instanceof GoStruct ? pairOf(again) : again,
    );
    expect(first).not.toEqual(other);
  });

  test.each(["ecdsa", "ed25519"])("an authority with a key of %s signs the same again", (type) => {
    const make = (): unknown => {
      const context = contextOf(type);
      return pairOf(callIn(context, "genCAWithKey", "ca", intOf(1), callIn(context, "genPrivateKey", type)));
    };
    expect(make()).toEqual(make());
  });
});

test("an authority of the system's randomness signs a certificate", () => {
  const context = { ...contextOf(""), random: createSystemRandom() };
  const authority = callIn(context, "genCA", toBytes("Fähre & Co."), intOf(365));
  const leaf = callIn(context, "genSignedCert", "web", addresses, hosts, intOf(90), authority);
  const [issuer, certificate] = [authority, leaf].map((pair) => new X509Certificate(pairOf(pair).cert));
  expect(issuer?.verify(issuer.publicKey)).toBe(true);
  expect(issuer?.ca).toBe(true);
  expect(certificate?.ca).toBe(false);
  expect(issuer !== undefined && certificate?.checkIssued(issuer)).toBe(true);
  expect(issuer !== undefined && certificate?.verify(issuer.publicKey)).toBe(true);
  expect(certificate?.checkPrivateKey(createPrivateKey(pairOf(leaf).key))).toBe(true);
  expect(certificate).toMatchObject({
    subject: "CN=web",
    issuer: "CN=Fähre & Co.",
    validFrom: "Nov 14 22:13:20 2023 GMT",
    validTo: "Feb 12 22:13:20 2024 GMT",
    subjectAltName:
      "DNS:web.example.com, DNS:*.svc, IP Address:10.0.0.1, IP Address:0:0:0:0:0:0:0:1, " +
      "IP Address:1.2.3.4, IP Address:1:2:0:0:0:7:102:304",
    keyUsage: ["1.3.6.1.5.5.7.3.1", "1.3.6.1.5.5.7.3.2"],
  });
});

test.each(["ecdsa", "ed25519"])("a key of %s signs and is signed", (type) => {
  const context = contextOf("chain");
  const key = callIn(context, "genPrivateKey", type);
  const authority = callIn(context, "genCAWithKey", "ca", intOf(36_500), key);
  const leaf = callIn(context, "genSignedCertWithKey", "", null, hosts, intOf(1), authority, key);
  const [issuer, certificate] = [authority, leaf].map((pair) => new X509Certificate(pairOf(pair).cert));
  expect(issuer?.validTo).toBe("Oct 21 22:13:20 2123 GMT");
  expect(issuer !== undefined && certificate?.verify(issuer.publicKey)).toBe(true);
  expect(pairOf(leaf).key).toBe(key);
});

test.each(["P-224", "P-384", "P-521"])("a key on %s signs", (namedCurve) => {
  const context = contextOf(namedCurve);
  const { privateKey } = generateKeyPairSync("ec", { namedCurve });
  for (const type of ["sec1", "pkcs8"] as const) {
    const key = String(privateKey.export({ format: "pem", type }));
    const { cert } = pairOf(callIn(context, "genSelfSignedCertWithKey", "a", null, hosts, intOf(1), key));
    const certificate = new X509Certificate(cert);
    expect(certificate.verify(certificate.publicKey)).toBe(true);
  }
});

test("a certificate of somebody else's key, or of DSA, is refused as in Go", () => {
  const context = contextOf("refused");
  const key = (type: string): GoValue => callIn(context, "genPrivateKey", type);
  const authority = callIn(context, "genCAWithKey", "a", intOf(1), key("ed25519"));
  const { cert, key: ownKey } = pairOf(authority);
  const mixed = callIn(context, "buildCustomCert", base64(cert), base64(textOf(key("ed25519"))));
  const sign = (signer: GoValue, subjectKey: GoValue): GoValue =>
    callIn(context, "genSignedCertWithKey", "b", null, null, intOf(1), signer, subjectKey);
  expect(() => sign(mixed, ownKey)).toThrow(
    "error creating certificate: x509: provided PrivateKey doesn't match parent's PublicKey",
  );
  const dsa = key("dsa");
  expect(() => sign(authority, dsa)).toThrow(
    "error creating certificate: x509: unsupported public key type: *dsa.PublicKey",
  );
  expect(() => callIn(context, "genCAWithKey", "a", intOf(1), dsa)).toThrow(
    "error creating certificate: x509: certificate private key does not implement crypto.Signer",
  );
});

test("the other functions can be checked", () => {
  const context = contextOf("other");
  const hash = textOf(callIn(context, "htpasswd", "user", toBytes("gehäim")));
  expect(hash).toMatch(/^user:\$2a\$10\$.{53}$/u);
  expect(compareSync("gehäim", hash.slice("user:".length))).toBe(true);
  expect(callIn(context, "uuidv4")).toMatch(
    /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/u,
  );
  const encrypted = callIn(context, "encryptAES", "k".repeat(40), "sixteen bytes...");
  expect(callIn(context, "decryptAES", "k".repeat(32), encrypted)).toBe("sixteen bytes...");
});

test("numbers below a limit are all drawn", () => {
  const random = createSeededRandom("numbers");
  const dice = new Dice(random);
  const drawn = new Set(Array.from({ length: 200 }, (_, index) => dice.below(7, 200 - index)));
  expect(drawn).toEqual(new Set([0, 1, 2, 3, 4, 5, 6]));
});
