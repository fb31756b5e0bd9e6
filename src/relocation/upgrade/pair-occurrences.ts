import type { Occurrence } from "./occurrence.ts";

/** What stands in the new version where something stood in the old one. */
export type Pair = readonly [old: Occurrence, next: Occurrence];

export interface Pairing {
  readonly pairs: readonly Pair[];
  /** What has no partner. */
  readonly old: readonly Occurrence[];
  readonly next: readonly Occurrence[];
}

type KeyOf = (occurrence: Occurrence) => string | undefined;

/**
 * Finds for each image of the old version the one that took its place: by the object and container that it
 * stands in, by the values that make it, and by what it is.
 */
export function pairOccurrences(old: readonly Occurrence[], next: readonly Occurrence[]): Pairing {
  const leftOld = new Set(old);
  const leftNext = new Set(next);
  const pairs: Pair[] = [];
  const oldRepositories = new Set(old.map(({ repository }) => repository));
  const nextRepositories = new Set(next.map(({ repository }) => repository));
  const take = (pair: Pair): void => {
    pairs.push(pair);
    leftOld.delete(pair[0]);
    leftNext.delete(pair[1]);
  };
  const takeEqual = (within: KeyOf, identityOf: KeyOf): void => {
    const key: KeyOf = (found) => joinKeys(within(found), identityOf(found));
    const candidates = Map.groupBy(leftNext, key);
    for (const found of leftOld) {
      const wanted = key(found);
      const partner = wanted === undefined ? undefined : candidates.get(wanted)?.shift();
      if (partner !== undefined) take([found, partner]);
    }
  };
  const takeSuccessors = (within: KeyOf): void => {
    const olds = Map.groupBy(leftOld, within);
    for (const [key, [successor, ...more]] of Map.groupBy(leftNext, within)) {
      const [found, ...others] = olds.get(key) ?? [];
      if (key === undefined || found === undefined || successor === undefined) continue;
      if (others.length + more.length > 0) continue;
      // A repository that stays elsewhere, or was there before, has only changed places.
      if (nextRepositories.has(found.repository) || oldRepositories.has(successor.repository)) continue;
      take([found, successor]);
    }
  };
  for (const within of [placeOf, valuesOf]) {
    takeEqual(within, identityOf);
    takeEqual(within, repositoryOf);
    takeSuccessors(within);
  }
  takeEqual(anywhere, identityOf);
  return { pairs, old: [...leftOld], next: [...leftNext] };
}

function joinKeys(left: string | undefined, right: string | undefined): string | undefined {
  return left === undefined || right === undefined ? undefined : JSON.stringify([left, right]);
}

const anywhere: KeyOf = () => "";

const identityOf: KeyOf = ({ identity }) => identity;

const repositoryOf: KeyOf = ({ repository }) => repository;

/** The object and the container, or the field without the indexes of its lists, which shift. */
const placeOf: KeyOf = ({ place }) => {
  if (place === undefined) return undefined;
  const { kind, namespace, name, container, field } = place;
  const list = /(?:^|\.)(?<list>\w+)\[\d+\]\.image$/u.exec(field)?.groups?.["list"];
  const where = container === undefined ? field.replaceAll(/\[\d+\]/gu, "[]") : `${list ?? ""} ${container}`;
  return JSON.stringify([kind, namespace, name, where]);
};

const valuesOf: KeyOf = ({ values }) =>
  values.length === 0 ? undefined : JSON.stringify(values.map(({ valuePath = "" }) => valuePath));
