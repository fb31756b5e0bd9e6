import { loadYamlDocuments } from "../../yaml/load.ts";
import { getAt, type ValuePath } from "../../yaml/value-path.ts";
import { isYamlMap, type YamlMap } from "../../yaml/value.ts";
import { hostOf } from "../discover/name-text.ts";
import { tryDecodeBase64 } from "../rendering/base64.ts";
import { differencesOf } from "./difference.ts";

/** A text and what the override makes of it. */
export interface Replacement {
  readonly from: string;
  readonly to: string;
}

/**
 * Whether `after` is `before` with some of the replacements made and nothing else changed. Text in base64,
 * as Secrets hold it, is compared decoded. A single word, such as `nginx`, may mean anything: it is only
 * replaced where its place or the text before it speaks of images.
 * @param place the names of the fields that hold the text; default: none.
 */
export function isExplainedBy(
  before: string,
  after: string,
  replacements: readonly Replacement[],
  place: string = "",
): boolean {
  if (isReplaced(before, after, replacements, place)) return true;
  const decodedBefore = tryDecodeBase64(before);
  const decodedAfter = tryDecodeBase64(after);
  if (decodedBefore === undefined || decodedAfter === undefined) return false;
  return isReplaced(decodedBefore, decodedAfter, replacements, place);
}

/**
 * Whether a text that holds YAML or JSON, as it is or in base64, changed by nothing but what the override
 * itself says: some charts keep the values they were given in a ConfigMap.
 */
export function isEcho(
  before: string,
  after: string,
  override: YamlMap,
  replacements: readonly Replacement[],
): boolean {
  const left = tryLoadMap(before) ?? tryLoadMap(tryDecodeBase64(before));
  const right = tryLoadMap(after) ?? tryLoadMap(tryDecodeBase64(after));
  if (left === undefined || right === undefined) return false;
  const differences = differencesOf(left, right);
  return (
    // What differs in comments or layout alone may be read as something else than YAML.
    differences.length > 0 &&
    differences.every(({ path, before: from, after: to }) => {
      const given = getAt(override, path);
      if (given !== undefined && to !== undefined && differencesOf(given, to).length === 0) return true;
      if (typeof from !== "string" || typeof to !== "string") return false;
      return isExplainedBy(from, to, replacements, path.join(" "));
    })
  );
}

function tryLoadMap(text: string | undefined): YamlMap | undefined {
  if (text === undefined || !/^[[{]|:\s/u.test(text)) return undefined;
  try {
    const [map, ...others] = loadYamlDocuments(text);
    return others.length === 0 && isYamlMap(map) ? map : undefined;
  } catch {
    return undefined;
  }
}

function isReplaced(
  before: string,
  after: string,
  replacements: readonly Replacement[],
  place: string,
): boolean {
  const index = indexOf(replacements);
  let left = 0;
  let right = 0;
  let madeUpTo = -1;
  while (left < before.length || right < after.length) {
    const made = replacementAt(index, before, left, after, right);
    if (made !== undefined && isNameAt(before, left, made.from, place, madeUpTo)) {
      left += made.from.length;
      right += made.to.length;
      madeUpTo = left;
    } else if (before[left] === after[right] && left < before.length) {
      left++;
      right++;
    } else return false;
  }
  return true;
}

/** Replacements by what they replace: a chart may have thousands of images. */
interface ReplacementIndex {
  readonly targets: ReadonlyMap<string, ReadonlySet<string>>;
  readonly lengths: ReadonlySet<number>;
}

const indexes = new WeakMap<readonly Replacement[], ReplacementIndex>();

function indexOf(replacements: readonly Replacement[]): ReplacementIndex {
  const known = indexes.get(replacements);
  if (known !== undefined) return known;
  const targets = new Map<string, Set<string>>();
  for (const { from, to } of replacements) {
    if (from !== "" && from !== to) targets.set(from, (targets.get(from) ?? new Set<string>()).add(to));
  }
  const index = { targets, lengths: new Set([...targets.keys()].map((from) => from.length)) };
  indexes.set(replacements, index);
  return index;
}

/** The replacement with the longest result that begins at these places of the two texts. */
function replacementAt(
  { targets, lengths }: ReplacementIndex,
  before: string,
  left: number,
  after: string,
  right: number,
): Replacement | undefined {
  let longest: Replacement | undefined;
  for (const length of lengths) {
    const from = before.slice(left, left + length);
    for (const to of targets.get(from) ?? []) {
      if (to.length > (longest?.to.length ?? 0) && after.startsWith(to, right)) longest = { from, to };
    }
  }
  return longest;
}

/**
 * Whether the words at a place of a text are an image's name, rather than a part of something else or an
 * everyday use of the word.
 * @param madeUpTo where the last replacement ended: a path may go on after a registry.
 */
function isNameAt(text: string, at: number, name: string, place: string, madeUpTo: number): boolean {
  if (hostOf(`${name}/`) !== undefined) return true;
  const before = text[at - 1] ?? " ";
  if (/[\w.-]/u.test(before) || (before === "/" && madeUpTo !== at - 1)) return false;
  if (name.includes("/")) return true;
  const line = text.slice(Math.max(0, at - 80), at).replace(/^.*\n/su, "");
  return /image|repo|registry|\bhub\b/iu.test(`${place} ${line}`);
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

/** In hex, be it cut short, in digits as adler32 has it, or in base64. */
function isHash(text: string): boolean {
  return /^[0-9a-f]{6,128}$|^[A-Za-z0-9+/]{27,88}={0,2}$/u.test(text);
}
