import { FairleadError } from "../../core/error.ts";
import type { GitRef } from "../objects/git-repository.ts";
import type { AutomationGit } from "../objects/image-update-automation.ts";
import { branchRef, isObjectId, parseRefspec, type Refspec, tagRef, wholeRef } from "./ref-name.ts";

/** What is checked out. */
export type CheckoutTarget =
  | { readonly kind: "ref"; readonly ref: string }
  | { readonly kind: "semver"; readonly range: string }
  | { readonly kind: "commit"; readonly commit: string; readonly branch: string };

export interface CheckoutPlan {
  readonly target: CheckoutTarget;
  readonly pushBranch: string;
  /** Whether what is checked out is not the branch that is pushed. */
  readonly switchesBranch: boolean;
  readonly refspec?: Refspec;
  readonly pushOptions: readonly string[];
}

/** The branch where nothing else is said, as of Flux. */
const defaultBranch = "master";

/**
 * What to check out, and where to push. The automation's own ref takes the place of the repository's as a whole;
 * a commit goes before a name, a tag, a range and a branch.
 * @throws FairleadError `config-invalid` where no branch to push can be told, or a name is none
 */
export function planCheckout(repositoryRef: GitRef | undefined, automation: AutomationGit): CheckoutPlan {
  const ref = automation.checkoutRef ?? repositoryRef;
  const target = targetOf(ref ?? {});
  const pushBranch = nonEmpty(automation.push?.branch) ?? nonEmpty(ref?.branch);
  if (pushBranch === undefined) {
    throw new FairleadError(
      "config-invalid",
      "it is not said which branch to push: spec.git.push.branch is not set, and the ref has no branch",
      {
        hint: "set spec.git.push.branch, or a branch in spec.git.checkout.ref or in the GitRepository's ref",
      },
    );
  }
  const switchesBranch = target.kind !== "ref" || target.ref !== branchRef(pushBranch);
  const refspec = nonEmpty(automation.push?.refspec);
  return {
    target,
    pushBranch,
    switchesBranch,
    ...(refspec === undefined ? {} : { refspec: parseRefspec(refspec) }),
    pushOptions: Object.entries(automation.push?.options ?? {})
      .toSorted(([left], [right]) => (left < right ? -1 : 1))
      .map(pushOption),
  };
}

function targetOf({ commit, name, tag, semver, branch }: GitRef): CheckoutTarget {
  const baseBranch = nonEmpty(branch) ?? defaultBranch;
  if (nonEmpty(commit) !== undefined) {
    if (!isObjectId(commit ?? "")) {
      throw new FairleadError("config-invalid", `${JSON.stringify(commit)} is no whole id of a commit`);
    }
    branchRef(baseBranch);
    return { kind: "commit", commit: commit ?? "", branch: baseBranch };
  }
  if (nonEmpty(name) !== undefined) return { kind: "ref", ref: wholeRef(name ?? "") };
  if (nonEmpty(tag) !== undefined) return { kind: "ref", ref: tagRef(tag ?? "") };
  if (nonEmpty(semver) !== undefined) return { kind: "semver", range: semver ?? "" };
  return { kind: "ref", ref: branchRef(baseBranch) };
}

/** An option without a value is given by its name alone, as git's own users do. */
function pushOption([key, value]: readonly [string, string]): string {
  if (/[\u0000\n]/u.test(key + value) || key === "") {
    throw new FairleadError(
      "config-invalid",
      `the push option ${JSON.stringify(key)} has a line end or no name`,
    );
  }
  return value === "" ? key : `${key}=${value}`;
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === "" ? undefined : text;
}
