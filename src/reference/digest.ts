import { FairleadError } from "../core/error.ts";
import { excerpt } from "../core/escape.ts";
import { digestFragment } from "./grammar.ts";

/** What a digest is, as a sentence for people. */
export const digestRule =
  "A digest is sha256:, sha384: or sha512: and 64, 96 or 128 lower-case hexadecimal characters.";

type DigestAlgorithm = "sha256" | "sha384" | "sha512";

/** A content digest, `algorithm:hex` when written. */
export interface Digest {
  readonly algorithm: DigestAlgorithm;
  /** Lower-case hexadecimal: 64, 96 or 128 characters. */
  readonly hex: string;
}

const digestPattern = new RegExp(`^${digestFragment}$`, "u");

/** Whether a text is `sha256:`, `sha384:` or `sha512:` and 64, 96 or 128 lower-case hexadecimal characters. */
export function isDigest(text: string): boolean {
  return digestPattern.test(text);
}

/**
 * Takes a digest apart.
 * @throws FairleadError `digest-invalid` where {@link isDigest} is false.
 */
export function parseDigest(text: string): Digest {
  if (!isDigest(text)) {
    throw new FairleadError("digest-invalid", `Cannot parse digest '${excerpt(text)}': invalid format`, {
      hint: digestRule,
    });
  }
  const colon = text.indexOf(":");
  return { algorithm: text.slice(0, colon) as DigestAlgorithm, hex: text.slice(colon + 1) };
}

/** The digest as text, `algorithm:hex`. */
export function formatDigest(digest: Digest): string {
  return `${digest.algorithm}:${digest.hex}`;
}
