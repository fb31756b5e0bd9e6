import { excerpt } from "../../core/escape.ts";
import { type GitContext, gitFailure, tryGit } from "./git-command.ts";

export interface PushRequest {
  readonly folder: string;
  /** A ref or `HEAD`. */
  readonly source: string;
  readonly target: string;
  /**
   * The commit that the target has to be at, an empty text where it must not exist yet: then commits that are not
   * in the source may be left behind, but none that nobody looked at. Undefined: the target only goes forward.
   */
  readonly lease?: string;
  readonly options: readonly string[];
}

export type PushResult =
  | { readonly kind: "pushed" }
  /** The server, or the lease, said no to the ref; whether somebody was faster tells the ref. */
  | { readonly kind: "rejected"; readonly reason: string };

/**
 * Pushes to one ref.
 * @throws FairleadError `git-failed` where it did not come to a decision about the ref, and as {@link tryGit}
 */
export async function pushRef(request: PushRequest, context: GitContext): Promise<PushResult> {
  const { folder, source, target, lease, options } = request;
  const args = [
    "push",
    "--porcelain",
    "--no-verify",
    ...(lease === undefined ? [] : [`--force-with-lease=${target}:${lease}`]),
    ...options.map((option) => `--push-option=${option}`),
    "--end-of-options",
    "origin",
    `${source}:${target}`,
  ];
  const result = await tryGit(args, context, { cwd: folder });
  if (result.exitCode === 0) return { kind: "pushed" };
  const reasons = result.stdout.split("\n").flatMap((line) => {
    const [flag, , summary = ""] = line.split("\t");
    return flag === "!" ? [summary] : [];
  });
  if (reasons.length === 0) throw gitFailure(args, result, context);
  const said = result.stderr.split("\n").filter((line) => line.startsWith("remote: "));
  const told = [...reasons, ...said.map((line) => line.slice("remote: ".length).trim())].filter(
    (line) => line !== "",
  );
  return { kind: "rejected", reason: excerpt(context.redact(told.join("; ")), 1000) };
}
