import type { ImagePolicy } from "../../automation/objects/image-policy.ts";
import type { ImageRepository } from "../../automation/objects/image-repository.ts";
import { imagePolicyKind } from "../../automation/objects/object-kinds.ts";
import { readyConditionOf } from "../../automation/run/outcome.ts";
import { isRequested } from "../../automation/run/request.ts";
import { reconcilePolicy } from "../../automation/run/reconcile-policy.ts";
import type { AutomationState } from "../../automation/state/automation-state.ts";
import type { Logger } from "../../core/log.ts";
import { objectKey } from "../../objects/object-meta.ts";
import type { ObjectApi } from "../api/object-api.ts";
import { resourceTypes } from "../api/resource-types.ts";
import { conditionsOf, handledOf, imageOutcome } from "./image-outcome.ts";
import { policyFields, policyStatusOf } from "./image-status.ts";
import { type KindOutcome, type KindReconciler, referenceKey, type StatusObject } from "./kind-reconciler.ts";
import { tryReadNamespaceLabels } from "./referenced-objects.ts";
import type { ConnectRepository } from "./repository-clients.ts";

export interface ImagePolicyPorts {
  readonly api: Pick<ObjectApi, "get">;
  /** Where the tags of the repositories are. */
  readonly state: AutomationState;
  /** An ImageRepository as it was last seen; undefined: there is none that is valid. */
  readonly findRepository: (namespace: string, name: string) => ImageRepository | undefined;
  readonly connect: ConnectRepository;
  readonly noCrossNamespaceRefs: boolean;
  /** When a dependency that is missing is looked for again, besides when it comes. */
  readonly requeueDependencyMs: number;
  readonly nowMs: () => number;
  readonly log: Logger;
}

const kind = "ImagePolicy";

/** Chooses the latest tags for ImagePolicies. */
export function createImagePolicyReconciler(ports: ImagePolicyPorts): KindReconciler<ImagePolicy> {
  const { api, state, findRepository, connect, noCrossNamespaceRefs, requeueDependencyMs, nowMs, log } =
    ports;
  return {
    kind,
    type: resourceTypes.ImagePolicy,
    reads: imagePolicyKind,
    reconcile: async (policy, raw, signal) => {
      const { meta } = policy;
      const { observedSpec, digestTimeMs } = state.status(kind, meta) ?? {};
      state.putStatus(kind, meta, {
        ...(observedSpec === undefined ? {} : { observedSpec }),
        ...(digestTimeMs === undefined ? {} : { digestTimeMs }),
        ...policyStatusOf(raw.status ?? {}),
        // An API server that knows no attributes has dropped them: the reader has found them again.
        ...(policy.latestRef === undefined ? {} : { latestRef: policy.latestRef }),
        ...handledOf(raw),
        conditions: conditionsOf(raw),
      });
      const repositoryName = repositoryOf(policy);
      const repository = findRepository(repositoryName.namespace, repositoryName.name);
      const scanned = repository && state.status("ImageRepository", repository.meta)?.lastScan;
      if (repository !== undefined && scanned === undefined && hasChosen(policy, raw)) {
        // The tags are listed anew after a start; what was chosen before stays until then.
        return {
          result: "ready",
          findings: conditionsOf(raw),
          status: {},
          occurrences: [],
          requeueAfterMs: requeueDependencyMs,
        };
      }
      const labels =
        repository?.spec.accessFrom === undefined || repositoryName.namespace === meta.namespace
          ? undefined
          : await tryReadNamespaceLabels(api, meta.namespace, signal);
      const outcome = await reconcilePolicy(policy, {
        objects: {
          imageRepositories: new Map(
            repository === undefined ? [] : [[objectKey(repositoryName), repository]],
          ),
          namespaces: new Map(labels === undefined ? [] : [[meta.namespace, labels]]),
        },
        state,
        connect: async (wanted) => connect(wanted, signal),
        access: { noCrossNamespaceRefs },
        nowMs,
        signal,
      });
      const told = imageOutcome({ kind, meta, raw, outcome, fields: policyFields(outcome.status), log });
      const isWaiting = readyConditionOf(outcome.status.conditions)?.reason === "DependencyNotReady";
      return isWaiting ? waitingOutcome(told, requeueDependencyMs) : told;
    },
    invalidReason: (problems) =>
      problems.some(({ path }) => path.at(-1) === "interval") ? "IntervalNotConfigured" : "InvalidPolicy",
    referencesOf: (policy) => [referenceKey("ImageRepository", repositoryOf(policy))],
    forget: (name) => state.remove(kind, name),
  };
}

/** Objects that are made together wait for each other in the course of things: nobody is to be alarmed. */
function waitingOutcome({ error, ...outcome }: KindOutcome, requeueAfterMs: number): KindOutcome {
  const isUnknown = error !== undefined && error.code !== "policy-unresolved";
  return {
    ...outcome,
    requeueAfterMs,
    occurrences: outcome.occurrences.map(({ reason, message }) => ({ type: "Trace", reason, message })),
    // That tags are not listed yet is no news for the log.
    ...(isUnknown ? { error } : {}),
  };
}

/** Whether the object says what this state of its specification has chosen, and nobody asks for it to be looked at. */
function hasChosen({ meta, latestRef }: ImagePolicy, raw: StatusObject): boolean {
  const { observedGeneration } = { ...raw.status };
  const isReady = readyConditionOf(conditionsOf(raw))?.status === "True";
  return (
    latestRef !== undefined &&
    isReady &&
    observedGeneration === meta.generation &&
    !isRequested(meta, handledOf(raw))
  );
}

function repositoryOf({ meta, spec }: ImagePolicy): { readonly namespace: string; readonly name: string } {
  const { name, namespace = meta.namespace } = spec.imageRepositoryRef;
  return { namespace, name };
}
