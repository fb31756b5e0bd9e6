import type { Notification } from "../event.ts";
import { escapeMarkdown } from "./escape-markup.ts";
import { memberOf } from "./exchange.ts";
import { markdownPost } from "./markdown-post.ts";
import type { ProviderSettings } from "./provider.ts";
import { unusable } from "./request.ts";

/** A comment that one object has on a change request; it is written once, and changed from then on. */
export interface ChangeRequestComment {
  /** The number of the pull or merge request. */
  readonly number: string;
  /** What the comment is found by: a comment of HTML, which is not shown. */
  readonly marker: string;
  readonly body: string;
}

/** GitHub takes 65,536 characters, and the others as many. */
const maxLength = 60_000;
const maxPages = 50;

/** How many comments a page has. */
export const commentPageSize: number = 100;

/**
 * The comment for an event.
 * @param prefix what Flux begins its markers with
 * @throws FairleadError `delivery-failed` for an event that names no change request
 */
export function commentOf(
  notification: Notification,
  settings: ProviderSettings,
  prefix: "flux-pr-comment-key" | "flux-mr-comment-key",
): ChangeRequestComment {
  const number = notification.metadata["change_request"] ?? "";
  if (!/^\d{1,15}$/u.test(number)) {
    throw unusable("the change_request in the metadata of the event is no number");
  }
  const { kind, namespace, name } = notification.event.involvedObject;
  const provider = settings.uid ?? `${settings.namespace}/${settings.name}`;
  // Neither part can end the comment.
  const key = [provider, kind, namespace, name].join("/").replace(/[<>\r\n]|--+/gu, "-");
  const marker = `<!-- ${prefix}:${key} -->`;
  return { number, marker, body: `${marker}\n\n${markdownPost(notification, escapeMarkdown, maxLength)}` };
}

/**
 * Looks for a comment page by page, in all of them.
 * @param readPage the comments of a page, counted from 1
 * @returns its ID; undefined where there is none
 */
export async function findComment(
  readPage: (page: number) => Promise<readonly unknown[]>,
  isOwn: (comment: unknown) => boolean,
): Promise<string | undefined> {
  let before: unknown;
  for (let page = 1; page <= maxPages; page += 1) {
    const comments = await readPage(page);
    const own = memberOf(comments.find(isOwn), "id");
    if (typeof own === "number" || typeof own === "string") return encodeURIComponent(String(own));
    const first = memberOf(comments[0], "id");
    // Gitea gives all of them at once, whatever page is asked for.
    if (comments.length < commentPageSize || first === before) return undefined;
    before = first;
  }
  return undefined;
}
