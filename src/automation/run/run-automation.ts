import { FairleadError } from "../../core/error.ts";
import { mapConcurrent } from "../../core/pool.ts";
import type { ImageRepository } from "../objects/image-repository.ts";
import type { ObjectMeta } from "../../objects/object-meta.ts";
import type { AccessOptions } from "../policy/repository-access.ts";
import type { RegistryClient } from "../../registry/registry-api.ts";
import { reconcileRepository } from "../scan.ts";
import type { StatusKind } from "../state/object-status.ts";
import { type EventSink, eventsOf } from "./object-event.ts";
import type { Outcome } from "./outcome.ts";
import { type AutomationOutcome, type AutomationPorts, reconcileAutomation } from "./reconcile-automation.ts";
import { reconcilePolicy } from "./reconcile-policy.ts";

export interface RunPorts extends AutomationPorts {
  /** The client for a repository, with its credentials. @throws FairleadError */
  readonly connect: (repository: ImageRepository) => RegistryClient | Promise<RegistryClient>;
  readonly access?: AccessOptions;
  /** Default: what happens is told to nobody. */
  readonly events?: EventSink | undefined;
}

export interface ObjectOutcome<Kind extends StatusKind, Result = Outcome<Kind>> {
  readonly kind: Kind;
  readonly meta: ObjectMeta;
  readonly outcome: Result;
}

/** What came of each object, in the order of their keys. */
export interface RunReport {
  readonly repositories: readonly ObjectOutcome<"ImageRepository">[];
  readonly policies: readonly ObjectOutcome<"ImagePolicy">[];
  readonly automations: readonly ObjectOutcome<"ImageUpdateAutomation", AutomationOutcome>[];
}

const scansAtOnce = 8;
const automationsAtOnce = 4;

/**
 * Scans repositories, chooses tags, and writes what is chosen into Git, each as far as it is time. An object that
 * fails does not keep others from their work.
 * @throws FairleadError `state-invalid`, `aborted`
 */
export async function runAutomation(ports: RunPorts): Promise<RunReport> {
  const { objects } = ports;
  const repositories = await each(
    "ImageRepository",
    objects.imageRepositories,
    scansAtOnce,
    ports,
    (object) => reconcileRepository(object, ports),
  );
  const policies = await each("ImagePolicy", objects.imagePolicies, scansAtOnce, ports, (object) =>
    reconcilePolicy(object, ports),
  );
  const automations = await each(
    "ImageUpdateAutomation",
    objects.imageUpdateAutomations,
    automationsAtOnce,
    ports,
    (object) => reconcileAutomation(object, ports),
  );
  return { repositories, policies, automations };
}

/** Forgets what the state knows of objects that are not there any more. @throws FairleadError `state-invalid` */
export function pruneState({ objects, state }: Pick<RunPorts, "objects" | "state">): void {
  state.prune("ImageRepository", metasOf(objects.imageRepositories));
  state.prune("ImagePolicy", metasOf(objects.imagePolicies));
  state.prune("ImageUpdateAutomation", metasOf(objects.imageUpdateAutomations));
}

function metasOf(objects: ReadonlyMap<string, { readonly meta: ObjectMeta }>): readonly ObjectMeta[] {
  return [...objects.values()].map(({ meta }) => meta);
}

async function each<
  Kind extends StatusKind,
  Item extends { readonly meta: ObjectMeta },
  Result extends Outcome<StatusKind>,
>(
  kind: Kind,
  objects: ReadonlyMap<string, Item>,
  limit: number,
  { state, events, signal }: Pick<RunPorts, "state" | "events" | "signal">,
  reconcile: (object: Item) => Promise<Result>,
): Promise<ObjectOutcome<Kind, Result>[]> {
  const sorted = [...objects].toSorted(([left], [right]) => (left < right ? -1 : 1));
  return mapConcurrent(sorted, limit, async ([, object]) => {
    if (signal?.aborted === true) throw new FairleadError("aborted", "the run was stopped");
    const { meta } = object;
    const before = state.status(kind, meta)?.conditions ?? [];
    const outcome = await reconcile(object);
    for (const event of eventsOf({ kind, meta, before, outcome })) events?.record(event);
    await outcome.told?.();
    return { kind, meta, outcome };
  });
}
