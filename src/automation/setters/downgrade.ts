import type { Diagnostic } from "../../core/diagnostic.ts";
import type { MarkedScalar } from "./marked-scalar.ts";
import type { SetterPolicies } from "./setter-value.ts";

/** On an ImagePolicy: `refuse` keeps its markers from being set to a tag older than the one that is there. */
export const downgradeAnnotation = "fairlead.dev/downgrade";

const tagOfImage = /:(?<tag>\w[\w.-]{0,127})(?:@[^@]*)?$/u;

/**
 * Leaves out the scalars of policies that refuse downgrades where a file has a newer tag of them: all of the policy's
 * in that file, so that an image, its digest and its attributes stay together.
 */
export function refuseDowngrades(
  marked: readonly MarkedScalar[],
  policies: SetterPolicies,
  file: string,
  diagnostics: Diagnostic[],
): readonly MarkedScalar[] {
  const refused = new Set<string>();
  for (const { line, part, policyKey, setter, oldValue } of marked) {
    const { isNewer, latest } = policies.get(policyKey) ?? {};
    const present = part === "tag" ? oldValue : part === "" ? tagOfImage.exec(oldValue)?.groups?.["tag"] : "";
    if (isNewer === undefined || latest === undefined || present === undefined || present === "") continue;
    if (present === latest.tag || !isNewer(present, latest.tag)) continue;
    refused.add(policyKey);
    diagnostics.push({
      code: "downgrade-refused",
      severity: "warning",
      message: `${setter} is ${latest.tag}, which is older than ${present}; the policy's fields here are left`,
      where: { file, line },
    });
  }
  return marked.filter(({ policyKey }) => !refused.has(policyKey));
}
