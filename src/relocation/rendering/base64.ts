/** The UTF-8 text that a Secret's field holds in base64; undefined where it holds something else. */
export function tryDecodeBase64(text: string): string | undefined {
  if (text.length < 8 || !/^[A-Za-z0-9+/\s]+={0,2}\s*$/u.test(text)) return undefined;
  const decoded = Buffer.from(text, "base64").toString("utf8");
  return decoded.includes("\ufffd") ? undefined : decoded;
}
