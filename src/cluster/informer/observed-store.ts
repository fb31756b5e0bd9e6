import { messageOf } from "../../core/error.ts";
import type { Logger } from "../../core/log.ts";
import type { ApiObject } from "../api/api-object.ts";
import { type IndexKeys, keyOf, ObjectStore, type ReadableStore } from "./object-store.ts";

/** Told of what happens to objects, one at a time and in order, after the store has it. */
export interface ObjectHandler<Item extends ApiObject> {
  added?(object: Item): void;
  updated?(object: Item, old: Item): void;
  /** With what was last seen of it. */
  deleted?(object: Item): void;
}

/** A store whose changes are told. */
export class ObservedStore<Item extends ApiObject> {
  readonly #store: ObjectStore<Item>;
  readonly #log: Logger;
  /** A new list with each change, as a handler may subscribe others. */
  #handlers: readonly ObjectHandler<Item>[] = [];

  constructor(indexes: Readonly<Record<string, IndexKeys<Item>>> | undefined, log: Logger) {
    this.#store = new ObjectStore(indexes);
    this.#log = log;
  }

  get objects(): ReadableStore<Item> {
    return this.#store;
  }

  /** Tells a handler of all that is there and of what happens from now on, until what it gives is called. */
  subscribe(handler: ObjectHandler<Item>): () => void {
    this.#handlers = [...this.#handlers, handler];
    for (const object of this.#store.list()) this.#tell(handler, () => handler.added?.(object));
    return () => {
      this.#handlers = this.#handlers.filter((each) => each !== handler);
    };
  }

  /** Makes the store hold these, by their keys, and nothing else. */
  replace(found: ReadonlyMap<string, Item>): void {
    for (const old of this.#store.list()) {
      if (!found.has(keyOf(old))) this.remove(old);
    }
    for (const object of found.values()) this.put(object);
  }

  /** Keeps an object, unless it is in this state already. */
  put(object: Item): void {
    const old = this.#store.get(object.metadata.namespace, object.metadata.name);
    if (old !== undefined && isSameState(old, object)) return;
    // Another object of the same name came between.
    if (old !== undefined && old.metadata.uid !== object.metadata.uid) this.remove(old);
    const replaced = this.#store.put(object);
    for (const handler of this.#handlers) {
      this.#tell(handler, () =>
        replaced === undefined ? handler.added?.(object) : handler.updated?.(object, replaced),
      );
    }
  }

  /** Takes out what has the name of an object, whose last state this is. */
  remove(object: Item): void {
    if (this.#store.remove(object) === undefined) return;
    for (const handler of this.#handlers) this.#tell(handler, () => handler.deleted?.(object));
  }

  /** A handler's mistake is no reason to miss what comes next. */
  #tell(handler: ObjectHandler<Item>, tell: () => void): void {
    if (!this.#handlers.includes(handler)) return;
    try {
      tell();
    } catch (error) {
      this.#log.error("a handler of objects failed", { error: messageOf(error) });
    }
  }
}

function isSameState({ metadata: left }: ApiObject, { metadata: right }: ApiObject): boolean {
  return left.resourceVersion === right.resourceVersion && left.uid === right.uid;
}
