import { createHash } from "node:crypto";

const maxNameLength = 63;
const hashLength = 8;

/** A text as a name of Kubernetes' (a DNS label), such as `shop-bitnami-redis`; what is too long ends in a hash. */
export function objectNameOf(text: string): string {
  const name = slugOf(text);
  return name !== "" && name.length <= maxNameLength ? name : withHash(name, text);
}

/**
 * Names for things, each by the first of its texts that no other thing has for a name too, else with a hash. The
 * order of the things makes no difference.
 * @param textsOf texts that tell a thing, from the shortest to the one that is its alone
 */
export function namesFor<Thing>(
  things: readonly Thing[],
  textsOf: (thing: Thing) => readonly [string, ...string[]],
): ReadonlyMap<Thing, string> {
  const depth = Math.max(0, ...things.map((thing) => textsOf(thing).length));
  const names = new Map<Thing, string>();
  let unnamed: readonly Thing[] = things;
  for (let index = 0; index < depth; index++) {
    const groups = Map.groupBy(unnamed, (thing) => objectNameOf(textsOf(thing)[index] ?? textsOf(thing)[0]));
    const taken = new Set(names.values());
    for (const [name, [thing, ...others]] of groups) {
      if (thing !== undefined && others.length === 0 && !taken.has(name)) names.set(thing, name);
    }
    unnamed = unnamed.filter((thing) => !names.has(thing));
  }
  for (const thing of unnamed) {
    const text = textsOf(thing).at(-1) ?? "";
    names.set(thing, withHash(slugOf(text), text));
  }
  return names;
}

function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/gu, "-")
    .replaceAll(/^-|-$/gu, "");
}

function withHash(slug: string, text: string): string {
  const hash = createHash("sha256").update(text).digest("hex").slice(0, hashLength);
  const start = slug.slice(0, maxNameLength - hashLength - 1).replace(/-$/u, "");
  return start === "" ? `image-${hash}` : `${start}-${hash}`;
}
