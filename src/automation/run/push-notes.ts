import { setImmediate } from "node:timers/promises";
import type { ObjectMeta } from "../../objects/object-meta.ts";
import type { GitWorkspace, RemoteTips } from "../git/git-workspace.ts";
import { isObjectId } from "../git/ref-name.ts";
import type { ImageUpdateAutomation } from "../objects/image-update-automation.ts";
import type { AutomationState } from "../state/automation-state.ts";
import type { AutomationStatus } from "../state/object-status.ts";
import { type AttemptNotes, type PushReport, reportPush } from "./push-updates.ts";

/**
 * Where an automation notes a commit before it is pushed, so that whoever comes after a crash can tell of the push. A
 * note is a text of its own, and outlives the process where the automation's status does.
 */
export interface PushNotes {
  /** Undefined: nothing is noted. @throws FairleadError */
  readonly read: () => string | undefined;
  /** @param note undefined: there is nothing left to tell @throws FairleadError */
  readonly write: (note: string | undefined) => Promise<void>;
}

/** Notes in the status that the state has of an automation. */
export function notesInState(state: AutomationState, meta: ObjectMeta): PushNotes {
  const status = (): AutomationStatus => state.status(kind, meta) ?? { conditions: [] };
  return {
    read: () => status().pendingPush,
    write: async (pendingPush) => state.putStatus(kind, meta, { ...status(), pendingPush }),
  };
}

const kind = "ImageUpdateAutomation";
/** More are left by nobody: whoever comes next tells them. */
const maxNoted = 16;

/** The pushes of an automation that may not have been told, those of this run and those of earlier ones. */
export class UntoldPushes implements AttemptNotes {
  readonly #notes: PushNotes;
  #noted: string | undefined;
  #earlier: readonly PushReport[] = [];
  /** A commit that may have been pushed. */
  #unsure: string | undefined;

  constructor(notes: PushNotes) {
    this.#notes = notes;
    this.#noted = notes.read();
  }

  /** Whether there is something to tell, or to forget. */
  get isOpen(): boolean {
    return this.#noted !== this.#unsure;
  }

  /** What earlier runs have pushed: what they noted and is on the branch. @throws FairleadError as the workspace */
  async findEarlier(
    automation: ImageUpdateAutomation,
    workspace: GitWorkspace,
    tips: RemoteTips,
  ): Promise<readonly PushReport[]> {
    // Others may write where the note is.
    const commits = (this.#noted ?? "").split(" ").filter(isObjectId).slice(-maxNoted);
    const pushed = await workspace.findPushed(tips, commits);
    this.#earlier = pushed.map((commit) => reportPush(automation, commit));
    return this.#earlier;
  }

  async begin(commit: string): Promise<void> {
    await this.#write([...this.#earlier.map((push) => push.commit), commit].join(" "));
    this.#unsure = commit;
  }

  end(): void {
    this.#unsure = undefined;
  }

  /** Takes that all were told of which it is known that they were made. @throws FairleadError */
  async told(): Promise<void> {
    // What was recorded in this turn is on disk in the next.
    await setImmediate();
    await this.#write(this.#unsure);
  }

  async #write(note: string | undefined): Promise<void> {
    await this.#notes.write(note);
    this.#noted = note;
  }
}
