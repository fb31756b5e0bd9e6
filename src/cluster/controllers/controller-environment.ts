import type { Clock } from "../../core/clock.ts";
import type { Logger } from "../../core/log.ts";
import type { Occurrence, RecordedObject } from "../../notification/recorder/recorded-object.ts";
import type { ObjectApi } from "../api/object-api.ts";
import type { InformerHooks } from "../informer/informer.ts";
import type { BackOff } from "../queue/back-off.ts";
import type { ReconcileReport } from "../queue/controller.ts";
import type { WorkQueueObservers } from "../queue/work-queue.ts";
import type { StatusObject } from "./kind-reconciler.ts";

/** Told of the work of controllers. */
export interface ControllerObserver {
  reconciled(kind: string, report: ReconcileReport): void;
  /** Told of an object's state after each change. */
  observed(kind: string, object: StatusObject): void;
  /** An object is gone. */
  forgotten(kind: string, object: StatusObject): void;
  informerHooks(kind: string): InformerHooks;
  workQueue(kind: string): WorkQueueObservers;
}

/** Where what happens to objects is told. It must neither block nor throw. */
export interface OccurrenceSink {
  record(object: RecordedObject, occurrence: Occurrence): void;
}

/** What all controllers of a process have in common. */
export interface ControllerEnvironment {
  readonly api: ObjectApi;
  readonly occurrences: OccurrenceSink;
  readonly observer?: ControllerObserver;
  readonly log: Logger;
  readonly clock?: Clock;
  /** How many objects of a kind are reconciled at a time. */
  readonly concurrency: number;
  /** Default: Flux's. */
  readonly backOff?: BackOff;
  /** From 0 to 1, of intervals; default: 0.05. */
  readonly jitter?: number;
  /** Undefined: all namespaces. */
  readonly namespace?: string | undefined;
  /** Which objects are looked after, for shards. */
  readonly labelSelector?: string | undefined;
  /** A watch that is silent for so long is taken for lost; default: that of {@link Informer}. */
  readonly idleMs?: number;
}
