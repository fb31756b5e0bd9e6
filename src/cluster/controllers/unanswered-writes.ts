import { type JsonObject, statusPatch } from "../conditions/status-patch.ts";
import { keyOf } from "../informer/object-store.ts";
import type { ObjectOccurrence, StatusObject } from "./kind-reconciler.ts";

interface UnansweredWrite {
  readonly uid: string;
  readonly status: JsonObject;
  readonly occurrences: readonly ObjectOccurrence[];
}

/**
 * Writes of statuses that failed. The answer alone may have been lost: then the object says already what happened, and
 * nobody would find that it is still to be told.
 */
export class UnansweredWrites {
  readonly #writes = new Map<string, UnansweredWrite>();

  /** Takes a write that failed, and what was to be told after it. */
  add(object: StatusObject, status: JsonObject, occurrences: readonly ObjectOccurrence[]): void {
    this.#writes.set(keyOf(object), { uid: object.metadata.uid, status, occurrences });
  }

  /** What is to be told of an object, as it is seen now: nothing where the write was not made. It is given once. */
  take(object: StatusObject): readonly ObjectOccurrence[] {
    const write = this.#writes.get(keyOf(object));
    this.#writes.delete(keyOf(object));
    const isMade =
      write?.uid === object.metadata.uid && statusPatch(object.status ?? {}, write.status) === undefined;
    return isMade ? write.occurrences : [];
  }

  /** Takes that an object is gone. */
  forget(object: StatusObject): void {
    this.#writes.delete(keyOf(object));
  }
}
