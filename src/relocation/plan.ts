import type { Diagnostic } from "../core/diagnostic.ts";
import { formatValuePath, type ValuePath } from "../yaml/value-path.ts";
import type { ImageSite, NameLeaf } from "./discover/image-site.ts";
import type { Relocation, Relocator, ScopeAnswer } from "./relocator.ts";

/** A string leaf that the override sets. */
export interface LeafEdit {
  readonly path: ValuePath;
  readonly from: string;
  readonly to: string;
}

export interface PlannedImage {
  readonly site: ImageSite;
  readonly scope: ScopeAnswer;
  /** Where an image in scope goes; absent for the others. */
  readonly relocation?: Relocation;
  /** Why an image in scope is not set by the override; absent where it is. */
  readonly obstacle?: string;
}

export interface Plan {
  readonly images: readonly PlannedImage[];
  /** What the override sets, in the order of the values; no two have one path. */
  readonly edits: readonly LeafEdit[];
  readonly diagnostics: readonly Diagnostic[];
}

interface Move {
  readonly site: ImageSite;
  readonly relocation: Relocation;
}

/**
 * Plans the fewest leaves that move every image in scope. Where the registry is a leaf of its own and the
 * path stays, that one leaf is set; several images that share a leaf must agree on it, and an image that is
 * out of scope must not hang on it.
 * @param isFixed why a leaf cannot be set by an override, or undefined where it can.
 */
export function planMoves(
  sites: readonly ImageSite[],
  relocator: Relocator,
  isFixed: (path: ValuePath) => string | undefined = () => undefined,
): Plan {
  const moves: Move[] = [];
  const stays: ImageSite[] = [];
  const scopes = new Map<ImageSite, ScopeAnswer>();
  for (const site of sites) {
    const scope = relocator.scopeOf(site.reference);
    scopes.set(site, scope);
    if (scope === "in-scope") moves.push({ site, relocation: relocator.relocate(site.reference) });
    else stays.push(site);
  }
  const edits = new Map<string, LeafEdit>();
  const obstacles = new Map<ImageSite, string>();
  const diagnostics: Diagnostic[] = [];
  const taken = new Map(stays.flatMap((site) => site.name.map((leaf) => [keyOf(leaf.path), site] as const)));
  for (const group of groupByFirstLeaf(moves)) {
    for (const [move, wanted] of editsOfGroup(group)) {
      const obstacle =
        violationOf(move) ?? conflictOf(move.site, wanted, edits, taken) ?? fixedLeafOf(wanted, isFixed);
      if (obstacle === undefined) for (const edit of wanted) edits.set(keyOf(edit.path), edit);
      else {
        obstacles.set(move.site, obstacle);
        diagnostics.push(obstacleDiagnostic(move, obstacle));
      }
    }
  }
  const relocations = new Map(moves.map((move) => [move.site, move.relocation]));
  const images = sites.map((site): PlannedImage => {
    const relocation = relocations.get(site);
    const obstacle = obstacles.get(site);
    return {
      site,
      scope: scopes.get(site) ?? "out-of-scope",
      ...(relocation === undefined ? {} : { relocation }),
      ...(obstacle === undefined ? {} : { obstacle }),
    };
  });
  return { images, edits: [...edits.values()].filter((edit) => edit.from !== edit.to), diagnostics };
}

/** Images whose first leaf is one and the same must be planned together. */
function groupByFirstLeaf(moves: readonly Move[]): Move[][] {
  const groups = new Map<string, Move[]>();
  for (const move of moves) {
    const key = keyOf(move.site.name[0].path);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [move]);
    else group.push(move);
  }
  return [...groups.values()];
}

function editsOfGroup(group: readonly Move[]): [Move, readonly LeafEdit[]][] {
  const firsts = group.map((move) => firstLeafAlone(move));
  const shared = firsts[0];
  if (shared !== undefined && firsts.every((text) => text === shared)) {
    return group.map((move) => [move, [editOf(move.site.name[0], shared)]]);
  }
  return group.map((move) => [move, editsOfEveryLeaf(move)]);
}

/** The text of the first leaf that moves the image while every other leaf stays; undefined if none does. */
function firstLeafAlone({ site, relocation }: Move): string | undefined {
  const target = nameOf(relocation);
  const [, ...rest] = site.name;
  if (rest.length === 0) return target;
  const tail = `/${rest.map((leaf) => leaf.text).join("/")}`;
  return target.endsWith(tail) ? target.slice(0, -tail.length) : undefined;
}

/** Sets the first leaf to the target's host and the second to what the leaves after it leave of the path. */
function editsOfEveryLeaf({ site, relocation }: Move): LeafEdit[] {
  const [first, second, ...rest] = site.name;
  const { registry, path } = relocation.reference;
  if (second === undefined) return [editOf(first, nameOf(relocation))];
  const tail = rest.map((leaf) => `/${leaf.text}`).join("");
  if (tail === "" || path.endsWith(tail)) {
    return [editOf(first, registry), editOf(second, path.slice(0, path.length - tail.length))];
  }
  const last = rest.at(-1) ?? second;
  const slash = path.lastIndexOf("/");
  return [editOf(first, registry), editOf(second, path.slice(0, slash)), editOf(last, path.slice(slash + 1))];
}

function editOf(leaf: NameLeaf, name: string): LeafEdit {
  return {
    path: leaf.path,
    from: `${leaf.prefix}${leaf.text}${leaf.suffix}`,
    to: `${leaf.prefix}${name}${leaf.suffix}`,
  };
}

function violationOf({ relocation }: Move): string | undefined {
  const violation = relocation.violations[0];
  return violation === undefined ? undefined : `${violation.message} (rule ${violation.rule})`;
}

function conflictOf(
  site: ImageSite,
  wanted: readonly LeafEdit[],
  edits: ReadonlyMap<string, LeafEdit>,
  taken: ReadonlyMap<string, ImageSite>,
): string | undefined {
  for (const edit of wanted) {
    const key = keyOf(edit.path);
    const other = edits.get(key);
    const where = formatValuePath(edit.path);
    if (other !== undefined && other.to !== edit.to) {
      return `${where} would have to be ${other.to} and ${edit.to} at once`;
    }
    const stays = taken.get(key);
    if (stays !== undefined && stays !== site) {
      return `${where} also makes ${stays.text}, which stays where it is`;
    }
  }
  return undefined;
}

function fixedLeafOf(
  wanted: readonly LeafEdit[],
  isFixed: (path: ValuePath) => string | undefined,
): string | undefined {
  for (const edit of wanted) {
    const reason = isFixed(edit.path);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

function obstacleDiagnostic({ site, relocation }: Move, obstacle: string): Diagnostic {
  return {
    code: relocation.violations.length > 0 ? "target-rule-broken" : "image-not-moved",
    severity: "error",
    message: `${site.text} is not moved: ${obstacle}`,
    where: { valuePath: formatValuePath(site.path) },
  };
}

function nameOf({ reference }: Relocation): string {
  return `${reference.registry}/${reference.path}`;
}

function keyOf(path: ValuePath): string {
  return JSON.stringify(path);
}
