import { setTimeout as sleep } from "node:timers/promises";
import type { Diagnostic } from "../../core/diagnostic.ts";
import { FairleadError } from "../../core/error.ts";
import type { Logger } from "../../core/log.ts";
import { renderCommitMessage } from "../git/commit-message.ts";
import type { GitWorkspace, RemoteTips } from "../git/git-workspace.ts";
import type { MessageChange } from "../git/message-data.ts";
import type { PushResult } from "../git/push.ts";
import type { ImageUpdateAutomation } from "../objects/image-update-automation.ts";
import { objectKey } from "../../objects/object-meta.ts";
import type { SetterPolicies } from "../setters/setter-value.ts";
import { type FileUpdate, planTreeUpdate } from "../setters/update-tree.ts";
import { writeTreeUpdate } from "../setters/write-update.ts";
import { isFinal, wrapError } from "./outcome.ts";

export interface UpdateRequest {
  readonly automation: ImageUpdateAutomation;
  /** Checked out. */
  readonly workspace: GitWorkspace;
  readonly policies: SetterPolicies;
  readonly tips: RemoteTips;
  readonly dryRun: boolean;
  readonly notes: AttemptNotes;
  readonly log: Logger;
  readonly signal?: AbortSignal | undefined;
}

/** Told of each attempt to push. */
export interface AttemptNotes {
  /** @throws FairleadError then the commit is not pushed */
  begin(commit: string): Promise<void>;
  /** It is known whether the commit was pushed. */
  end(): void;
}

/** Changes, and the message of the commit that holds them. */
export interface UpdateReport {
  readonly files: readonly FileUpdate[];
  readonly message: string;
}

/** A commit that is on the server. */
export interface PushReport {
  readonly commit: string;
  readonly branch: string;
  readonly refspec?: string;
  /** What Flux's event says. */
  readonly summary: string;
}

/** What came of it; findings are those of the last attempt. */
export type UpdateResult = { readonly diagnostics: readonly Diagnostic[] } & (
  | { readonly kind: "unchanged"; readonly tips: RemoteTips }
  | { readonly kind: "planned"; readonly update: UpdateReport }
  /** The tips are those after the push. */
  | {
      readonly kind: "pushed";
      readonly tips: RemoteTips;
      readonly update: UpdateReport;
      readonly push: PushReport;
    }
  | {
      readonly kind: "failed";
      /** Of the condition. */
      readonly reason: "UpdateFailed" | "GitOperationFailed";
      readonly error: FairleadError;
      /** Of a push that was made before. */
      readonly push?: PushReport;
    }
);

const maxAttempts = 10;
/** A server may refuse although nobody was faster, for a moment or for good. */
const maxRefusals = 3;
const firstDelayMs = 100;
const maxDelayMs = 3000;

/**
 * Applies policies to a working tree, commits and pushes. Where somebody was faster, it begins again on what they
 * left, so that nobody's commit is lost.
 * @throws FairleadError `aborted`, `state-invalid`, and as the workspace where it cannot be checked out again
 */
export async function pushUpdates(request: UpdateRequest): Promise<UpdateResult> {
  const { workspace, notes, log, signal } = request;
  let { tips } = request;
  let refusals = 0;
  for (let attempt = 1; ; attempt++) {
    const committed = await commitUpdates(request);
    if (committed.kind === "unchanged") return { ...committed, tips };
    if (committed.kind !== "committed") return committed;
    const { commit, update, diagnostics } = committed;
    let pushed: PushResult;
    try {
      await notes.begin(commit);
      pushed = await workspace.push();
      notes.end();
      if (pushed.kind === "pushed") return await pushFurther(request, commit, update, tips, diagnostics);
    } catch (cause) {
      return failedUpdate(cause, diagnostics);
    }
    const before = tips;
    await pause(attempt, signal);
    tips = await workspace.readTips();
    refusals = before.push === tips.push ? refusals + 1 : 0;
    if (refusals === maxRefusals || attempt === maxAttempts) {
      const times = attempt === 1 ? "once" : `${attempt} times`;
      const message = `the push was rejected ${times}: ${pushed.reason}`;
      return failedUpdate(new FairleadError("git-rejected", message, { retryable: true }), diagnostics);
    }
    log.info("the push was rejected and is tried again", {
      automation: objectKey(request.automation.meta),
      attempt,
      reason: pushed.reason,
    });
    await workspace.checkOut(tips);
  }
}

type CommitResult =
  | Exclude<UpdateResult, { readonly kind: "unchanged" | "pushed" }>
  | { readonly kind: "unchanged"; readonly diagnostics: readonly Diagnostic[] }
  | {
      readonly kind: "committed";
      readonly commit: string;
      readonly update: UpdateReport;
      readonly diagnostics: readonly Diagnostic[];
    };

async function commitUpdates(request: UpdateRequest): Promise<CommitResult> {
  const { automation, workspace, policies, dryRun, signal } = request;
  const { tree, updatePath } = workspace;
  let diagnostics: readonly Diagnostic[] = [];
  let files: readonly FileUpdate[];
  try {
    const path = updatePath === "." ? undefined : updatePath;
    const update = await planTreeUpdate(tree, policies, { path, signal });
    ({ diagnostics, files } = update);
    if (files.length > 0 && !dryRun) writeTreeUpdate(tree, update);
  } catch (cause) {
    if (isFinal(cause)) throw cause;
    const error = wrapError("failed to apply policies", cause);
    return { kind: "failed", reason: "UpdateFailed", error, diagnostics };
  }
  if (files.length === 0) return { kind: "unchanged", diagnostics };
  try {
    const { author, messageTemplate, messageTemplateValues } = automation.spec.git.commit;
    const changes = changesOf(files, updatePath);
    const subject = { automation: automation.meta, changes, values: messageTemplateValues };
    const message = renderCommitMessage(messageTemplate, subject);
    const update = { files, message };
    if (dryRun) return { kind: "planned", update, diagnostics };
    const commit = await workspace.commit({ paths: files.map(({ path }) => path), message, author });
    return commit === undefined
      ? { kind: "unchanged", diagnostics }
      : { kind: "committed", commit, update, diagnostics };
  } catch (cause) {
    return failedUpdate(cause, diagnostics);
  }
}

/** The branch is on the server: what the refspec says goes after it. */
async function pushFurther(
  { automation, workspace }: UpdateRequest,
  commit: string,
  update: UpdateReport,
  tips: RemoteTips,
  diagnostics: readonly Diagnostic[],
): Promise<UpdateResult> {
  const { branch, tipsAfter } = workspace.pushedTips(tips, commit);
  const report = reportPush(automation, { commit, branch, message: update.message });
  try {
    const further = await workspace.pushRefspec();
    if (further.kind === "pushed")
      return { kind: "pushed", tips: tipsAfter, update, push: report, diagnostics };
    throw new FairleadError(
      "git-rejected",
      `the push of the refspec ${report.refspec} was rejected: ${further.reason}`,
    );
  } catch (cause) {
    return { ...failedUpdate(cause, diagnostics), push: report };
  }
}

/** What is told of an automation's commit that is on the server. */
export function reportPush(
  { spec }: ImageUpdateAutomation,
  { commit, branch, message }: { readonly commit: string; readonly branch: string; readonly message: string },
): PushReport {
  const { refspec } = spec.git.push ?? {};
  return {
    commit,
    branch,
    ...(refspec === undefined || refspec === "" ? {} : { refspec }),
    summary: summarise(commit, branch, refspec, message),
  };
}

function summarise(commit: string, branch: string, refspec: string | undefined, message: string): string {
  const further = refspec === undefined || refspec === "" ? "" : ` and refspecs '${refspec}'`;
  const head = `pushed commit '${commit.slice(0, 7)}' to branch '${branch}'${further}`;
  return message === "" ? head : `${head}\n${message}`;
}

function failedUpdate(
  cause: unknown,
  diagnostics: readonly Diagnostic[],
): Extract<UpdateResult, { readonly kind: "failed" }> {
  if (!(cause instanceof FairleadError) || isFinal(cause)) throw cause;
  const error = cause.code === "config-invalid" ? cause : wrapError("failed to update source", cause);
  return { kind: "failed", reason: "GitOperationFailed", error, diagnostics };
}

/** Files are named from the folder that is updated, as Flux names them. */
function changesOf(files: readonly FileUpdate[], updatePath: string): readonly MessageChange[] {
  const prefix = `${updatePath}/`;
  return files.flatMap(({ path, changes }) =>
    changes.map(({ object, oldValue, newValue, setter }) => ({
      file: path.startsWith(prefix) ? path.slice(prefix.length) : path,
      object: { apiVersion: "", kind: "", namespace: "", name: "", ...object },
      oldValue,
      newValue,
      setter,
    })),
  );
}

/** Longer each time, and never as long as for somebody else. */
async function pause(attempt: number, signal: AbortSignal | undefined): Promise<void> {
  const delayMs = Math.min(maxDelayMs, firstDelayMs * 2 ** attempt) * (0.5 + Math.random() / 2);
  try {
    await sleep(delayMs, undefined, signal === undefined ? {} : { signal });
  } catch (cause) {
    throw new FairleadError("aborted", "the run was stopped", { cause });
  }
}
