import { isDeepStrictEqual } from "node:util";
import type { KubernetesObject } from "../../objects/object-kind.ts";
import type { StatusObject } from "../controllers/kind-reconciler.ts";
import type { ReadObjects } from "../controllers/read-objects.ts";
import { keyOf } from "../informer/object-store.ts";

/** Objects that are watched and read. */
export type ObjectFeed<Read extends KubernetesObject> = Pick<
  ReadObjects<Read, StatusObject>,
  "synced" | "subscribe" | "tryGet"
>;

export interface FollowedObjectsOptions<Read extends KubernetesObject> {
  readonly feed: ObjectFeed<Read>;
  /** Told of each change but those of a status alone. */
  readonly changed: () => void;
  /** A field of the status that counts as well. */
  readonly statusField?: string;
}

/** The objects of a kind that are valid and stay; one is the same as long as it says the same. */
export class FollowedObjects<Read extends KubernetesObject> {
  readonly #options: FollowedObjectsOptions<Read>;
  readonly #objects = new Map<string, Read>();

  constructor(options: FollowedObjectsOptions<Read>) {
    this.#options = options;
    options.feed.subscribe({
      added: (object) => this.#take(object),
      updated: (object, old) => {
        if (!this.#saysTheSame(object, old)) this.#take(object);
      },
      deleted: (object) => this.#drop(keyOf(object)),
    });
  }

  /** By `namespace/name`, as they are now. */
  current(): ReadonlyMap<string, Read> {
    return new Map(this.#objects);
  }

  #take(raw: StatusObject): void {
    const { name, namespace = "", deletionTimestamp } = raw.metadata;
    const object = this.#options.feed.tryGet(namespace, name);
    if (object === undefined || deletionTimestamp !== undefined) {
      this.#drop(keyOf(raw));
      return;
    }
    this.#objects.set(keyOf(raw), object);
    this.#options.changed();
  }

  #drop(key: string): void {
    if (this.#objects.delete(key)) this.#options.changed();
  }

  /** Most changes are those of a status. */
  #saysTheSame(
    { metadata: is, status }: StatusObject,
    { metadata: was, status: before }: StatusObject,
  ): boolean {
    const { statusField } = this.#options;
    return (
      is.uid === was.uid &&
      is.generation !== undefined &&
      is.generation === was.generation &&
      is.deletionTimestamp === was.deletionTimestamp &&
      isDeepStrictEqual(is.labels, was.labels) &&
      isDeepStrictEqual(is.annotations, was.annotations) &&
      (statusField === undefined || status?.[statusField] === before?.[statusField])
    );
  }
}
