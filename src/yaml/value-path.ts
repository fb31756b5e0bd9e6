import { FairleadError } from "../core/error.ts";
import { createYamlMap, isYamlList, isYamlMap, type YamlMap, type YamlValue } from "./value.ts";

/** The keys and list indexes that lead from a document's root to a value. */
export type ValuePath = readonly (string | number)[];

const plainKey = /^[A-Za-z0-9_-]+$/u;
const segment = /\[(?<index>\d+)\]|\[(?<quoted>"(?:[^"\\]|\\.)*")\]|(?<dot>\.?)(?<key>[A-Za-z0-9_-]+)/uy;

/** A path as `redis.image.tag`, `extra[0].image` or `annotations["a.b/c"]`; the root is an empty string. */
export function formatValuePath(path: ValuePath): string {
  let text = "";
  for (const step of path) {
    if (typeof step === "number") text += `[${step}]`;
    else if (!plainKey.test(step)) text += `[${JSON.stringify(step)}]`;
    else text += text === "" ? step : `.${step}`;
  }
  return text;
}

/**
 * Reads what {@link formatValuePath} writes.
 * @throws FairleadError `value-path-invalid`
 */
export function parseValuePath(text: string): ValuePath {
  const path: (string | number)[] = [];
  segment.lastIndex = 0;
  while (segment.lastIndex < text.length) {
    const start = segment.lastIndex;
    const groups = segment.exec(text)?.groups;
    const dotMatches = groups?.["key"] === undefined || (groups["dot"] === ".") === start > 0;
    if (groups === undefined || !dotMatches) {
      throw new FairleadError("value-path-invalid", `invalid value path ${JSON.stringify(text)}`, {
        where: { column: start + 1 },
        hint: 'write it like redis.image.tag, extra[0].image or annotations["a.b/c"]',
      });
    }
    path.push(stepOf(groups, text));
  }
  return path;
}

function stepOf(groups: Readonly<Record<string, string | undefined>>, text: string): string | number {
  const { index, quoted, key } = groups;
  if (index !== undefined) return Number(index);
  if (quoted === undefined) return key ?? "";
  try {
    return String(JSON.parse(quoted));
  } catch (cause) {
    throw new FairleadError("value-path-invalid", `invalid quoted key in ${JSON.stringify(text)}`, { cause });
  }
}

/** The value at a path, or undefined where there is none; a key that holds null gives null. */
export function getAt(value: YamlValue, path: ValuePath): YamlValue | undefined {
  let current: YamlValue | undefined = value;
  for (const step of path) {
    if (typeof step === "number") current = isYamlList(current) ? current[step] : undefined;
    else current = isYamlMap(current) && Object.hasOwn(current, step) ? current[step] : undefined;
    if (current === undefined) return undefined;
  }
  return current;
}

/** As for Helm's `--set`; a longer list would be filled up with null. */
const maxNewIndex = 65_536;

/**
 * A copy of the map in which the path holds the value; everything off the path is shared with the original.
 * What is missing on the way, or is of another type, becomes a map (before a key) or a list (before an index,
 * filled up with null).
 * @throws FairleadError `value-path-invalid` where the path does not begin with a key or an index exceeds 65,536
 */
export function setAt(map: YamlMap, path: ValuePath, value: YamlValue): YamlMap {
  if (typeof path[0] !== "string") {
    throw new FairleadError("value-path-invalid", "a value path must begin with a key");
  }
  return replaceAt(map, path, 0, value) as YamlMap;
}

function replaceAt(
  current: YamlValue | undefined,
  path: ValuePath,
  depth: number,
  value: YamlValue,
): YamlValue {
  const step = path[depth];
  if (step === undefined) return value;
  if (typeof step === "number") {
    const list: YamlValue[] = isYamlList(current) ? [...current] : [];
    if (step > maxNewIndex) throw new FairleadError("value-path-invalid", `index ${step} is too large`);
    while (list.length < step) list.push(null);
    list[step] = replaceAt(list[step], path, depth + 1, value);
    return list;
  }
  const copy = createYamlMap(isYamlMap(current) ? Object.entries(current) : []);
  copy[step] = replaceAt(copy[step], path, depth + 1, value);
  return copy;
}

/** Orders paths step by step: indexes by number and before keys, keys by code unit, a parent before its children. */
export function comparePaths(left: ValuePath, right: ValuePath): number {
  for (let depth = 0; depth < Math.min(left.length, right.length); depth++) {
    const order = compareSteps(left[depth] ?? "", right[depth] ?? "");
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

function compareSteps(left: string | number, right: string | number): number {
  if (typeof left === "number" && typeof right === "number") return left - right;
  if (typeof left === "number") return -1;
  if (typeof right === "number") return 1;
  return left < right ? -1 : left > right ? 1 : 0;
}
