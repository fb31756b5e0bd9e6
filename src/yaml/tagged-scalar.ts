import { formatGoFloat } from "./go-number.ts";
import { isTimestamp, tryResolveScalar, type ResolvedScalar } from "./scalar.ts";

export interface ScalarNode {
  readonly value: null | boolean | number | string;
  /** The key it would be in a map; throws where Helm has none for it. */
  readonly key: () => string;
}

/** The error for what Helm cannot read, with what Go says of it. */
type Fail = (message: string, problem: string) => Error;

const tagPrefix = "tag:yaml.org,2002:";
const resolvedTags: ReadonlySet<string> = new Set(["bool", "int", "float", "null", "timestamp"]);

/** A tag without the prefix of YAML's own: `str` for `tag:yaml.org,2002:str`. */
export function shortTag(tag: string | undefined): string | undefined {
  return tag?.startsWith(tagPrefix) === true ? tag.slice(tagPrefix.length) : tag;
}

/**
 * Reads a scalar under its tag as yaml/v2 does: without one by its text, under `str` and tags it does not know
 * as a string, under `binary` as the text that is encoded, and else only if the text is of that type.
 * @param tag as {@link shortTag} gives it, `str` for a quoted scalar without one
 */
export function readScalar(text: string, tag: string | undefined, fail: Fail): ScalarNode {
  const resolved = tryResolve(text, tag, fail);
  if (resolved !== undefined) return { value: resolved.value, key: () => formatKey(resolved, fail) };
  const value = tag === "binary" ? decodeBinary(text, fail) : text;
  return { value, key: () => value };
}

function tryResolve(text: string, tag: string | undefined, fail: Fail): ResolvedScalar | undefined {
  if (tag === undefined) return tryResolveScalar(text);
  if (!resolvedTags.has(tag) || (tag === "timestamp" && isTimestamp(text))) return undefined;
  const resolved = tryResolveScalar(text);
  if (resolved?.kind === tag) return resolved;
  if (tag === "float" && resolved?.kind === "int" && resolved.unsigned !== true) {
    return { kind: "float", value: resolved.value };
  }
  const kind = resolved?.kind ?? (isTimestamp(text) ? "timestamp" : "str");
  throw fail(
    `cannot read ${JSON.stringify(text)} as !!${tag}`,
    `yaml: cannot decode !!${kind} \`${text}\` as a !!${tag}`,
  );
}

function decodeBinary(text: string, fail: Fail): string {
  const base64 = text.replaceAll(/[\r\n]/gu, "");
  if (base64.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/u.test(base64)) {
    throw fail("!!binary holds invalid base64 data", "yaml: !!binary value contains invalid base64 data");
  }
  return Buffer.from(base64, "base64").toString("utf8");
}

/** How sigs.k8s.io/yaml turns a key into a string. */
function formatKey(resolved: ResolvedScalar, fail: Fail): string {
  if (resolved.kind === "null") {
    throw fail("a key must not be null", "unsupported map key of type: %!s(<nil>), key: <nil>");
  }
  if (resolved.kind === "bool") return String(resolved.value);
  if (resolved.kind === "float") {
    if (Number.isNaN(resolved.value)) return ".nan";
    return formatGoFloat(resolved.value, 32).replace(/^\+?(-?)Inf$/u, "$1.inf");
  }
  if (resolved.unsigned === true) {
    throw fail("a number this large cannot be a key", "unsupported map key of type: uint64");
  }
  return String(resolved.exact ?? resolved.value);
}
