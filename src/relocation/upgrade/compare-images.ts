import type { ChartImages } from "../list-images.ts";
import type { ChangeKind, ImageChange, ImageVersion, UpgradeComparison } from "./image-change.ts";
import { occurrencesOf, type Occurrence } from "./occurrence.ts";
import { pairOccurrences, type Pair } from "./pair-occurrences.ts";
import { renamedValuesOf, uniqueRenamed } from "./renamed-values.ts";

/** Compares the images of two versions of a chart; both are rendered, or neither is. */
export function compareImages(old: ChartImages, next: ChartImages): UpgradeComparison {
  const before = occurrencesOf(old.images);
  const after = occurrencesOf(next.images);
  const { pairs, ...left } = pairOccurrences(before, after);
  const versions = { before: identitiesOf(before), after: identitiesOf(after) };
  const groups = Map.groupBy(pairs, ([from, to]) => JSON.stringify([from.identity, to.identity]));
  const images = [
    ...[...groups.values()].map((group) => changeOfPairs(group, versions)),
    ...changesOfOthers(
      left.old.filter(({ identity }) => !versions.after.all.has(identity)),
      left.next.filter(({ identity }) => !versions.before.all.has(identity)),
    ),
  ].toSorted(byRepository);
  return {
    old: old.chart,
    new: next.chart,
    rendered: old.rendered && next.rendered,
    counts: countsOf(images),
    images,
    renamedValues: uniqueRenamed(images.flatMap(({ renamedValues }) => renamedValues)),
    diagnostics: [...old.diagnostics, ...next.diagnostics],
  };
}

interface Identities {
  readonly all: ReadonlySet<string>;
  readonly rendered: ReadonlySet<string>;
}

function identitiesOf(occurrences: readonly Occurrence[]): Identities {
  const rendered = occurrences.filter(({ place }) => place !== undefined);
  return {
    all: new Set(occurrences.map(({ identity }) => identity)),
    rendered: new Set(rendered.map(({ identity }) => identity)),
  };
}

function changeOfPairs(
  pairs: readonly Pair[],
  versions: { readonly before: Identities; readonly after: Identities },
): ImageChange {
  const old = pairs.map(([from]) => from);
  const next = pairs.map(([, to]) => to);
  const [from] = old;
  const [to] = next;
  const kind = from === undefined || to === undefined ? "unchanged" : kindOf([from, to], versions);
  return changeOf(kind, old, next, renamedValuesOf(pairs));
}

function kindOf(
  [from, to]: Pair,
  { before, after }: { readonly before: Identities; readonly after: Identities },
): ChangeKind {
  if (from.repository !== to.repository) return "moved";
  if (from.identity !== to.identity) return "changed";
  const was = before.rendered.has(from.identity);
  const is = after.rendered.has(to.identity);
  if (was === is) return "unchanged";
  return is ? "switched-on" : "switched-off";
}

/** What stands nowhere in the other version: of one repository, the first of the old is the first of the new. */
function changesOfOthers(old: readonly Occurrence[], next: readonly Occurrence[]): ImageChange[] {
  const olds = Map.groupBy(old, ({ repository }) => repository);
  const news = Map.groupBy(next, ({ repository }) => repository);
  return [...new Set([...olds.keys(), ...news.keys()])].flatMap((repository) => {
    const from = byIdentity(olds.get(repository));
    const to = byIdentity(news.get(repository));
    return Array.from({ length: Math.max(from.length, to.length) }, (_, index) => {
      const [before = [], after = []] = [from[index], to[index]];
      const kind = before.length === 0 ? "added" : after.length === 0 ? "removed" : "changed";
      const pairs = before.flatMap((found, at): Pair[] => {
        const partner = after[at];
        return partner === undefined ? [] : [[found, partner]];
      });
      return changeOf(kind, before, after, renamedValuesOf(pairs));
    });
  });
}

function byIdentity(occurrences: readonly Occurrence[] = []): (readonly Occurrence[])[] {
  return [...Map.groupBy(occurrences, ({ identity }) => identity).values()];
}

function changeOf(
  change: ChangeKind,
  old: readonly Occurrence[],
  next: readonly Occurrence[],
  renamedValues: ImageChange["renamedValues"],
): ImageChange {
  const before = versionOf(old);
  const after = versionOf(next);
  return {
    change,
    repository: next[0]?.repository ?? old[0]?.repository ?? "",
    ...(before === undefined ? {} : { old: before }),
    ...(after === undefined ? {} : { new: after }),
    renamedValues,
  };
}

function versionOf(occurrences: readonly Occurrence[]): ImageVersion | undefined {
  const [first] = occurrences;
  if (first === undefined) return undefined;
  const places = occurrences.flatMap(({ place }) => place ?? []);
  const values = new Map(
    occurrences.flatMap((occurrence) => occurrence.values.map((where) => [where.valuePath, where] as const)),
  );
  const { source, spec } = first;
  return { source, spec, rendered: places.length > 0, places, values: [...values.values()] };
}

function countsOf(images: readonly ImageChange[]): Record<ChangeKind, number> {
  const count = (kind: ChangeKind): number => images.filter(({ change }) => change === kind).length;
  return {
    added: count("added"),
    removed: count("removed"),
    changed: count("changed"),
    moved: count("moved"),
    "switched-on": count("switched-on"),
    "switched-off": count("switched-off"),
    unchanged: count("unchanged"),
  };
}

function byRepository(left: ImageChange, right: ImageChange): number {
  const [a, b] = [left, right].map(({ repository, old, new: next }) =>
    JSON.stringify([repository, next?.source ?? old?.source]),
  );
  return (a ?? "") < (b ?? "") ? -1 : 1;
}
