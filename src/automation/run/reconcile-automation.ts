import { FairleadError } from "../../core/error.ts";
import type { Logger } from "../../core/log.ts";
import { type CheckoutPlan, planCheckout } from "../git/checkout-plan.ts";
import { type GitAccess, missingSecret, readGitAccess } from "../git/git-access.ts";
import {
  type GitWorkspace,
  openWorkspace,
  type RemoteTips,
  type WorkspaceOptions,
} from "../git/git-workspace.ts";
import { withProviderToken } from "../git/provider-access.ts";
import { RemovedTemplateFieldError } from "../git/message-data.ts";
import type { GitRepository } from "../objects/git-repository.ts";
import type { LatestReference } from "../objects/image-policy.ts";
import type { ImageUpdateAutomation } from "../objects/image-update-automation.ts";
import { objectKey } from "../../objects/object-meta.ts";
import type { ServiceAccountToken } from "../../registry/cloud/cloud-account.ts";
import { createPlatformTokens, type PlatformTokens } from "../../registry/cloud/platform-tokens.ts";
import type { AutomationObjects } from "../objects/objects.ts";
import { equalReferences } from "../policy/latest-reference.ts";
import type { AutomationState } from "../state/automation-state.ts";
import type { AutomationStatus } from "../state/object-status.ts";
import type { Exclusive } from "./exclusive.ts";
import {
  isFinal,
  type Outcome,
  readyConditions,
  retryConditions,
  stalledConditions,
  wrapError,
} from "./outcome.ts";
import type { PushOutcome } from "./object-event.ts";
import { notesInState, type PushNotes, UntoldPushes } from "./push-notes.ts";
import { type AttemptNotes, pushUpdates, type UpdateReport } from "./push-updates.ts";
import { digestSpec, handledRequest, isRequested } from "./request.ts";
import { observedPolicies, selectPolicies } from "./selected-policies.ts";

export interface AutomationPorts {
  readonly objects: AutomationObjects;
  readonly state: AutomationState;
  /** Those of the automation; default: in the state. */
  readonly pushNotes?: PushNotes;
  /** Shared by all automations of the process: one push to a branch at a time. */
  readonly exclusive: Exclusive;
  /** This process's environment, for git. */
  readonly inherited: Readonly<Record<string, string | undefined>>;
  readonly nowMs: () => number;
  readonly log: Logger;
  /** Changes are found and told, and neither committed nor pushed. */
  readonly dryRun?: boolean;
  /** Tokens for GitRepositories with a provider; default: from the environment. */
  readonly tokens?: PlatformTokens | undefined;
  /** Default: there is no cluster that gives tokens of ServiceAccounts. */
  readonly serviceAccountToken?: ServiceAccountToken | undefined;
  /** Whether `file://` repositories are taken. */
  readonly allowFile?: boolean;
  /** GitRepositories of other namespaces are not taken. */
  readonly noCrossNamespaceRefs?: boolean;
  readonly signal?: AbortSignal | undefined;
}

export interface AutomationOutcome extends Outcome<"ImageUpdateAutomation">, PushOutcome {
  /** What was, or would be, changed. */
  readonly update?: UpdateReport;
}

const kind = "ImageUpdateAutomation";

/**
 * Writes what policies have chosen into a Git repository, and puts the automation's status into the state.
 * @throws FairleadError `state-invalid`, `aborted`; what else goes wrong is in the outcome
 */
export async function reconcileAutomation(
  automation: ImageUpdateAutomation,
  ports: AutomationPorts,
): Promise<AutomationOutcome> {
  const { meta, spec } = automation;
  const { state, pushNotes = notesInState(state, meta) } = ports;
  const { pendingPush: _, ...known }: AutomationStatus = state.status(kind, meta) ?? { conditions: [] };
  if (spec.suspend) return { result: "suspended", status: known, diagnostics: [] };
  const started = { ...known, lastAutomationRunTimeMs: ports.nowMs(), ...handledRequest(meta) };
  const outcome = await new Reconciliation(automation, known, started, { ...ports, pushNotes }).run();
  const pendingPush = pushNotes.read();
  if (ports.dryRun !== true) state.putStatus(kind, meta, { ...outcome.status, pendingPush });
  return outcome;
}

interface Source {
  readonly repository: GitRepository;
  readonly plan: CheckoutPlan;
  readonly access: GitAccess;
  readonly signingKey: WorkspaceOptions["signingKey"];
}

type NotedPorts = AutomationPorts & Required<Pick<AutomationPorts, "pushNotes">>;

class Reconciliation {
  readonly #automation: ImageUpdateAutomation;
  readonly #known: AutomationStatus;
  readonly #started: AutomationStatus;
  readonly #ports: NotedPorts;

  constructor(
    automation: ImageUpdateAutomation,
    known: AutomationStatus,
    started: AutomationStatus,
    ports: NotedPorts,
  ) {
    this.#automation = automation;
    this.#known = known;
    this.#started = started;
    this.#ports = ports;
  }

  async run(): Promise<AutomationOutcome> {
    let source: Source;
    try {
      source = await this.#findSource();
    } catch (cause) {
      if (!(cause instanceof FairleadError) || isFinal(cause)) throw cause;
      if (cause.code === "access-denied") return this.#failed("AccessDenied", cause);
      if (cause.code === "config-invalid") return this.#failed("InvalidSourceConfiguration", cause);
      return this.#failed("SourceManagerFailed", wrapError("failed configuring source manager", cause));
    }
    const { access, plan } = source;
    const targets = [
      `refs/heads/${plan.pushBranch}`,
      ...(plan.refspec === undefined ? [] : [plan.refspec.target]),
    ];
    return this.#ports.exclusive.run(
      targets.map((target) => `${access.url} ${target}`),
      async () => this.#runIn(source),
    );
  }

  async #runIn(source: Source): Promise<AutomationOutcome> {
    let workspace: GitWorkspace;
    try {
      workspace = await this.#open(source);
    } catch (cause) {
      if (isFinal(cause)) throw cause;
      return this.#failed("SourceManagerFailed", wrapError("failed configuring source manager", cause));
    }
    try {
      return await this.#update(workspace, source);
    } catch (cause) {
      if (isFinal(cause)) throw cause;
      return this.#failed("GitOperationFailed", wrapError("failed to checkout source", cause));
    } finally {
      await workspace.close();
    }
  }

  async #open({ repository, plan, access, signingKey }: Source): Promise<GitWorkspace> {
    return openWorkspace({
      access,
      plan,
      signingKey,
      updatePath: this.#automation.spec.updatePath,
      timeoutMs: repository.spec.timeoutMs,
      inherited: this.#ports.inherited,
      signal: this.#ports.signal,
    });
  }

  async #update(workspace: GitWorkspace, source: Source): Promise<AutomationOutcome> {
    const { pushNotes, dryRun = false, nowMs } = this.#ports;
    const tips = await workspace.readTips();
    const untold = new UntoldPushes(pushNotes);
    if (dryRun) return this.#apply(workspace, source, tips, untold);
    const earlierPushes = await untold.findEarlier(this.#automation, workspace, tips);
    const outcome = await this.#apply(workspace, source, tips, untold);
    // A push counts although something else failed after it.
    const last = outcome.push ?? earlierPushes.at(-1);
    const pushed = last === undefined ? {} : { lastPushCommit: last.commit, lastPushTimeMs: nowMs() };
    const status = { ...outcome.status, ...pushed };
    const told = untold.isOpen ? { told: async () => untold.told() } : {};
    return { ...outcome, status, earlierPushes, ...told };
  }

  async #apply(
    workspace: GitWorkspace,
    source: Source,
    tips: RemoteTips,
    notes: AttemptNotes,
  ): Promise<AutomationOutcome> {
    const { objects, state, dryRun = false } = this.#ports;
    const policies = selectPolicies(this.#automation, objects.imagePolicies, state);
    const observed: Observation = {
      observedPolicies: observedPolicies(policies, this.#automation.meta.namespace),
      observedSpec: digestSpec(this.#automation.spec, source.repository.spec),
    };
    if (!dryRun && this.#isUpToDate(observed, tips, source.plan)) return this.#ready(observed, tips);
    await workspace.checkOut(tips);
    const request = { automation: this.#automation, workspace, policies, tips, dryRun, notes };
    const { log, signal } = this.#ports;
    const result = await pushUpdates({ ...request, log, signal });
    switch (result.kind) {
      case "failed": {
        const isGone = result.error instanceof RemovedTemplateFieldError;
        const failed = this.#failed(isGone ? "RemovedTemplateField" : result.reason, result.error);
        const { push, diagnostics } = result;
        return { ...failed, diagnostics, ...(push === undefined ? {} : { push }) };
      }
      case "unchanged":
        return { ...this.#ready(observed, result.tips), diagnostics: result.diagnostics };
      case "planned":
        return { ...this.#ready({}, tips), update: result.update, diagnostics: result.diagnostics };
      default: {
        const { update, push, diagnostics } = result;
        return { ...this.#ready(observed, result.tips), update, push, diagnostics };
      }
    }
  }

  /** Whether nothing that decides has changed since the last time: neither policies nor branches nor the objects. */
  #isUpToDate(observed: Observation, tips: RemoteTips, plan: CheckoutPlan): boolean {
    const known = this.#known;
    if (isRequested(this.#automation.meta, known) || known.observedSpec !== observed.observedSpec)
      return false;
    if (known.observedSourceRevision !== tips.revision) return false;
    if (plan.switchesBranch && known.observedPushCommit !== tips.push) return false;
    return equalPolicies(known.observedPolicies ?? {}, observed.observedPolicies ?? {});
  }

  #ready(observed: Observation, tips: RemoteTips): AutomationOutcome {
    const { observedPushCommit: _, ...started } = this.#started;
    const status: AutomationStatus = {
      ...started,
      ...observed,
      observedSourceRevision: tips.revision,
      ...(tips.push === undefined ? {} : { observedPushCommit: tips.push }),
      conditions: readyConditions("repository up-to-date"),
    };
    return { result: "ready", status, requeueAfterMs: this.#automation.spec.intervalMs, diagnostics: [] };
  }

  #failed(reason: string, error: FairleadError): AutomationOutcome {
    const isStalled = stalling.has(reason);
    const conditions = (isStalled ? stalledConditions : retryConditions)(reason, error.message);
    const status = { ...this.#started, conditions };
    return { result: isStalled ? "stalled" : "retry", status, diagnostics: [], error };
  }

  async #findSource(): Promise<Source> {
    const { meta, spec } = this.#automation;
    const { objects, noCrossNamespaceRefs = false, allowFile = false, inherited, log } = this.#ports;
    const { serviceAccountToken, tokens = createPlatformTokens({ environment: inherited, log }) } =
      this.#ports;
    const { name, namespace = meta.namespace } = spec.sourceRef;
    const key = objectKey({ namespace, name });
    if (noCrossNamespaceRefs && namespace !== meta.namespace) {
      const message = `can't access 'GitRepository/${key}', cross-namespace references have been blocked`;
      throw new FairleadError("access-denied", message, { where: meta.where });
    }
    const repository = objects.gitRepositories.get(key);
    if (repository === undefined) {
      throw new FairleadError("object-missing", `referenced git repository does not exist: ${key}`, {
        where: meta.where,
      });
    }
    const plan = planCheckout(repository.spec.ref, spec.git);
    const access = readGitAccess(repository, objects.secrets, { allowFile });
    const signingKey = this.#findSigningKey();
    const ports = { objects, tokens, serviceAccountToken };
    return { repository, plan, access: await withProviderToken(access, repository, ports), signingKey };
  }

  #findSigningKey(): Source["signingKey"] {
    const { meta, spec } = this.#automation;
    const { signingKey } = spec.git.commit;
    if (signingKey === undefined) return undefined;
    const { namespace } = meta;
    const name = signingKey.secretName;
    const secret = this.#ports.objects.secrets.get(objectKey({ namespace, name }));
    if (secret === undefined) throw missingSecret(namespace, name);
    return { type: signingKey.type, secret };
  }
}

type Observation = Pick<AutomationStatus, "observedPolicies" | "observedSpec">;

const stalling: ReadonlySet<string> = new Set([
  "AccessDenied",
  "InvalidSourceConfiguration",
  "RemovedTemplateField",
]);

type References = Readonly<Record<string, LatestReference>>;

function equalPolicies(left: References, right: References): boolean {
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && equalReferences(left[name], right[name]))
  );
}
