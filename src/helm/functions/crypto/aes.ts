import { Buffer } from "node:buffer";
import { createCipheriv, createDecipheriv } from "node:crypto";
import type { RandomSource } from "../../go/context.ts";
import { bytesOf, toData } from "../../go/utf8.ts";
import { GoError } from "../../go/value.ts";
import { decodeBase64 } from "../base-encoding.ts";
import { tryDecodeBase64 } from "./pem.ts";

const algorithm = "aes-256-cbc";
const blockSize = 16;

/** Sprig's encryptAES: the initial vector and the text in base64. All texts are Go's bytes. */
export function encryptAes(password: string, text: string, random: RandomSource): string {
  if (text === "") return "";
  const vector = random.bytes(blockSize);
  const cipher = createCipheriv(algorithm, keyOf(password), vector);
  return Buffer.concat([vector, cipher.update(toData(text)), cipher.final()]).toString("base64");
}

/** What {@link encryptAes} was given. @throws GoError where that cannot be; Go runs out of bounds there */
export function decryptAes(password: string, encrypted: string): string {
  if (encrypted === "") return "";
  const data = tryDecodeBase64(encrypted);
  if (data === undefined) throw new GoError(decodeBase64(encrypted));
  if (data.length < blockSize) {
    const capacity = Math.floor(encrypted.length / 4) * 3;
    throw new GoError(`runtime error: slice bounds out of range [:${blockSize}] with capacity ${capacity}`);
  }
  if (data.length % blockSize !== 0) throw new GoError("crypto/cipher: input not full blocks");
  const decipher = createDecipheriv(algorithm, keyOf(password), data.subarray(0, blockSize));
  decipher.setAutoPadding(false);
  const text = Buffer.concat([decipher.update(data.subarray(blockSize)), decipher.final()]);
  const padding = text.at(-1);
  if (padding === undefined) throw new GoError("runtime error: index out of range [-1]");
  if (padding > text.length) {
    throw new GoError(`runtime error: slice bounds out of range [:${text.length - padding}]`);
  }
  return bytesOf(text.subarray(0, text.length - padding));
}

/** The first 32 bytes of the password, with zeros if it has fewer. */
function keyOf(password: string): Buffer {
  const key = Buffer.alloc(32);
  key.write(password, "latin1");
  return key;
}
