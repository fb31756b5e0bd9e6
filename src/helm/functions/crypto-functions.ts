import { encodeBase64 as encodeBcrypt, hashSync } from "bcryptjs";
import { Buffer } from "node:buffer";
import type { GoContext, RandomSource } from "../go/context.ts";
import { define, parameters, type FunctionTable } from "../go/function.ts";
import { goTypes } from "../go/type.ts";
import { fromBytes } from "../go/utf8.ts";
import type { GoInteger, Parameter } from "../go/value.ts";
import { certificateFunctions } from "./certificate-functions.ts";
import { decryptAes, encryptAes } from "./crypto/aes.ts";
import { derivePassword } from "./crypto/derive-password.ts";
import { generateDsaKey, generateEcKey, generateEd25519Key, generateRsaKey } from "./crypto/generate-key.ts";
import { privateKeyToPem } from "./crypto/private-key.ts";

const uint32: Parameter<GoInteger> = { type: goTypes.uint32, tracked: false };

/** What a call takes, about, in steps of half a microsecond. */
const bcryptSteps = 150_000;
const scryptSteps = 300_000;
const aesSteps = 100;
const keySteps: ReadonlyMap<string, number> = new Map([
  ["", 1_000_000],
  ["rsa", 1_000_000],
  ["dsa", 500_000],
  ["ecdsa", 2000],
  ["ed25519", 1000],
]);

/** Sprig's functions of passwords, keys and certificates. */
export const cryptoFunctions: FunctionTable = {
  ...certificateFunctions,
  bcrypt: define([parameters.string], ([password], context) => bcrypt(password, context)),
  htpasswd: define([parameters.string, parameters.string], ([user, password], context) =>
    user.includes(":") ? `invalid username: ${user}` : `${user}:${bcrypt(password, context)}`,
  ),
  uuidv4: define([], (_, { random }) => uuid(random)),
  derivePassword: define(
    [uint32, parameters.string, parameters.string, parameters.string, parameters.string],
    ([counter, kind, password, user, site], { budget }) => {
      budget.spendSteps(scryptSteps);
      return derivePassword(counter.value, kind, password, user, site);
    },
  ),
  genPrivateKey: define([parameters.string], ([type], { budget, random }) => {
    budget.spendSteps(keySteps.get(type) ?? 0);
    return generatePrivateKey(type, random);
  }),
  encryptAES: define([parameters.string, parameters.string], ([password, text], { budget, random }) => {
    budget.spendSteps(aesSteps);
    return encryptAes(password, text, random);
  }),
  decryptAES: define([parameters.string, parameters.string], ([password, text], { budget }) => {
    budget.spendSteps(aesSteps);
    return decryptAes(password, text);
  }),
};

/** The hash of a password, or the text of Go's error. */
function bcrypt(password: string, { budget, random }: GoContext): string {
  if (password.length > 72) {
    return "failed to encrypt string with bcrypt: bcrypt: password length exceeds 72 bytes";
  }
  budget.spendSteps(bcryptSteps);
  const cost = random.isRehearsal === true ? "04" : "10";
  return hashSync(fromBytes(password), `$2a$${cost}$${encodeBcrypt(random.bytes(16), 16)}`);
}

function uuid(random: RandomSource): string {
  const bytes = Buffer.from(random.bytes(16));
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const digits = bytes.toString("hex");
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    digits.slice(12, 16),
    digits.slice(16, 20),
    digits.slice(20),
  ].join("-");
}

/** A new key in PEM, or a text that says that there is no such kind. */
function generatePrivateKey(type: string, random: RandomSource): string {
  switch (type) {
    case "":
    case "rsa":
      return privateKeyToPem({ type: "rsa", key: generateRsaKey(4096, random) });
    case "dsa":
      return privateKeyToPem(generateDsaKey(random));
    case "ecdsa":
      return privateKeyToPem({ type: "ec", key: generateEcKey(random) });
    case "ed25519":
      return privateKeyToPem({ type: "ed25519", key: generateEd25519Key(random) });
    default:
      return `Unknown type ${type}`;
  }
}
