import { type Clock, rest, steadyClock } from "../../core/clock.ts";
import { FairleadError, messageOf } from "../../core/error.ts";
import type { Logger } from "../../core/log.ts";
import type { ApiClient, ListOptions } from "../api/api-client.ts";
import type { ApiList, ApiObject, ResourceType, WatchEvent } from "../api/api-object.ts";
import { backOff } from "./back-off.ts";
import { FailureLog, type InformerPhase } from "./failure-log.ts";
import { type IndexKeys, keyOf, type ReadableStore } from "./object-store.ts";
import { type ObjectHandler, ObservedStore } from "./observed-store.ts";

/** Told of the work of an informer. */
export interface InformerHooks {
  /** A list is done and had so many objects. */
  listed?(objects: number): void;
  /** A watch request is sent. */
  watched?(): void;
  failed?(error: FairleadError): void;
}

export interface InformerOptions<Item extends ApiObject> extends Pick<
  ListOptions,
  "namespace" | "labelSelector" | "fieldSelector"
> {
  readonly client: Pick<ApiClient, "list" | "watch">;
  readonly type: ResourceType;
  /** Changes an object before it is kept, such as {@link withoutManagedFields}. */
  readonly transform?: (object: Item) => Item;
  readonly indexes?: Readonly<Record<string, IndexKeys<Item>>>;
  readonly hooks?: InformerHooks;
  readonly log: Logger;
  /** Of a list; default: 500. */
  readonly pageSize?: number;
  /** A watch that is silent for so long is taken for lost; default: 240,000, as a quiet server leaves out bookmarks. */
  readonly idleMs?: number;
  readonly clock?: Clock;
  /** From 0 to 1; default: `Math.random`. */
  readonly random?: () => number;
}

const listTimeoutMs = 60_000;
const minWatchSeconds = 300;
/** A watch that ends before is not asked for again at once. */
const shortWatchMs = 1_000;
/** A server that is busy for longer than this may no longer know the version that it is asked for. */
const maxBusyAnswers = 3;
const maxAskedMs = 60_000;

/**
 * Keeps a copy of all objects of a kind: it lists them and watches what happens to them, and goes on whatever fails
 * until it is stopped. What happened while it could not watch is told when it can again; changes in quick succession may
 * then be one.
 */
export class Informer<Item extends ApiObject> {
  readonly #options: InformerOptions<Item>;
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #store: ObservedStore<Item>;
  readonly #ending = new AbortController();
  readonly #failureLog: FailureLog;
  readonly #synced = Promise.withResolvers<void>();
  #pageSize: number;
  #hasSynced = false;
  /** Where the next watch begins; undefined: a list comes first. */
  #version: string | undefined;
  #failures = 0;
  /** How long the server asked to be left alone. */
  #askedMs = 0;
  #running: Promise<void> | undefined;

  constructor(options: InformerOptions<Item>) {
    this.#options = options;
    this.#clock = options.clock ?? steadyClock;
    this.#random = options.random ?? Math.random;
    this.#store = new ObservedStore(options.indexes, options.log);
    this.#failureLog = new FailureLog(options.log, options.type.resource);
    this.#pageSize = options.pageSize ?? 500;
  }

  get store(): ReadableStore<Item> {
    return this.#store.objects;
  }

  /** Whether the first list is in the store. */
  get hasSynced(): boolean {
    return this.#hasSynced;
  }

  /** Settles when the first list is in the store; never, where that is not reached. */
  get synced(): Promise<void> {
    return this.#synced.promise;
  }

  /** Tells a handler of all that is there and of what happens from now on, until what it gives is called. */
  subscribe(handler: ObjectHandler<Item>): () => void {
    return this.#store.subscribe(handler);
  }

  /** Begins; once. */
  start(): void {
    this.#running ??= this.#run();
  }

  /** Ends its requests. The store stays as it is. */
  async stop(): Promise<void> {
    this.#ending.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#ending;
    while (!signal.aborted) {
      let phase: InformerPhase = "list";
      try {
        this.#version ??= await this.#list();
        phase = "watch";
        await this.#watch(this.#version);
      } catch (error) {
        if (!signal.aborted) this.#noteFailure(phase, error);
      }
      if (this.#failures > 0) await this.#pause();
    }
  }

  async #pause(): Promise<void> {
    const { signal } = this.#ending;
    const waitMs = Math.max(backOff(this.#failures, this.#random), this.#askedMs);
    this.#askedMs = 0;
    await rest(this.#clock, waitMs, signal);
  }

  async #list(): Promise<string> {
    const { client, type, namespace, labelSelector, fieldSelector, hooks } = this.#options;
    const { signal } = this.#ending;
    const found = new Map<string, Item>();
    let limit: number | undefined = this.#pageSize;
    let continueToken: string | undefined;
    for (;;) {
      const selected = { namespace, labelSelector, fieldSelector };
      const query = { ...selected, limit, continueToken, signal, timeoutMs: listTimeoutMs };
      let page: ApiList<Item>;
      try {
        page = await client.list<Item>(type, query);
      } catch (error) {
        if (continueToken === undefined || !hasExpired(error)) throw error;
        // The server lost what the pages are of: all comes on one.
        limit = undefined;
        continueToken = undefined;
        found.clear();
        continue;
      }
      for (const object of page.items) found.set(keyOf(object), this.#transform(object));
      continueToken = page.continueToken;
      if (continueToken !== undefined) continue;
      // What is no longer listed was deleted while nobody watched.
      this.#store.replace(found);
      this.#hasSynced = true;
      this.#synced.resolve();
      this.#failureLog.succeeded("list");
      hooks?.listed?.(found.size);
      return page.resourceVersion;
    }
  }

  async #watch(resourceVersion: string): Promise<void> {
    const { client, type, namespace, labelSelector, fieldSelector, hooks, idleMs = 240_000 } = this.#options;
    const beganMs = this.#clock.nowMs();
    hooks?.watched?.();
    const events = client.watch<Item>(type, {
      namespace,
      labelSelector,
      fieldSelector,
      resourceVersion,
      // Not all informers are to begin again in one moment.
      timeoutSeconds: Math.round(minWatchSeconds * (1 + this.#random())),
      idleMs,
      signal: this.#ending.signal,
    });
    for await (const event of events) {
      this.#apply(event);
      this.#noteWatching();
    }
    if (this.#clock.nowMs() - beganMs < shortWatchMs) this.#failures += 1;
    else this.#noteWatching();
  }

  #apply(event: WatchEvent<Item>): void {
    if (event.type === "BOOKMARK") {
      this.#version = event.resourceVersion;
      return;
    }
    const object = this.#transform(event.object);
    if (event.type === "DELETED") this.#store.remove(object);
    else this.#store.put(object);
    this.#version = object.metadata.resourceVersion;
  }

  #transform(object: Item): Item {
    return this.#options.transform?.(object) ?? object;
  }

  #noteWatching(): void {
    this.#failures = 0;
    this.#failureLog.succeeded("watch");
  }

  #noteFailure(phase: InformerPhase, error: unknown): void {
    const failure =
      error instanceof FairleadError
        ? error
        : new FairleadError("internal", messageOf(error), { cause: error });
    this.#failures += 1;
    if (failure.code === "limit-exceeded") this.#pageSize = Math.max(1, Math.floor(this.#pageSize / 2));
    if (!this.#mayResume(failure)) this.#version = undefined;
    this.#options.hooks?.failed?.(failure);
    this.#failureLog.failed(phase, failure, this.#version === undefined);
    this.#askedMs = Math.min(failure.retryAfterMs ?? 0, maxAskedMs);
  }

  /**
   * Whether a watch may go on from its last version. A connection that was silent gets a list: servers whose database
   * was put back to an older state are silent too.
   */
  #mayResume({ code, retryAfterMs }: FairleadError): boolean {
    if (code === "upstream-unreachable" || code === "credentials-invalid") return true;
    return retryAfterMs !== undefined && this.#failures < maxBusyAnswers;
  }
}

/** An object without the list of who wrote which field, which may be larger than all the rest. */
export function withoutManagedFields<Item extends ApiObject>(object: Item): Item {
  const { managedFields: _managedFields, ...metadata } = object.metadata;
  return { ...object, metadata };
}

function hasExpired(error: unknown): boolean {
  return error instanceof FairleadError && error.code === "version-expired";
}
