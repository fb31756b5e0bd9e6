import type { KubernetesObject } from "../../objects/object-kind.ts";
import type { ApiObject } from "../api/api-object.ts";
import type { Informer } from "../informer/informer.ts";
import type { ObjectHandler } from "../informer/observed-store.ts";
import type { ObjectReader } from "./object-reader.ts";

/** The objects of a kind as they were last seen, and read; those that are invalid are not among them. */
export class ReadObjects<Read extends KubernetesObject, Item extends ApiObject = ApiObject> {
  readonly #informer: Informer<Item>;
  readonly #reader: ObjectReader<Read>;

  constructor(informer: Informer<Item>, reader: ObjectReader<Read>) {
    this.#informer = informer;
    this.#reader = reader;
  }

  /** Settles when all that was there at the beginning is known. */
  get synced(): Promise<void> {
    return this.#informer.synced;
  }

  get hasSynced(): boolean {
    return this.#informer.hasSynced;
  }

  /** An object by its name; undefined where there is none. */
  tryGet(namespace: string, name: string): Read | undefined {
    const raw = this.#informer.store.get(namespace, name);
    return raw === undefined ? undefined : this.#reader.read(raw).object;
  }

  /** The objects of a namespace. */
  list(namespace: string): readonly Read[] {
    return this.#informer.store.list(namespace).flatMap((raw) => this.#reader.read(raw).object ?? []);
  }

  /** Tells of the objects and of their changes. */
  subscribe(handler: ObjectHandler<Item>): void {
    this.#informer.subscribe(handler);
  }

  /** Begins to watch, where nobody else does. */
  start(): void {
    this.#informer.start();
  }

  /** Watches no longer. */
  async stop(): Promise<void> {
    await this.#informer.stop();
  }
}
