import { isDeepStrictEqual } from "node:util";
import type { Clock } from "../../core/clock.ts";
import type { DeclaredObjects } from "./declared-files.ts";
import { declaredKey, type DeclaredObject, impliedNamespace } from "./declared-object.ts";
import type { FolderKind } from "./folder-kinds.ts";
import type { FolderState, ObjectState } from "./folder-state.ts";
import {
  appear,
  type Held,
  type LiveObject,
  markDeleted,
  newIdentity,
  orphan,
  redeclare,
  stateOf,
  withVersion,
} from "./live-object.ts";
import { ServedKind } from "./served-kind.ts";

/** A change that has no version yet. */
interface Step {
  readonly served: ServedKind;
  readonly before: Held | undefined;
  readonly after: Held | undefined;
}

/** The objects of a folder: what manifests declare, and what has been made of them. */
export class FolderObjects {
  readonly #kinds: ReadonlyMap<string, ServedKind>;
  readonly #state: FolderState;
  readonly #clock: Clock;
  #version: number;
  /** Known from an earlier process, and not come across in the files yet. */
  readonly #unseen: Map<string, ObjectState>;
  #declared: ReadonlyMap<string, DeclaredObject> = new Map();
  /** Deleted by a user of the API: they come back when their files are written anew. */
  readonly #unwanted = new WeakSet<DeclaredObject>();

  /** @throws FairleadError `state-invalid` */
  constructor(kinds: ReadonlyMap<string, FolderKind>, state: FolderState, clock: Clock) {
    this.#state = state;
    this.#clock = clock;
    this.#version = state.version();
    this.#unseen = state.objects();
    this.#kinds = new Map(
      Array.from(kinds, ([name, kind]) => [name, new ServedKind(name, kind, this.#version, clock)]),
    );
  }

  get kinds(): Iterable<ServedKind> {
    return this.#kinds.values();
  }

  /** Of the last change. */
  get version(): number {
    return this.#version;
  }

  /** Makes of the objects what files declare. @throws FairleadError `state-invalid`, and nothing has changed then */
  declare({ objects, isBroken }: DeclaredObjects): void {
    const declared = this.#withNamespaces(objects);
    const steps = Array.from(declared.values()).flatMap((object) => this.#stepOf(object));
    for (const served of this.#kinds.values()) {
      for (const held of served.all) {
        if (isPersistent(held) && !declared.has(keyOf(served, held.object))) {
          steps.push(this.#removal(served, held));
        }
      }
    }
    const lost = [...this.#unseen].filter(([key, { file }]) => !declared.has(key) && !isBroken(file));
    steps.push(...lost.flatMap(([key, state]) => this.#lostStep(key, state)));
    this.#commit(
      steps,
      lost.map(([key]) => key),
    );
    this.#declared = declared;
    for (const key of [...declared.keys(), ...lost.map(([key]) => key)]) this.#unseen.delete(key);
  }

  /**
   * Puts another state of an object in its place, where it is another; one that is being deleted goes with its last
   * finalizer.
   * @returns it with its version
   * @throws FairleadError `state-invalid`, `limit-exceeded`, and nothing has changed then
   */
  replace(served: ServedKind, before: Held, object: LiveObject): LiveObject {
    if (!isEnded(object)) this.#commit([{ served, before, after: { ...before, object } }]);
    else this.#commit([{ served, before, after: undefined }, ...this.#comingBack(served, before)]);
    return served.find(object.metadata.namespace, object.metadata.name)?.object ?? object;
  }

  /** Adds an object that no file declares; the oldest of its kind goes where there would be more than `maxCount`. */
  create(served: ServedKind, object: LiveObject, maxCount: number): LiveObject {
    const { uid, creationTimestamp } = newIdentity(served.kind, this.#clock);
    const metadata = { ...object.metadata, uid, creationTimestamp };
    const [oldest] = served.all;
    const steps: Step[] =
      oldest === undefined || served.size < maxCount ? [] : [{ served, before: oldest, after: undefined }];
    const created = { ...object, metadata };
    this.#commit([
      ...steps,
      { served, before: undefined, after: { object: created, declared: undefined, isTransient: true } },
    ]);
    return served.find(metadata.namespace, metadata.name)?.object ?? created;
  }

  /** Deletes an object, or marks it where it has finalizers. @throws FairleadError `state-invalid` */
  delete(served: ServedKind, held: Held): void {
    this.#commit([this.#removal(served, held)]);
    if (held.declared !== undefined) this.#unwanted.add(held.declared);
  }

  /** Ends all watches, and closes the state. */
  close(): void {
    for (const served of this.#kinds.values()) served.close();
    this.#state.close();
  }

  /** A namespace that has objects is there, with or without a manifest. */
  #withNamespaces(objects: ReadonlyMap<string, DeclaredObject>): ReadonlyMap<string, DeclaredObject> {
    if (!this.#kinds.has("Namespace")) return objects;
    const all = new Map(objects);
    for (const name of new Set(Array.from(objects.values(), ({ namespace }) => namespace))) {
      if (name === undefined) continue;
      const implied = impliedNamespace(name);
      const key = declaredKey(implied);
      const before = this.#declared.get(key);
      if (!all.has(key)) all.set(key, isDeepStrictEqual(before, implied) && before ? before : implied);
    }
    return all;
  }

  #stepOf(declared: DeclaredObject): Step[] {
    const served = this.#kinds.get(declared.kind);
    if (served === undefined || this.#unwanted.has(declared)) return [];
    const before = served.find(declared.namespace, declared.meta.name);
    if (before === undefined) return [this.#appearance(served, declared)];
    if (before.declared === declared) return [];
    const after = redeclare(served.kind, before, declared);
    if (!isEnded(after.object)) return [{ served, before, after }];
    return [{ served, before, after: undefined }, this.#appearance(served, declared)];
  }

  #appearance(served: ServedKind, declared: DeclaredObject): Step {
    const identity = newIdentity(served.kind, this.#clock);
    const after = appear(served.kind, declared, this.#unseen.get(declaredKey(declared)), identity);
    return { served, before: undefined, after };
  }

  #removal(served: ServedKind, before: Held): Step {
    const { finalizers = [] } = before.object.metadata;
    const isMarked = finalizers.length > 0;
    const after = isMarked ? { ...before, object: markDeleted(before.object, this.#clock) } : undefined;
    return { served, before, after };
  }

  /** Its manifest went while nobody looked; with finalizers it is there until they are gone. */
  #lostStep(key: string, state: ObjectState): Step[] {
    const [kind = "", namespace = "", name = ""] = key.split("/");
    const served = this.#kinds.get(kind);
    if (served === undefined || (state.finalizers ?? []).length === 0) return [];
    const object = orphan(kind, served.kind, { name, namespace: namespace || undefined }, state);
    return [
      { served, before: undefined, after: { object: markDeleted(object, this.#clock), declared: undefined } },
    ];
  }

  /** What is gone and has a manifest nevertheless, as that was written meanwhile. */
  #comingBack(served: ServedKind, { object }: Held): Step[] {
    const declared = this.#declared.get(keyOf(served, object));
    return declared === undefined || this.#unwanted.has(declared) ? [] : [this.#appearance(served, declared)];
  }

  /** Writes the state of all, and tells of each. */
  #commit(steps: readonly Step[], lost: readonly string[] = []): void {
    let version = this.#version;
    const rows = new Map<string, ObjectState | undefined>(lost.map((key) => [key, undefined]));
    const tellings: (() => void)[] = [];
    for (const { served, before, after } of steps) {
      const held = after ?? before;
      if (held === undefined) continue;
      const isUnchanged = before && after && isSame(before.object, after.object);
      if (isUnchanged && before.declared === after.declared) continue;
      if (isPersistent(held)) rows.set(keyOf(served, held.object), after && stateOf(after, served.kind));
      if (isUnchanged) {
        tellings.push(() => served.hold({ ...after, object: before.object }));
        continue;
      }
      version += 1;
      const change = {
        version,
        before,
        after: after && { ...after, object: withVersion(after.object, version) },
      };
      tellings.push(() => served.publish(change));
    }
    if (rows.size > 0) this.#state.write({ version, objects: rows });
    this.#version = version;
    for (const tell of tellings) tell();
  }
}

/** Whether nothing keeps an object any more that is being deleted. */
function isEnded({ metadata: { deletionTimestamp, finalizers = [] } }: LiveObject): boolean {
  return deletionTimestamp !== undefined && finalizers.length === 0;
}

function isPersistent({ isTransient }: Held): boolean {
  return isTransient !== true;
}

function keyOf({ name }: ServedKind, { metadata }: LiveObject): string {
  return `${name}/${metadata.namespace ?? ""}/${metadata.name}`;
}

function isSame(before: LiveObject, after: LiveObject): boolean {
  return isDeepStrictEqual(withVersion(after, before.metadata.resourceVersion), before);
}
