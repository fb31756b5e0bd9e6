import type { ImagePolicy, LatestReference } from "../objects/image-policy.ts";
import { downgradeAnnotation } from "./downgrade.ts";
import type { SetterPolicies, SetterPolicy } from "./setter-value.ts";

/** Something that knows what policies have chosen. */
export interface LatestReferences {
  /** @param policyKey `namespace/name` */
  latestOf(policyKey: string): LatestReference | undefined;
}

/** What a policy says of tags. */
export interface TagRules {
  /** The named groups of its pattern. */
  readonly attributeNames: readonly string[];
  /** The groups that took part in the match of a tag; undefined where it does not match. */
  attributesOf(tag: string): Readonly<Record<string, string>> | undefined;
  /** Whether a tag comes after another in the policy's order; false where it has no order for one of them. */
  isNewer(tag: string, than: string): boolean;
}

/**
 * What the markers of policies write.
 * @param sources asked in turn for what a policy has chosen
 * @param rulesOf undefined for a policy whose rules cannot be read; if it refuses downgrades, its markers are left
 */
export function createSetterPolicies(
  policies: ReadonlyMap<string, ImagePolicy>,
  sources: readonly LatestReferences[],
  rulesOf: (policy: ImagePolicy) => TagRules | undefined,
): SetterPolicies {
  return new Map(
    Array.from(policies, ([key, policy]) => {
      let latest: LatestReference | undefined;
      for (const source of sources) latest ??= source.latestOf(key);
      return [key, setterPolicyOf(policy, latest, rulesOf(policy))];
    }),
  );
}

function setterPolicyOf(
  { meta }: ImagePolicy,
  latest: LatestReference | undefined,
  rules: TagRules | undefined,
): SetterPolicy {
  const attributeNames = rules?.attributeNames ?? [];
  const isGuarded = meta.annotations[downgradeAnnotation] === "refuse";
  if (rules === undefined) return { latest: isGuarded ? undefined : latest, attributeNames };
  const setters = { latest: latest && withAttributes(latest, rules), attributeNames };
  return isGuarded ? { ...setters, isNewer: (tag, than) => rules.isNewer(tag, than) } : setters;
}

/** Flux's own objects have no attributes: the pattern gives them again. */
function withAttributes(latest: LatestReference, rules: TagRules): LatestReference {
  if (Object.keys(latest.attributes).length > 0 || rules.attributeNames.length === 0) return latest;
  return { ...latest, attributes: rules.attributesOf(latest.tag) ?? {} };
}
