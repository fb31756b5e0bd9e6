import { FairleadError } from "../../core/error.ts";
import type { HelmVersion } from "../chart/chart.ts";
import { plainText } from "../go/text.ts";
import { fromBytes } from "../go/utf8.ts";
import { GoError, type Text } from "../go/value.ts";
import { installOrder } from "./install-order.ts";
import { readHead, type ManifestHead } from "./manifest-head.ts";
import { splitManifests, trimmed } from "./split-manifests.ts";
import { isPartial } from "./top-level-values.ts";

/** One document that a chart renders. */
export interface Manifest {
  /** The template that made it, as Helm names it: what stands after `# Source: `. */
  readonly source: string;
  /** Without separators. */
  readonly text: Text;
  readonly head: ManifestHead;
}

/** A manifest that Helm applies at an event of its own. */
export interface Hook extends Manifest {
  readonly events: readonly HookEvent[];
  readonly weight: number;
}

type HookEvent =
  | "pre-install"
  | "post-install"
  | "pre-delete"
  | "post-delete"
  | "pre-upgrade"
  | "post-upgrade"
  | "pre-rollback"
  | "post-rollback"
  | "test";

const hookEvents: ReadonlyMap<string, HookEvent> = new Map<string, HookEvent>([
  ["pre-install", "pre-install"],
  ["post-install", "post-install"],
  ["pre-delete", "pre-delete"],
  ["post-delete", "post-delete"],
  ["pre-upgrade", "pre-upgrade"],
  ["post-upgrade", "post-upgrade"],
  ["pre-rollback", "pre-rollback"],
  ["post-rollback", "post-rollback"],
  ["test", "test"],
  ["test-success", "test"],
]);

interface SortedManifests {
  readonly manifests: readonly Manifest[];
  readonly hooks: readonly Hook[];
  /** The annotations of hooks that Helm leaves out because it does not know their event. */
  readonly unknownHooks: readonly string[];
}

/**
 * Takes rendered files apart into manifests and hooks, both in the order in which Helm installs them
 * (pkg/releaseutil/manifest_sorter.go).
 * @throws FairleadError `render-failed` for a document that is no YAML map
 */
export function sortManifests(files: ReadonlyMap<string, Text>, helm: HelmVersion): SortedManifests {
  const manifests: Manifest[] = [];
  const hooks: Hook[] = [];
  const unknownHooks: string[] = [];
  for (const source of [...files.keys()].sort()) {
    const file = files.get(source) ?? "";
    if (isPartial(source) || isBlankText(plainText(file))) continue;
    for (const text of splitManifests(file, helm)) {
      const head = readHeadOf(text, source, helm);
      const annotation = head.annotations.get("helm.sh/hook");
      if (annotation === undefined) manifests.push({ source, text, head });
      else {
        const events = tryReadEvents(annotation);
        if (events === undefined) unknownHooks.push(annotation);
        else hooks.push({ source, text, head, events, weight: weightOf(head) });
      }
    }
  }
  return { manifests: sortByKind(manifests, helm), hooks: sortByKind(hooks, helm), unknownHooks };
}

/** Whether there is nothing but white space. */
function isBlankText(text: string): boolean {
  const { start, end } = trimmed(text, 0, text.length);
  return start === end;
}

function readHeadOf(text: Text, source: string, helm: HelmVersion): ManifestHead {
  try {
    return readHead(plainText(text), helm);
  } catch (cause) {
    if (!(cause instanceof GoError)) throw cause;
    const file = fromBytes(source);
    const message = `YAML parse error on ${file}: ${cause.message}`;
    throw new FairleadError("render-failed", message, { where: { file }, cause });
  }
}

function tryReadEvents(annotation: string): readonly HookEvent[] | undefined {
  const events = annotation.split(",").map((name) => hookEvents.get(name.trim().toLowerCase()));
  return events.every((event) => event !== undefined) ? events : undefined;
}

function weightOf({ annotations }: ManifestHead): number {
  const text = annotations.get("helm.sh/hook-weight") ?? "";
  return /^[-+]?[0-9]{1,18}$/u.test(text) ? Number(text) : 0;
}

/** Known kinds in Helm's order, then the others by name; what is of one kind keeps its order. */
function sortByKind<Item extends Manifest>(items: readonly Item[], helm: HelmVersion): readonly Item[] {
  const order = installOrder(helm);
  return items.toSorted((left, right) => {
    const leftRank = order.get(left.head.kind) ?? Infinity;
    const rightRank = order.get(right.head.kind) ?? Infinity;
    if (leftRank !== rightRank) return leftRank - rightRank;
    if (left.head.kind === right.head.kind) return 0;
    return left.head.kind < right.head.kind ? -1 : 1;
  });
}
