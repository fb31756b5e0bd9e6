import { createHash } from "node:crypto";
import type { Notification } from "../event.ts";
import { isProgressing, reasonWords } from "./object-name.ts";
import type { ProviderSettings } from "./provider.ts";
import { unusable } from "./request.ts";
import { truncate } from "./truncate.ts";

/** What is said of a commit, in no system's own words. */
export interface CommitStatus {
  readonly sha: string;
  readonly state: "success" | "failure" | "pending";
  readonly context: string;
  readonly description: string;
  /** `kind/name` in lower case. */
  readonly name: string;
}

/**
 * The status that an event gives to its commit; undefined for an event that says nothing of its outcome.
 * @param limits what the system takes, in code points
 * @throws FairleadError `delivery-failed` for an event without a commit
 */
export function commitStatusOf(
  notification: Notification,
  settings: ProviderSettings,
  limits: { readonly description: number; readonly context: number },
): CommitStatus | undefined {
  const { event } = notification;
  if (event.severity === "trace") return undefined;
  const { kind, name } = event.involvedObject;
  const context = settings.commitStatus ?? defaultContext(notification, settings);
  const outcome = event.severity === "error" ? "failure" : "success";
  return {
    sha: commitOf(notification),
    state: isProgressing(event) ? "pending" : outcome,
    context: truncate(context, limits.context),
    description: truncate(reasonWords(event.reason), limits.description),
    name: `${kind}/${name}`.toLowerCase(),
  };
}

/** As {@link commitStatusOf}, for systems that are not told of what is going on. */
export function finalStatusOf(...args: Parameters<typeof commitStatusOf>): CommitStatus | undefined {
  const [notification, settings, limits] = args;
  return isProgressing(notification.event) ? undefined : commitStatusOf(notification, settings, limits);
}

/** The key of a status where it may have 40 characters only (Bitbucket). */
export function shortKey(context: string): string {
  return createHash("sha1").update(context).digest("hex");
}

/** Clusters differ by the first part of their provider's UID; without a UID, its name takes the place. */
function defaultContext({ event }: Notification, { uid, name: provider }: ProviderSettings): string {
  const { kind, name } = event.involvedObject;
  const cluster = uid === undefined || uid === "" ? provider : (uid.split("-", 1)[0] ?? "");
  return `${kind}/${name}/${cluster}`.toLowerCase();
}

/**
 * The commit that an event is about: `commit`, then `originRevision`, then `revision`, in any of Flux's spellings
 * (`main@sha1:<hash>`, `sha1:<hash>`, `main/<hash>`, `<hash>`).
 */
function commitOf({ metadata }: Notification): string {
  const revision = metadata["commit"] ?? metadata["originRevision"] ?? metadata["revision"];
  if (revision === undefined) {
    throw unusable(
      "the event names no commit",
      "its metadata has none of commit, originRevision and revision",
    );
  }
  const hash = revision.slice(Math.max(revision.lastIndexOf(":"), revision.lastIndexOf("/")) + 1);
  if (/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/iu.test(hash)) return hash;
  throw unusable("the revision of the event is no commit");
}
