import type { Stats } from "node:fs";
import type { Diagnostic } from "../../core/diagnostic.ts";
import { applySetters } from "./apply-setters.ts";
import type { SetterChange } from "./setter-change.ts";
import type { SetterPolicies } from "./setter-value.ts";
import { visitMarkedFiles, type WalkOptions } from "./tree-walk.ts";

/** A file whose marked scalars get other values. */
export interface FileUpdate {
  /** From the tree's root, with `/` between its steps. */
  readonly path: string;
  readonly changes: readonly SetterChange[];
  readonly before: string;
  readonly after: string;
  /** Of the file as it was read. */
  readonly stats: Stats;
}

/** What the policies change in a tree; nothing is written yet. */
export interface TreeUpdate {
  /** By their paths. */
  readonly files: readonly FileUpdate[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Finds what policies change in the marked files of a folder.
 * @throws FairleadError as `visitMarkedFiles`
 */
export async function planTreeUpdate(
  root: string,
  policies: SetterPolicies,
  options: WalkOptions = {},
): Promise<TreeUpdate> {
  const files: FileUpdate[] = [];
  const findings: Diagnostic[] = [];
  const walked = await visitMarkedFiles(root, options, ({ path, text, stats }) => {
    const { text: after, changes, diagnostics } = applySetters(text, policies, path);
    findings.push(...diagnostics);
    if (changes.length > 0) files.push({ path, changes, before: text, after, stats });
  });
  files.sort((left, right) => (left.path < right.path ? -1 : 1));
  const diagnostics = [...walked, ...findings].sort((left, right) =>
    compare(left.where.file ?? "", right.where.file ?? ""),
  );
  return { files, diagnostics };
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
