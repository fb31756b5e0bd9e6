import { registryIdentity } from "../reference/registry-host.ts";
import { knownHostsOf, plannedTargets, refuseCollisions, type ChartPlan } from "./chart-plan.ts";
import type { Exploration } from "./chart-trace.ts";
import { proveExplored, type ExploredOutcomes } from "./explore/prove-explored.ts";
import type { RelocateChartInput } from "./relocate-chart-input.ts";
import type { Relocator } from "./relocator.ts";
import { verifyOverride, type Verification, type VerificationInput } from "./verify/verification.ts";

/**
 * Proves an override against the chart as it is.
 * @throws FairleadError `target-collision`: renderings may hold images that no value spells, and that share a name
 *   at the target with another one
 */
export async function prove(input: VerificationInput): Promise<Verification> {
  const verification = await verifyOverride(input);
  refuseCollisions(
    verification.outcomes.flatMap(({ image, planned, status }) =>
      status === "moved" && planned !== undefined ? [{ source: image.reference, target: planned }] : [],
    ),
  );
  return verification;
}

/** What a proof takes besides the override and its renderer. */
export function verificationOf(
  input: RelocateChartInput,
  { plan }: ChartPlan,
  relocator: Relocator,
): Omit<VerificationInput, "renderer" | "override" | "planned" | "replacements"> {
  const isKnown = knownHostsOf(input.settings);
  const hosts = new Set(plan.images.map(({ site }) => registryIdentity(site.reference.registry)));
  return {
    relocator,
    isKnownHost: (host) => isKnown(host) || hosts.has(registryIdentity(host)),
    plannedFor: plannedTargets(plan),
    excludeTests: input.excludeTests ?? false,
    redact: input.redact ?? ((text) => text),
  };
}

/** Proves the override for what only exploring shows, where the chart as it is takes it. */
export async function proveBeyond(
  explored: Exploration | undefined,
  proof: VerificationInput | undefined,
  verification: Verification | undefined,
): Promise<ExploredOutcomes> {
  if (proof === undefined || verification?.chartInstall !== "passed" || explored === undefined) {
    return { outcomes: [], diagnostics: [] };
  }
  return proveExplored(explored.states, explored.explorer, proof, textsOf(verification));
}

function textsOf({ outcomes }: Verification): Set<string> {
  return new Set(outcomes.map(({ image }) => image.text));
}
