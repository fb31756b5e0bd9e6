import { setTimeout } from "node:timers/promises";
import { type Clock, steadyClock } from "../../core/clock.ts";
import { FairleadError, messageOf } from "../../core/error.ts";
import type { KubernetesObject } from "../../objects/object-kind.ts";
import { requestAnnotation } from "../../automation/run/request.ts";
import type { RecordedObject } from "../../notification/recorder/recorded-object.ts";
import { apiVersionOf } from "../api/resource-types.ts";
import { type Finding, mergeConditions, observedGenerationOf } from "../conditions/conditions.ts";
import type { JsonObject } from "../conditions/status-patch.ts";
import { Informer, withoutManagedFields } from "../informer/informer.ts";
import { keyOf } from "../informer/object-store.ts";
import { Controller } from "../queue/controller.ts";
import type { ControllerEnvironment } from "./controller-environment.ts";
import { type KindOutcome, type KindReconciler, type StatusObject } from "./kind-reconciler.ts";
import { KnownObjects } from "./known-objects.ts";
import { ObjectReader } from "./object-reader.ts";
import { readyOutcome } from "./ready-outcome.ts";
import { ReadObjects } from "./read-objects.ts";
import { ObjectWriter } from "./object-writer.ts";
import { UnansweredWrites } from "./unanswered-writes.ts";

/** Work that takes longer than this shows in the status that it goes on. */
const progressAfterMs = 500;

/** Looks after the objects of a kind in a cluster, or wherever else they live. */
export class KindController<Read extends KubernetesObject> {
  /** Those that it looks after. */
  readonly objects: ReadObjects<Read, StatusObject>;
  readonly #informer: Informer<StatusObject>;
  readonly #reader: ObjectReader<Read>;
  readonly #reconciler: KindReconciler<Read>;
  readonly #environment: ControllerEnvironment;
  readonly #clock: Clock;
  readonly #known: KnownObjects<StatusObject>;
  readonly #writer: ObjectWriter;
  readonly #unanswered = new UnansweredWrites();
  readonly #controller: Controller<StatusObject, KindOutcome>;

  constructor(reconciler: KindReconciler<Read>, environment: ControllerEnvironment) {
    const { api, log, observer, clock = steadyClock, namespace, labelSelector, idleMs } = environment;
    const { kind, type } = reconciler;
    this.#reconciler = reconciler;
    this.#environment = environment;
    this.#clock = clock;
    this.#reader = new ObjectReader(kind, reconciler.reads);
    this.#writer = new ObjectWriter(api, type);
    this.#informer = new Informer<StatusObject>({
      client: api,
      type,
      namespace,
      labelSelector,
      transform: withoutManagedFields,
      log,
      clock,
      ...(idleMs === undefined ? {} : { idleMs }),
      ...(observer === undefined ? {} : { hooks: observer.informerHooks(kind) }),
    });
    this.objects = new ReadObjects(this.#informer, this.#reader);
    this.#known = new KnownObjects(this.#informer.store);
    this.#controller = this.#createController();
  }

  /** Begins to watch. */
  watch(): void {
    const { observer } = this.#environment;
    const { kind } = this.#reconciler;
    this.#informer.subscribe({
      added: (object) => {
        observer?.observed(kind, object);
        this.#controller.added(object);
      },
      updated: (object, old) => {
        this.#known.saw(object);
        observer?.observed(kind, object);
        this.#controller.updated(object, old);
      },
      deleted: (object) => {
        this.#known.forget(object);
        this.#unanswered.forget(object);
        observer?.forgotten(kind, object);
        this.#controller.deleted(object);
      },
    });
    this.#informer.start();
  }

  /** Begins to reconcile. */
  start(): void {
    this.#controller.start();
  }

  /** Takes that something has changed that objects may refer to. @param reference as `referencesOf` gives it */
  referenceChanged(reference: string): void {
    this.#controller.referenceChanged(reference);
  }

  /** Waits for what is under way, and ends. @param graceMs what takes longer is broken off */
  async stop(graceMs: number): Promise<void> {
    await this.#controller.stop(graceMs);
    await this.#informer.stop();
  }

  #createController(): Controller<StatusObject, KindOutcome> {
    const { log, observer, concurrency, backOff, jitter } = this.#environment;
    const { kind, referencesOf } = this.#reconciler;
    return new Controller<StatusObject, KindOutcome>({
      kind,
      log,
      clock: this.#clock,
      concurrency,
      ...(backOff === undefined ? {} : { backOff }),
      ...(jitter === undefined ? {} : { jitter }),
      ...(observer === undefined ? {} : { observers: observer.workQueue(kind) }),
      ports: {
        find: (key) => this.#find(key),
        reconcile: async (object, signal) => this.#reconcile(object, signal),
        writeStatus: async (object, outcome, signal) => this.#finish(object, outcome, signal),
        reconciled: (report) => observer?.reconciled(kind, report),
        gone: (key) => this.#gone(key),
        ...(referencesOf === undefined
          ? {}
          : {
              referencesOf: (raw: StatusObject) => {
                const { object } = this.#reader.read(raw);
                return object === undefined ? [] : referencesOf(object);
              },
            }),
      },
    });
  }

  #find(key: string): StatusObject | undefined {
    const { namespace, name } = splitKey(key);
    return this.#known.get(namespace, name);
  }

  #gone(key: string): void {
    const forgetting = Promise.resolve(this.#reconciler.forget?.(splitKey(key)));
    forgetting.catch((error: unknown) => {
      const { kind } = this.#reconciler;
      this.#environment.log.error("an object is gone and not forgotten", {
        kind,
        object: key,
        error: messageOf(error),
      });
    });
  }

  async #reconcile(raw: StatusObject, signal: AbortSignal): Promise<KindOutcome | undefined> {
    const { hasFinalizer = true, forget } = this.#reconciler;
    const { deletionTimestamp, name, namespace = "" } = raw.metadata;
    this.#tell(raw, this.#unanswered.take(raw));
    if (deletionTimestamp !== undefined) {
      await forget?.({ namespace, name });
      await this.#writer.setFinalizer(raw, false, { signal });
      return undefined;
    }
    // Older controllers of Flux left theirs on kinds that have none any more, and nobody else takes it away.
    const current = await this.#writer.setFinalizer(raw, hasFinalizer, { signal });
    if (current === undefined) return undefined;
    if (current !== raw) this.#known.wrote(current);
    const { object, problems } = this.#reader.read(current);
    if (object === undefined) {
      const reason = this.#reconciler.invalidReason?.(problems) ?? "ValidationFailed";
      const message = problems.map((problem) => problem.message).join("; ");
      return readyOutcome(current, { result: "stalled", reason, message });
    }
    return this.#showProgress(current, signal, async () => this.#attempt(object, current, signal));
  }

  async #attempt(object: Read, raw: StatusObject, signal: AbortSignal): Promise<KindOutcome> {
    try {
      return await this.#reconciler.reconcile(object, raw, signal, async (name, value) => {
        const written = await this.#writer.setAnnotation(this.#latest(raw), name, value, { signal });
        if (written !== undefined) this.#known.wrote(written);
      });
    } catch (error) {
      if (signal.aborted || !(error instanceof FairleadError) || error.code === "aborted") throw error;
      return readyOutcome(raw, { result: "retry", reason: "Failed", message: error.message, error });
    }
  }

  /** Shows that a new state of an object is worked on, where that takes its time. */
  async #showProgress(
    raw: StatusObject,
    signal: AbortSignal,
    work: () => Promise<KindOutcome>,
  ): Promise<KindOutcome> {
    const { generation = 0 } = raw.metadata;
    const observed = raw.status?.observedGeneration ?? -1;
    if (observed === generation) return work();
    let shown: Promise<void> | undefined;
    const message = `processing object: new generation ${observed} -> ${generation}`;
    const findings: Finding[] = [
      { type: "Reconciling", status: "True", reason: "Progressing", message },
      { type: "Ready", status: "Unknown", reason: "Progressing", message: "reconciliation in progress" },
    ];
    const cancel = this.#clock.after(progressAfterMs, () => {
      shown = this.#show(raw, findings, signal);
    });
    try {
      return await work();
    } finally {
      cancel();
      await shown;
    }
  }

  async #show(raw: StatusObject, findings: readonly Finding[], signal: AbortSignal): Promise<void> {
    try {
      const written = await this.#writer.writeStatus(
        raw,
        (object) => ({ ...object.status, conditions: this.#conditions(object, findings) }),
        { signal },
      );
      if (written !== undefined) this.#known.wrote(written);
    } catch (error) {
      const { kind } = this.#reconciler;
      this.#environment.log.debug("progress is not shown", { kind, error: messageOf(error) });
    }
  }

  /** Writes what came of it, and tells it then: nobody is to look before it is there. */
  async #finish(raw: StatusObject, outcome: KindOutcome, signal: AbortSignal): Promise<void> {
    // A process that was halted learns here, before it writes, that its lease has ended: that timer is due before this.
    await setTimeout(0);
    signal.throwIfAborted();
    // Another shard may look after it from now on.
    if (this.#find(keyOf(raw)) === undefined) return;
    const { generation = 0, annotations } = raw.metadata;
    const request = annotations?.[requestAnnotation];
    let status: JsonObject = {};
    const newStatus = (object: StatusObject): JsonObject => ({
      ...object.status,
      ...outcome.status,
      ...(request === undefined ? {} : { lastHandledReconcileAt: request }),
      observedGeneration: observedGenerationOf(
        outcome.findings,
        generation,
        object.status?.observedGeneration,
      ),
      conditions: this.#conditions(object, outcome.findings, generation),
    });
    const current = this.#latest(raw);
    const statusOf = (object: StatusObject): JsonObject => (status = newStatus(object));
    let written: StatusObject | undefined;
    try {
      written = await this.#writer.writeStatus(current, statusOf, { signal });
    } catch (error) {
      // What is noted is told by whoever comes next.
      if (outcome.told === undefined) this.#unanswered.add(raw, status, outcome.occurrences);
      throw error;
    }
    if (written !== undefined && written !== current) this.#known.wrote(written);
    this.#tell(raw, outcome.occurrences);
    await outcome.told?.();
  }

  /** An object as it is known by now. */
  #latest(raw: StatusObject): StatusObject {
    const { name, namespace = "", uid } = raw.metadata;
    const known = this.#known.get(namespace, name);
    return known?.metadata.uid === uid ? known : raw;
  }

  #tell(raw: StatusObject, occurrences: KindOutcome["occurrences"]): void {
    for (const occurrence of occurrences) {
      this.#environment.occurrences.record(this.#recorded(raw), occurrence);
    }
  }

  #conditions(
    { metadata, status }: StatusObject,
    findings: readonly Finding[],
    generation: number = metadata.generation ?? 0,
  ): JsonObject["conditions"] {
    const observation = { generation, nowMs: this.#clock.nowMs() };
    const merged = mergeConditions(status?.conditions ?? [], findings, observation);
    return Array.from(merged, (condition) => ({ ...condition }));
  }

  #recorded({ metadata }: StatusObject): RecordedObject {
    const { kind, type } = this.#reconciler;
    const { name, namespace = "", uid, resourceVersion, annotations = {} } = metadata;
    return { apiVersion: apiVersionOf(type), kind, namespace, name, uid, resourceVersion, annotations };
  }
}

function splitKey(key: string): { readonly namespace: string; readonly name: string } {
  const slash = key.indexOf("/");
  return { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}
