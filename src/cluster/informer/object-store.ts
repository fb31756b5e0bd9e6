import type { ApiObject } from "../api/api-object.ts";

/** Names under which an object is found. */
export type IndexKeys<Item extends ApiObject> = (object: Item) => readonly string[];

/** What was last seen of the objects of a kind. */
export interface ReadableStore<Item extends ApiObject> {
  readonly size: number;
  /** An object by its name; those of kinds without namespaces have none. */
  get(namespace: string | undefined, name: string): Item | undefined;
  /** All, or those of one namespace. */
  list(namespace?: string): readonly Item[];
  /** What an index has under a key. @throws RangeError for an index that was not asked for */
  byIndex(index: string, key: string): readonly Item[];
}

const namespaceIndex = "namespace";

/** The key of an object among those of its kind. */
export function keyOf({ metadata: { namespace, name } }: ApiObject): string {
  return `${namespace ?? ""}/${name}`;
}

/** Objects by namespace and name, and by the indexes that are asked for. */
export class ObjectStore<Item extends ApiObject> implements ReadableStore<Item> {
  readonly #objects = new Map<string, Item>();
  readonly #indexes: readonly (readonly [string, IndexKeys<Item>, Map<string, Map<string, Item>>])[];

  constructor(indexes: Readonly<Record<string, IndexKeys<Item>>> = {}) {
    const all = { [namespaceIndex]: byNamespace, ...indexes };
    this.#indexes = Object.entries(all).map(([name, keys]) => [name, keys, new Map()]);
  }

  get size(): number {
    return this.#objects.size;
  }

  get(namespace: string | undefined, name: string): Item | undefined {
    return this.#objects.get(`${namespace ?? ""}/${name}`);
  }

  list(namespace?: string): readonly Item[] {
    return namespace === undefined ? [...this.#objects.values()] : this.byIndex(namespaceIndex, namespace);
  }

  byIndex(index: string, key: string): readonly Item[] {
    const found = this.#indexes.find(([name]) => name === index);
    if (found === undefined) throw new RangeError(`there is no index ${index}`);
    return [...(found[2].get(key)?.values() ?? [])];
  }

  /** Puts an object in the place of the one of its name, which it gives. */
  put(object: Item): Item | undefined {
    const old = this.remove(object);
    const id = keyOf(object);
    this.#objects.set(id, object);
    for (const [, keysOf, entries] of this.#indexes) {
      for (const key of keysOf(object)) {
        const under = entries.get(key) ?? new Map<string, Item>();
        entries.set(key, under.set(id, object));
      }
    }
    return old;
  }

  /** Takes out the object of this one's name, and gives it. */
  remove(object: ApiObject): Item | undefined {
    const id = keyOf(object);
    const old = this.#objects.get(id);
    if (old === undefined) return undefined;
    this.#objects.delete(id);
    for (const [, keysOf, entries] of this.#indexes) {
      for (const key of keysOf(old)) {
        const under = entries.get(key);
        under?.delete(id);
        if (under?.size === 0) entries.delete(key);
      }
    }
    return old;
  }
}

function byNamespace({ metadata }: ApiObject): readonly string[] {
  return [metadata.namespace ?? ""];
}
