import { FairleadError } from "../../core/error.ts";

const maxLength = 1000;

/** Whether a text may name a ref, such as `refs/heads/main` (git-check-ref-format). */
export function isRefName(text: string): boolean {
  if (text === "" || text === "@" || text.length > maxLength || text.startsWith("-")) return false;
  if (text.endsWith(".") || text.includes("..") || text.includes("@{")) return false;
  if (/[\u0000-\u0020\u007f~^:?*[\\]/u.test(text) || !text.isWellFormed()) return false;
  return text.split("/").every((part) => part !== "" && !part.startsWith(".") && !part.endsWith(".lock"));
}

/** The ref of a branch. @throws FairleadError `config-invalid` */
export function branchRef(branch: string): string {
  return namedRef("branch", "refs/heads/", branch);
}

/** The ref of a tag. @throws FairleadError `config-invalid` */
export function tagRef(tag: string): string {
  return namedRef("tag", "refs/tags/", tag);
}

/** A whole ref such as `refs/pull/420/head`. @throws FairleadError `config-invalid` */
export function wholeRef(name: string): string {
  if (!name.startsWith("refs/")) {
    throw new FairleadError("config-invalid", `${JSON.stringify(name)} is no whole ref`, {
      hint: "a ref's name begins with refs/, such as refs/heads/main",
    });
  }
  return namedRef("ref", "", name);
}

function namedRef(noun: string, prefix: string, name: string): string {
  if (isRefName(prefix + name) && !name.startsWith("-")) return prefix + name;
  throw new FairleadError("config-invalid", `${JSON.stringify(name)} is no name of a ${noun}`);
}

/** Whether a text is the id of an object in full. */
export function isObjectId(text: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/u.test(text);
}

export interface Refspec {
  readonly source: string;
  readonly target: string;
  /** Whether the target may lose commits. */
  readonly force: boolean;
}

/**
 * Reads what is pushed where, such as `refs/heads/main:refs/heads/auto`, `HEAD:refs/for/main` or one ref for both.
 * Short names are branches. A refspec that deletes, or that forces more than one ref, is refused.
 * @throws FairleadError `config-invalid`
 */
export function parseRefspec(text: string): Refspec {
  const force = text.startsWith("+");
  const parts = (force ? text.slice(1) : text).split(":");
  const [source = "", target = source] = parts;
  const invalid = (reason: string): FairleadError =>
    new FairleadError("config-invalid", `the refspec ${JSON.stringify(text)} ${reason}`);
  if (parts.length > 2 || !isSide(source)) throw invalid("names no ref to push");
  if (!isSide(target) || target === "HEAD") throw invalid("names no ref to push to");
  const isPattern = source.includes("*");
  if (isPattern !== target.includes("*")) throw invalid("has a pattern on one side only");
  if (isPattern && force) throw invalid("would force more than one ref");
  return { source: fullRef(source), target: fullRef(target), force };
}

function isSide(name: string): boolean {
  return isRefName(name.replace("*", "x"));
}

function fullRef(name: string): string {
  return name === "HEAD" || name.startsWith("refs/") ? name : `refs/heads/${name}`;
}
