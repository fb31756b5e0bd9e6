import { Buffer } from "node:buffer";
import { createHmac, scryptSync } from "node:crypto";
import { toData } from "../../go/utf8.ts";

const scope = Buffer.from("com.lyndir.masterpassword");

/** The templates of each kind of password; a letter of a template stands for a class of characters. */
const templates: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    maximum: "anoxxxxxxxxxxxxxxxxx axxxxxxxxxxxxxxxxxno",
    long:
      "CvcvnoCvcvCvcv CvcvCvcvnoCvcv CvcvCvcvCvcvno CvccnoCvcvCvcv CvccCvcvnoCvcv CvccCvcvCvcvno CvcvnoCvccCvcv " +
      "CvcvCvccnoCvcv CvcvCvccCvcvno CvcvnoCvcvCvcc CvcvCvcvnoCvcc CvcvCvcvCvccno CvccnoCvccCvcv CvccCvccnoCvcv " +
      "CvccCvccCvcvno CvcvnoCvccCvcc CvcvCvccnoCvcc CvcvCvccCvccno CvccnoCvcvCvcc CvccCvcvnoCvcc CvccCvcvCvccno",
    medium: "CvcnoCvc CvcCvcno",
    short: "Cvcn",
    basic: "aaanaaan aannaaan aaannaaa",
    pin: "nnnn",
  }).map(([kind, list]) => [kind, list.split(" ")]),
);

const upperVowels = "AEIOU";
const lowerVowels = "aeiou";
const upperConsonants = "BCDFGHJKLMNPQRSTVWXYZ";
const lowerConsonants = "bcdfghjklmnpqrstvwxyz";
const letters = upperVowels + lowerVowels + upperConsonants + lowerConsonants;
const digits = "0123456789";

const characterClasses: ReadonlyMap<string, string> = new Map([
  ["V", upperVowels],
  ["C", upperConsonants],
  ["v", lowerVowels],
  ["c", lowerConsonants],
  ["a", letters],
  ["n", digits],
  ["o", "@&%?,=[]_:-+*$#!'^~;()/."],
  ["x", `${letters}${digits}!@#$%^&*()`],
]);

/**
 * The password of a site, made from a master password (the Master Password algorithm). All texts are Go's bytes.
 * @param kind such as `long` or `pin`; of another, the result says that there is no such kind
 */
export function derivePassword(
  counter: bigint,
  kind: string,
  password: string,
  user: string,
  site: string,
): string {
  const candidates = templates.get(kind);
  if (candidates === undefined) return `cannot find password template ${kind}`;
  const salt = Buffer.concat([scope, withLength(user)]);
  const key = scryptSync(toData(password), salt, 64, { N: 32_768, r: 8, p: 2, maxmem: 64 * 1024 * 1024 });
  const seed = createHmac("sha256", key)
    .update(scope)
    .update(withLength(site))
    .update(uint32(Number(counter)))
    .digest();
  const template = candidates[(seed[0] ?? 0) % candidates.length] ?? "";
  return Array.from(template)
    .map((name, index) => {
      const characters = characterClasses.get(name) ?? "";
      return characters.charAt((seed[index + 1] ?? 0) % characters.length);
    })
    .join("");
}

function withLength(text: string): Buffer {
  return Buffer.concat([uint32(text.length), toData(text)]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
