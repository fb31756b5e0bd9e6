import { memberOf, textOf } from "./exchange.ts";

/** How much of a list of statuses or comments is read: a comment may have 64 KiB, and a page has a hundred. */
export const maxListBytes: number = 8 * 1024 * 1024;

/** The members of a JSON list; empty for what is none. */
export function itemsOf(list: unknown): readonly unknown[] {
  return Array.isArray(list) ? list : [];
}

/**
 * Whether the newest status of a context, which stands first, is this one already. A status that lacks one of
 * these is passed over.
 */
export function isCurrent(
  list: unknown,
  status: { readonly context: string; readonly state: string; readonly description: string },
  stateKey: string = "state",
): boolean {
  const newest = itemsOf(list).find(
    (item) =>
      textOf(item, "context") === status.context &&
      textOf(item, stateKey) !== "" &&
      typeof memberOf(item, "description") === "string",
  );
  return (
    newest !== undefined &&
    textOf(newest, stateKey) === status.state &&
    textOf(newest, "description") === status.description
  );
}
