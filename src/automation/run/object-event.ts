import type { ObjectMeta } from "../../objects/object-meta.ts";
import type { Condition, StatusKind } from "../state/object-status.ts";
import { type Outcome, readyConditionOf } from "./outcome.ts";
import type { PushReport } from "./push-updates.ts";

/** What happened to an object, as Flux's image controllers tell it; they send no metadata of their own. */
export interface ObjectEvent {
  readonly apiVersion: string;
  readonly kind: StatusKind;
  readonly meta: ObjectMeta;
  /** A Warning is of severity error. */
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly message: string;
}

/** Where events go. It must neither block nor throw. */
export interface EventSink {
  record(event: ObjectEvent): void;
}

/** What was pushed. */
export interface PushOutcome {
  readonly push?: PushReport;
  /** By runs that ended before they could tell it, the first first. */
  readonly earlierPushes?: readonly PushReport[];
}

interface Reconciled {
  readonly kind: StatusKind;
  readonly meta: ObjectMeta;
  /** The conditions from before. */
  readonly before: readonly Condition[];
  readonly outcome: Outcome<StatusKind> & PushOutcome;
}

const apiVersion = "image.toolkit.fluxcd.io/v1";

/**
 * The events of a reconciliation by the rules of Flux's image controllers: a push, and another Ready condition than
 * before. What failed before in the same words is not told again, and of a suspended object nothing is.
 */
export function eventsOf({ kind, meta, before, outcome }: Reconciled): readonly ObjectEvent[] {
  const ready = readyConditionOf(outcome.status.conditions);
  if (outcome.result === "suspended" || ready === undefined) return [];
  const event = (type: ObjectEvent["type"], reason: string, message: string): ObjectEvent => ({
    apiVersion,
    kind,
    meta,
    type,
    reason,
    message,
  });
  const { push, earlierPushes = [] } = outcome;
  const pushed = [...earlierPushes, ...(push === undefined ? [] : [push])].map(({ summary }) =>
    event("Normal", "Succeeded", summary),
  );
  // A push says more than that the repository is up to date.
  const isReady = ready.status === "True";
  const isTold = isReady && pushed.length > 0;
  if (isTold || isSame(readyConditionOf(before), ready)) return pushed;
  return [...pushed, event(isReady ? "Normal" : "Warning", ready.reason, ready.message)];
}

function isSame(left: Condition | undefined, right: Condition): boolean {
  return left?.status === right.status && left.reason === right.reason && left.message === right.message;
}
