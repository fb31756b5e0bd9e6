import { findSimilar } from "../../core/similar-text.ts";
import { isWritableValue } from "../../yaml/scalar-edit.ts";
import type { Diagnostic } from "../../core/diagnostic.ts";
import type { LatestReference } from "../objects/image-policy.ts";

/** What the markers of one policy write. */
export interface SetterPolicy {
  /** Undefined where nothing is chosen, or where these files are not to follow the policy: its markers are left. */
  readonly latest: LatestReference | undefined;
  /** The named groups of the policy's pattern, those that took no part in the match included. */
  readonly attributeNames: readonly string[];
  /** Where downgrades are refused: whether a tag comes after another in the policy's order. */
  readonly isNewer?: (tag: string, than: string) => boolean;
}

/** Policies by `namespace/name`. */
export type SetterPolicies = ReadonlyMap<string, SetterPolicy>;

/** What a setter writes, or why it writes nothing. */
export type SetterValue =
  | { readonly kind: "value"; readonly policyKey: string; readonly part: string; readonly value: string }
  /** There is nothing to write, and no need to tell. */
  | { readonly kind: "nothing" }
  | { readonly kind: "problem"; readonly diagnostic: SetterProblem };

/** A finding without its place. */
export type SetterProblem = Pick<Diagnostic, "code" | "message" | "hint">;

/** The parts that every policy has; a group of the pattern with such a name does not take its place. */
const coreParts = ["tag", "name", "digest"] as const;
const attributeName = /^[A-Za-z0-9_]+$/u;

/**
 * What a setter stands for: `ns:policy` the whole image (`name:tag`, with `@digest` where the policy reflects it),
 * `ns:policy:tag`, `:name` and `:digest` its parts, and any other suffix an attribute (RFC-0005).
 */
export function resolveSetter(setter: string, policies: SetterPolicies): SetterValue {
  const [namespace = "", name = "", part = "", ...rest] = setter.split(":");
  const isWhole = setter.split(":").length === 2;
  const isFormed = namespace !== "" && name !== "" && (isWhole || attributeName.test(part));
  if (!isFormed || rest.length > 0) {
    return unknown(`the marker's name ${JSON.stringify(setter)} is not of the form namespace:policy[:part]`);
  }
  const policyKey = `${namespace}/${name}`;
  const policy = policies.get(policyKey);
  if (policy === undefined) {
    const similar = findSimilar(policyKey, policies.keys())?.replace("/", ":");
    return unknown(`there is no policy ${namespace}:${name}`, similar);
  }
  const { latest, attributeNames } = policy;
  if (!isWhole && !isKnownPart(part, policy)) {
    const similar = findSimilar(part, [...coreParts, ...attributeNames]);
    return unknown(
      `${namespace}:${name} has no part ${part}`,
      similar === undefined ? undefined : `${namespace}:${name}:${similar}`,
    );
  }
  if (latest === undefined) return { kind: "nothing" };
  const value = isWhole ? imageOf(latest) : partOf(latest, part);
  if (value === undefined) return absent(namespace, name, part);
  if (!isWritableValue(value)) {
    const message = `${setter} would be written with blanks or with characters that are not ASCII`;
    return { kind: "problem", diagnostic: { code: "object-invalid", message } };
  }
  return { kind: "value", policyKey, part, value };
}

function isKnownPart(part: string, { latest, attributeNames }: SetterPolicy): boolean {
  if (coreParts.some((core) => core === part) || attributeNames.includes(part)) return true;
  return latest !== undefined && Object.hasOwn(latest.attributes, part);
}

function imageOf({ name, tag, digest }: LatestReference): string {
  return `${name}:${tag}${digest === undefined || digest === "" ? "" : `@${digest}`}`;
}

function partOf(latest: LatestReference, part: string): string | undefined {
  if (part === "tag" || part === "name") return latest[part];
  if (part === "digest") return latest.digest === "" ? undefined : latest.digest;
  return Object.hasOwn(latest.attributes, part) ? latest.attributes[part] : undefined;
}

function absent(namespace: string, name: string, part: string): SetterValue {
  const isDigest = part === "digest";
  const message = isDigest
    ? `${namespace}:${name} has no digest to write`
    : `the group ${part} of ${namespace}:${name} took no part in the match of the tag`;
  const hint = isDigest ? { hint: "set digestReflectionPolicy to IfNotPresent or Always" } : {};
  return { kind: "problem", diagnostic: { code: "attribute-unmatched", message, ...hint } };
}

function unknown(message: string, similar?: string): SetterValue {
  const hint = similar === undefined ? {} : { hint: `did you mean ${similar}?` };
  return { kind: "problem", diagnostic: { code: "marker-unknown", message, ...hint } };
}
