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
 * A move with what each of its leaves has to be, those that stay as they are included; undefined where no text
 * of its leaves makes the target.
 */
interface Draft {
  readonly move: Move;
  readonly edits: readonly LeafEdit[] | undefined;
}

/** Why a leaf cannot be set by an override, or undefined where it can. */
type FixedLeafRule = (path: ValuePath) => string | undefined;

/**
 * Plans the fewest leaves that move every image in scope. Where the registry is a leaf of its own and the
 * path stays, that one leaf is set; images that share a leaf must agree on it, and no leaf is set that also
 * makes an image that stays, be it out of scope or unable to move.
 * @param isFixed default: every leaf can be set.
 */
export function planMoves(
  sites: readonly ImageSite[],
  relocator: Relocator,
  isFixed: FixedLeafRule = () => undefined,
): Plan {
  const scopes = new Map(sites.map((site) => [site, relocator.scopeOf(site.reference)]));
  const moves = sites
    .filter((site) => scopes.get(site) === "in-scope")
    .map((site): Move => ({ site, relocation: relocator.relocate(site.reference) }));
  const stays = sites.filter((site) => scopes.get(site) !== "in-scope");
  const { edits, obstacles } = settle(moves, stays, isFixed);
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
  const diagnostics = moves.flatMap((move) => {
    const obstacle = obstacles.get(move.site);
    return obstacle === undefined ? [] : [obstacleDiagnostic(move, obstacle)];
  });
  return { images, edits, diagnostics };
}

/** Drops moves that meet an obstacle until the others do not touch them. */
function settle(
  moves: readonly Move[],
  stays: readonly ImageSite[],
  isFixed: FixedLeafRule,
): { readonly edits: readonly LeafEdit[]; readonly obstacles: ReadonlyMap<ImageSite, string> } {
  const obstacles = new Map<ImageSite, string>();
  for (const move of moves) {
    const violation = violationOf(move);
    if (violation !== undefined) obstacles.set(move.site, violation);
  }
  for (;;) {
    const drafts = draftEdits(moves.filter(({ site }) => !obstacles.has(site)));
    const found = findObstacles(drafts, [...stays, ...obstacles.keys()], isFixed);
    if (found.size === 0) return { edits: joinEdits(drafts), obstacles };
    for (const [site, obstacle] of found) obstacles.set(site, obstacle);
  }
}

/** Images whose first leaf is one and the same are drafted together. */
function draftEdits(moves: readonly Move[]): Draft[] {
  const groups = new Map<string, Move[]>();
  for (const move of moves) {
    const key = keyOf(move.site.name[0].path);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [move]);
    else group.push(move);
  }
  return [...groups.values()].flatMap(draftGroup);
}

function draftGroup(group: readonly Move[]): Draft[] {
  const firsts = group.map((move) => firstLeafAlone(move));
  const shared = firsts[0];
  if (shared !== undefined && firsts.every((text) => text === shared)) {
    return group.map((move) => {
      const [first, ...rest] = move.site.name;
      return { move, edits: [editOf(first, shared), ...rest.map(keep)] };
    });
  }
  return group.map((move, index) => {
    const alone = move.site.name.length === 1 ? firsts[index] : undefined;
    if (alone !== undefined) return { move, edits: [editOf(move.site.name[0], alone)] };
    return { move, edits: editsOfEveryLeaf(move) ?? editsOfWhole(move) };
  });
}

function joinEdits(drafts: readonly Draft[]): LeafEdit[] {
  const edits = new Map<string, LeafEdit>();
  for (const edit of drafts.flatMap((draft) => draft.edits ?? [])) edits.set(keyOf(edit.path), edit);
  return [...edits.values()].filter((edit) => edit.from !== edit.to);
}

/** The text of the first leaf that moves the image while every other leaf stays; undefined if none does. */
function firstLeafAlone({ site, relocation }: Move): string | undefined {
  const target = nameOf(relocation);
  const [, ...rest] = site.name;
  const tail = `${rest.map(withJoint).join("")}${site.tail ?? ""}`;
  return target.endsWith(tail) ? target.slice(0, target.length - tail.length) : undefined;
}

function withJoint({ joint = "/", text }: NameLeaf): string {
  return `${joint}${text}`;
}

/**
 * Sets the first leaf to the target's host and the second to what the leaves after it leave of the path;
 * undefined where they leave nothing.
 */
function editsOfEveryLeaf({ site, relocation }: Move): LeafEdit[] | undefined {
  const [first, second, ...rest] = site.name;
  const { registry, path } = relocation.reference;
  if (second === undefined || (second.joint ?? "/") !== "/") return undefined;
  const tail = `${rest.map(withJoint).join("")}${site.tail ?? ""}`;
  if (!path.endsWith(tail) || path.length === tail.length) return undefined;
  const middle = path.slice(0, path.length - tail.length);
  return [editOf(first, registry), editOf(second, middle), ...rest.map(keep)];
}

function editsOfWhole({ site, relocation }: Move): LeafEdit[] | undefined {
  return site.whole && [editOf(site.whole, nameOf(relocation))];
}

function keep(leaf: NameLeaf): LeafEdit {
  return editOf(leaf, leaf.text);
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

function findObstacles(
  drafts: readonly Draft[],
  stays: readonly ImageSite[],
  isFixed: FixedLeafRule,
): Map<ImageSite, string> {
  const taken = new Map(stays.flatMap((site) => site.name.map((leaf) => [keyOf(leaf.path), site] as const)));
  const texts = new Map<string, Set<string>>();
  for (const { path, to } of drafts.flatMap((draft) => draft.edits ?? [])) {
    texts.set(keyOf(path), (texts.get(keyOf(path)) ?? new Set<string>()).add(to));
  }
  const obstacles = new Map<ImageSite, string>();
  for (const { move, edits } of drafts) {
    const obstacle =
      edits === undefined
        ? "the values that make it have more parts than its name at the target"
        : edits.map((edit) => obstacleAt(edit, texts, taken, isFixed)).find((text) => text !== undefined);
    if (obstacle !== undefined) obstacles.set(move.site, obstacle);
  }
  return obstacles;
}

function obstacleAt(
  { path, from, to }: LeafEdit,
  texts: ReadonlyMap<string, ReadonlySet<string>>,
  taken: ReadonlyMap<string, ImageSite>,
  isFixed: FixedLeafRule,
): string | undefined {
  const wanted = [...(texts.get(keyOf(path)) ?? [])];
  if (wanted.length > 1) return `${formatValuePath(path)} would have to be ${wanted.join(" and ")} at once`;
  if (from === to) return undefined;
  const stays = taken.get(keyOf(path));
  if (stays !== undefined)
    return `${formatValuePath(path)} also makes ${stays.text}, which stays where it is`;
  return isFixed(path);
}

function obstacleDiagnostic({ site, relocation }: Move, obstacle: string): Diagnostic {
  return {
    code: relocation.violations.length > 0 ? "target-rule-broken" : "image-not-moved",
    severity: "error",
    message: `${site.text} is not moved: ${obstacle}`,
    where: { valuePath: formatValuePath(site.path) },
    image: site.text,
  };
}

function nameOf({ reference }: Relocation): string {
  return `${reference.registry}/${reference.path}`;
}

function keyOf(path: ValuePath): string {
  return JSON.stringify(path);
}
