import type { YamlValue } from "../../yaml/value.ts";
import { tryDecodeBase64 } from "../rendering/base64.ts";

/** Whether a text may come to stand for another one; the word before them tells what they are. */
type ChangeRule = (before: string, after: string, previous: string) => boolean;

/**
 * Whether a value that differs between two renderings of the unchanged chart, such as a configuration with a
 * generated password, changed only in the words that differ there too, or as the rule allows.
 * @param again what stands in its place in the second rendering of the unchanged chart.
 */
export function isVolatileChange(
  before: YamlValue | undefined,
  after: YamlValue | undefined,
  again: YamlValue | undefined,
  isAllowed: ChangeRule,
): boolean {
  if (typeof before !== "string" || typeof after !== "string" || typeof again !== "string") return true;
  const texts = decodeAll([before, after, again]).map(withoutKeys);
  const byWord = compare(texts, /[\s",]+/u, isAllowed);
  // Random characters may be blanks and quotes: then the lines have to do.
  return byWord ?? compare(texts, /\n/u, isAllowed) ?? false;
}

function compare(texts: readonly string[], separator: RegExp, isAllowed: ChangeRule): boolean | undefined {
  const [before = [], after = [], again = []] = texts.map((text) => text.split(separator));
  if (before.length !== again.length) return true;
  if (before.length !== after.length) return undefined;
  return before.every(
    (word, index) =>
      word === after[index] ||
      word !== again[index] ||
      isAllowed(word, after[index] ?? "", before[index - 1] ?? ""),
  );
}

/** Generated words may look like base64 by chance, but not all three. */
function decodeAll(texts: readonly string[]): readonly string[] {
  const decoded = texts.flatMap((text) => tryDecodeBase64(text) ?? []);
  return decoded.length === texts.length ? decoded : texts;
}

/** Certificates and keys differ in their length too. */
function withoutKeys(text: string): string {
  return text.replaceAll(/-----BEGIN [A-Z ]+-----[^-]*-----END [A-Z ]+-----/gu, "PEM");
}
