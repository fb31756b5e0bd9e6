import { FairleadError } from "../../core/error.ts";
import { mapConcurrent } from "../../core/pool.ts";
import { objectKey } from "../../objects/object-meta.ts";
import type { ImagePolicy, LatestReference } from "../objects/image-policy.ts";
import type { ImageRepository } from "../objects/image-repository.ts";
import { findRepository } from "../policy/repository-access.ts";
import { reconcileRepository } from "../scan.ts";
import { openState } from "../state/automation-state.ts";
import { isFinal } from "./outcome.ts";
import { type PolicyPorts, reconcilePolicy } from "./reconcile-policy.ts";

export interface ScannedPolicies {
  /** By `namespace/name`. */
  readonly latest: ReadonlyMap<string, LatestReference>;
  /** Why policies have chosen nothing; of a repository once. */
  readonly errors: readonly FairleadError[];
}

const scansAtOnce = 8;

/**
 * Scans the repositories of policies and chooses their latest tags, without a state that outlives it.
 * @throws FairleadError `aborted`
 */
export async function scanPolicies(
  policies: readonly ImagePolicy[],
  ports: Omit<PolicyPorts, "state">,
): Promise<ScannedPolicies> {
  const state = await openState(undefined);
  try {
    return await scanInto({ ...ports, state }, policies);
  } finally {
    state.close();
  }
}

async function scanInto(ports: PolicyPorts, policies: readonly ImagePolicy[]): Promise<ScannedPolicies> {
  const repositories = new Map(
    policies.flatMap((policy) => {
      const repository = tryFindRepository(policy, ports);
      return repository === undefined ? [] : [[objectKey(repository.meta), repository] as const];
    }),
  );
  const errors: FairleadError[] = [];
  const failed = new Set<string>();
  await mapConcurrent([...repositories], scansAtOnce, async ([key, repository]) => {
    const { error } = await reconcileRepository(repository, ports);
    if (error === undefined) return;
    errors.push(named(repository, error));
    failed.add(key);
  });
  const latest = new Map<string, LatestReference>();
  await mapConcurrent(policies, scansAtOnce, async (policy) => {
    const { status, error } = await reconcilePolicy(policy, ports);
    if (status.latestRef !== undefined) latest.set(objectKey(policy.meta), status.latestRef);
    const repository = tryFindRepository(policy, ports);
    const isTold = repository !== undefined && failed.has(objectKey(repository.meta));
    if (error !== undefined && !isTold) errors.push(named(policy, error));
  });
  return { latest, errors: errors.toSorted((left, right) => (left.message < right.message ? -1 : 1)) };
}

/** Why there is none is told of the policy. */
function tryFindRepository(policy: ImagePolicy, ports: PolicyPorts): ImageRepository | undefined {
  try {
    return findRepository(policy, ports.objects, ports.access);
  } catch (error) {
    if (error instanceof FairleadError && !isFinal(error)) return undefined;
    throw error;
  }
}

function named(
  { kind, meta }: ImagePolicy | ImageRepository,
  { code, message, hint }: FairleadError,
): FairleadError {
  const told = `${kind} ${objectKey(meta)}: ${message}`;
  return new FairleadError(code, told, { hint, where: meta.where });
}
