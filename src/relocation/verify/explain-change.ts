import { loadYamlMap } from "../../yaml/load.ts";
import { getAt, type ValuePath } from "../../yaml/value-path.ts";
import type { YamlMap } from "../../yaml/value.ts";
import { differencesOf } from "./difference.ts";

/** A text and what the override makes of it. */
export interface Replacement {
  readonly from: string;
  readonly to: string;
}

/**
 * Whether `after` is `before` with some of the replacements made and nothing else changed. Text in base64,
 * as Secrets hold it, is compared decoded.
 */
export function isExplainedBy(before: string, after: string, replacements: readonly Replacement[]): boolean {
  if (isReplaced(before, after, replacements)) return true;
  const decodedBefore = decodeBase64(before);
  const decodedAfter = decodeBase64(after);
  if (decodedBefore === undefined || decodedAfter === undefined) return false;
  return isReplaced(decodedBefore, decodedAfter, replacements);
}

/**
 * Whether a text that holds YAML or JSON changed by nothing but what the override itself says: some charts
 * keep the values they were given in a ConfigMap.
 */
export function isEcho(
  before: string,
  after: string,
  override: YamlMap,
  replacements: readonly Replacement[],
): boolean {
  const [left, right] = [tryLoadMap(before), tryLoadMap(after)];
  if (left === undefined || right === undefined) return false;
  return differencesOf(left, right).every(({ path, before: from, after: to }) => {
    const given = getAt(override, path);
    if (given !== undefined && to !== undefined && differencesOf(given, to).length === 0) return true;
    return typeof from === "string" && typeof to === "string" && isExplainedBy(from, to, replacements);
  });
}

function tryLoadMap(text: string): YamlMap | undefined {
  if (!/^[[{]|:\s/u.test(text)) return undefined;
  try {
    return loadYamlMap(text).value;
  } catch {
    return undefined;
  }
}

function isReplaced(before: string, after: string, replacements: readonly Replacement[]): boolean {
  const useful = replacements
    .filter(({ from, to }) => from !== "" && from !== to && before.includes(from) && after.includes(to))
    .toSorted((left, right) => right.to.length - left.to.length);
  let left = 0;
  let right = 0;
  while (left < before.length || right < after.length) {
    const made = useful.find(({ from, to }) => before.startsWith(from, left) && after.startsWith(to, right));
    if (made !== undefined) {
      left += made.from.length;
      right += made.to.length;
    } else if (before[left] === after[right] && left < before.length) {
      left++;
      right++;
    } else return false;
  }
  return true;
}

/**
 * Whether a changed value is a checksum of something else in the rendering: charts put one into annotations
 * or labels so that pods restart when a ConfigMap changes. Elsewhere a hash may be an image's digest.
 */
export function isChecksum(path: ValuePath, before: string, after: string): boolean {
  const place = path.at(-2);
  return (
    (place === "annotations" || place === "labels") &&
    /checksum|hash|digest|sha(?:\d|sum|$)/iu.test(String(path.at(-1))) &&
    isHash(before) &&
    isHash(after)
  );
}

/** In hex, or in base64. */
function isHash(text: string): boolean {
  return /^[0-9a-f]{32,128}$|^[A-Za-z0-9+/]{27,88}={0,2}$/u.test(text);
}

function decodeBase64(text: string): string | undefined {
  if (text.length < 8 || !/^[A-Za-z0-9+/\s]+={0,2}\s*$/u.test(text)) return undefined;
  const bytes = Buffer.from(text, "base64");
  const decoded = bytes.toString("utf8");
  return decoded.includes("\ufffd") ? undefined : decoded;
}
