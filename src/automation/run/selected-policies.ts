import type { ImagePolicy, LatestReference } from "../objects/image-policy.ts";
import type { ImageUpdateAutomation } from "../objects/image-update-automation.ts";
import { createSetterPolicies } from "../setters/setter-policies.ts";
import type { SetterPolicies } from "../setters/setter-value.ts";
import type { AutomationState } from "../state/automation-state.ts";
import { matchesSelector } from "../../objects/label-selector.ts";
import { tryTagRules } from "./tag-rules.ts";

/**
 * What the markers of policies write in the files of an automation: those of its namespace that its selector takes.
 * Markers of others are known, and left.
 */
export function selectPolicies(
  { meta, spec }: ImageUpdateAutomation,
  policies: ReadonlyMap<string, ImagePolicy>,
  state: AutomationState,
): SetterPolicies {
  const latestOf = (key: string): LatestReference | undefined => {
    const policy = policies.get(key);
    if (policy === undefined || policy.meta.namespace !== meta.namespace) return undefined;
    if (!matchesSelector(policy.meta.labels, spec.policySelector)) return undefined;
    return state.status("ImagePolicy", policy.meta)?.latestRef ?? policy.latestRef;
  };
  return createSetterPolicies(policies, [{ latestOf }], tryTagRules);
}

/** What an automation's status keeps of the policies that it follows, by their names. */
export function observedPolicies(
  policies: SetterPolicies,
  namespace: string,
): Readonly<Record<string, LatestReference>> {
  const observed = [...policies].flatMap(([key, { latest }]) =>
    latest === undefined ? [] : [[key.slice(namespace.length + 1), latest] as const],
  );
  return Object.fromEntries(observed.toSorted(([left], [right]) => (left < right ? -1 : 1)));
}
