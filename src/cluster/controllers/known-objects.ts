import type { ApiObject } from "../api/api-object.ts";
import type { ReadableStore } from "../informer/object-store.ts";
import { keyOf } from "../informer/object-store.ts";

/** Objects as they were last seen, be it by the informer or in the answer to a write, which the informer sees later. */
export class KnownObjects<Item extends ApiObject> {
  readonly #store: ReadableStore<Item>;
  readonly #written = new Map<string, Item>();

  constructor(store: ReadableStore<Item>) {
    this.#store = store;
  }

  /** Undefined where it is gone. */
  get(namespace: string, name: string): Item | undefined {
    const seen = this.#store.get(namespace, name);
    if (seen === undefined) return undefined;
    const written = this.#written.get(keyOf(seen));
    return written !== undefined && isNewer(written, seen) ? written : seen;
  }

  /** Takes the answer to a write, which may come after the informer has seen as much, or that the object is gone. */
  wrote(object: Item): void {
    const { namespace, name } = object.metadata;
    const seen = this.#store.get(namespace, name);
    if (seen !== undefined && isNewer(object, seen)) this.#written.set(keyOf(object), object);
  }

  /** Takes what the informer sees of an object. */
  saw(object: Item): void {
    const written = this.#written.get(keyOf(object));
    if (written !== undefined && !isNewer(written, object)) this.#written.delete(keyOf(object));
  }

  /** Takes that an object is gone. */
  forget(object: Item): void {
    this.#written.delete(keyOf(object));
  }
}

/** Resource versions of one object are numbers that grow (Kubernetes 1.35 promises it, older ones do it). */
function isNewer({ metadata: left }: ApiObject, { metadata: right }: ApiObject): boolean {
  if (left.uid !== right.uid) return false;
  const [one, other] = [left.resourceVersion, right.resourceVersion];
  if (!/^\d+$/u.test(one) || !/^\d+$/u.test(other)) return false;
  return one.length === other.length ? one > other : one.length > other.length;
}
