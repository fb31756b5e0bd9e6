import type { GitRepository } from "../../automation/objects/git-repository.ts";
import type { ImagePolicy } from "../../automation/objects/image-policy.ts";
import type { ImageUpdateAutomation } from "../../automation/objects/image-update-automation.ts";
import { imageUpdateAutomationKind } from "../../automation/objects/object-kinds.ts";
import { Exclusive } from "../../automation/run/exclusive.ts";
import { reconcileAutomation } from "../../automation/run/reconcile-automation.ts";
import type { AutomationState } from "../../automation/state/automation-state.ts";
import type { Logger } from "../../core/log.ts";
import type { ServiceAccountToken } from "../../registry/cloud/cloud-account.ts";
import type { PlatformTokens } from "../../registry/cloud/platform-tokens.ts";
import { objectKey } from "../../objects/object-meta.ts";
import type { ObjectApi } from "../api/object-api.ts";
import { resourceTypes } from "../api/resource-types.ts";
import { conditionsOf, handledOf, imageOutcome } from "./image-outcome.ts";
import { automationFields, automationStatusOf } from "./image-status.ts";
import { type KindReconciler, referenceKey } from "./kind-reconciler.ts";
import { readSecrets, tryReadServiceAccount } from "./referenced-objects.ts";

export interface ImageUpdateAutomationPorts {
  readonly api: Pick<ObjectApi, "get">;
  /** What only this process needs to know; it may be forgotten. */
  readonly state: AutomationState;
  /** The ImagePolicies of a namespace that are valid, as they were last seen. */
  readonly policiesOf: (namespace: string) => readonly ImagePolicy[];
  /** A GitRepository as it was last seen; undefined: there is none that is valid. */
  readonly findGitRepository: (namespace: string, name: string) => GitRepository | undefined;
  /** Tokens of providers, shared by all. */
  readonly tokens: PlatformTokens;
  /** Undefined: there is no cluster that gives tokens of ServiceAccounts. */
  readonly serviceAccountToken?: ServiceAccountToken | undefined;
  readonly noCrossNamespaceRefs: boolean;
  /** Whether `file://` repositories are taken. */
  readonly allowFile: boolean;
  /** This process's environment, for git. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly nowMs: () => number;
  readonly log: Logger;
}

const kind = "ImageUpdateAutomation";

/** What was noted of pushes: in an annotation, which the definitions of every version keep, as a status field is not. */
const pushAnnotation = "automation.fairlead.dev/pending-push";

/** Writes what ImagePolicies have chosen into Git. */
export function createImageUpdateAutomationReconciler(
  ports: ImageUpdateAutomationPorts,
): KindReconciler<ImageUpdateAutomation> {
  const { api, state, policiesOf, findGitRepository, environment, noCrossNamespaceRefs, allowFile } = ports;
  const { tokens, serviceAccountToken, nowMs, log } = ports;
  const exclusive = new Exclusive();
  return {
    kind,
    type: resourceTypes.ImageUpdateAutomation,
    reads: imageUpdateAutomationKind,
    reconcile: async (automation, raw, signal, annotate) => {
      const { meta, spec } = automation;
      const { observedSpec, observedPushCommit } = state.status(kind, meta) ?? {};
      state.putStatus(kind, meta, {
        ...(observedSpec === undefined ? {} : { observedSpec }),
        ...(observedPushCommit === undefined ? {} : { observedPushCommit }),
        ...automationStatusOf(raw.status ?? {}),
        ...handledOf(raw),
        conditions: conditionsOf(raw),
      });
      const source = sourceOf(automation);
      const mayReach = source.namespace === meta.namespace || !noCrossNamespaceRefs;
      const repository = mayReach ? findGitRepository(source.namespace, source.name) : undefined;
      const { secretRef, proxySecretRef, serviceAccountName } = repository?.spec ?? {};
      const accountName = { namespace: source.namespace, name: serviceAccountName ?? "" };
      const [own, ofSource, account] = await Promise.all([
        readSecrets(api, meta.namespace, [spec.git.commit.signingKey?.secretName], signal),
        readSecrets(api, source.namespace, [secretRef?.name, proxySecretRef?.name], signal),
        serviceAccountName === undefined ? undefined : tryReadServiceAccount(api, accountName, signal),
      ]);
      const outcome = await reconcileAutomation(automation, {
        objects: {
          imageRepositories: new Map(),
          imagePolicies: new Map(
            policiesOf(meta.namespace).map((policy) => [objectKey(policy.meta), policy]),
          ),
          imageUpdateAutomations: new Map(),
          gitRepositories: new Map(repository === undefined ? [] : [[objectKey(source), repository]]),
          secrets: new Map([...own, ...ofSource]),
          serviceAccounts: new Map(account === undefined ? [] : [[objectKey(accountName), account]]),
          namespaces: new Map(),
        },
        state,
        pushNotes: {
          read: () => raw.metadata.annotations?.[pushAnnotation],
          write: async (note) => annotate(pushAnnotation, note),
        },
        exclusive,
        tokens,
        serviceAccountToken,
        inherited: environment,
        nowMs,
        log,
        allowFile,
        noCrossNamespaceRefs,
        signal,
      });
      const fields = automationFields(outcome.status);
      return imageOutcome({ kind, meta, raw, outcome, fields, log });
    },
    invalidReason: (problems) => {
      const isAbout = (key: string): boolean => problems.some(({ path }) => path.includes(key));
      if (isAbout("policySelector")) return "InvalidPolicySelector";
      return isAbout("update") ? "InvalidUpdateStrategy" : "InvalidSourceConfiguration";
    },
    referencesOf: (automation) => [
      referenceKey("GitRepository", sourceOf(automation)),
      policiesKey(automation.meta.namespace),
    ],
    forget: (name) => state.remove(kind, name),
  };
}

/** The key of all ImagePolicies of a namespace, which automations follow. */
export function policiesKey(namespace: string): string {
  return referenceKey("ImagePolicy", { namespace, name: "*" });
}

function sourceOf({ meta, spec }: ImageUpdateAutomation): {
  readonly namespace: string;
  readonly name: string;
} {
  const { name, namespace = meta.namespace } = spec.sourceRef;
  return { namespace, name };
}
