import { createHash } from "node:crypto";
import { define, parameters, type FunctionTable } from "../go/function.ts";
import { toData } from "../go/utf8.ts";
import type { GoFunction } from "../go/value.ts";
import { decodeBase32, decodeBase64, encodeBase32, encodeBase64 } from "./base-encoding.ts";
import { spent } from "./growth.ts";

/** Sprig's encodings and check sums of texts; what cannot be decoded gives the error's text. */
export const textEncodingFunctions: FunctionTable = {
  b64enc: encoding(encodeBase64),
  b64dec: encoding(decodeBase64),
  b32enc: encoding(encodeBase32),
  b32dec: encoding(decodeBase32),
  sha1sum: encoding((text) => hexDigest("sha1", text)),
  sha256sum: encoding((text) => hexDigest("sha256", text)),
  sha512sum: encoding((text) => hexDigest("sha512", text)),
  adler32sum: encoding((text) => String(adler32(text))),
};

function encoding(encode: (text: string) => string): GoFunction {
  return define([parameters.string], ([text], context) => spent(context, encode(text)));
}

function hexDigest(algorithm: "sha1" | "sha256" | "sha512", text: string): string {
  return createHash(algorithm).update(toData(text)).digest("hex");
}

/** The check sum of zlib (RFC 1950). */
function adler32(text: string): number {
  const modulus = 65_521;
  let low = 1;
  let high = 0;
  for (let index = 0; index < text.length; index++) {
    low = (low + text.charCodeAt(index)) % modulus;
    high = (high + low) % modulus;
  }
  return high * 0x10000 + low;
}
