import type { Diagnostic } from "../../core/diagnostic.ts";
import { FairleadError } from "../../core/error.ts";
import type { Condition, Statuses, StatusKind } from "../state/object-status.ts";

/** What came of reconciling an object. Whoever asked puts the status where it belongs. */
export interface Outcome<Kind extends StatusKind> {
  /** `stalled`: only another specification helps; `suspended`: nothing was looked at. */
  readonly result: "ready" | "retry" | "stalled" | "suspended";
  /** What is known of the object from now on. */
  readonly status: Statuses[Kind];
  /** When to look again, where nothing else says so; undefined: when something changes. */
  readonly requeueAfterMs?: number;
  readonly diagnostics: readonly Diagnostic[];
  /** Why the result is no better. */
  readonly error?: FairleadError;
  /** To be called once the status is kept and the events are recorded: what is not told is told by whoever comes next. */
  readonly told?: () => Promise<void>;
}

/** The condition of an object that is in order. */
export function readyConditions(message: string): readonly Condition[] {
  return [{ type: "Ready", status: "True", reason: "Succeeded", message }];
}

/** The conditions of an object that is tried again. */
export function retryConditions(reason: string, message: string): readonly Condition[] {
  return [
    {
      type: "Reconciling",
      status: "True",
      reason: "ProgressingWithRetry",
      message: "reconciliation in progress",
    },
    { type: "Ready", status: "False", reason, message },
  ];
}

/** The conditions of an object that waits for another specification. */
export function stalledConditions(reason: string, message: string): readonly Condition[] {
  return [
    { type: "Stalled", status: "True", reason, message },
    { type: "Ready", status: "False", reason, message },
  ];
}

/** The condition that says whether an object is in order. */
export function readyConditionOf(conditions: readonly Condition[]): Condition | undefined {
  return conditions.find(({ type }) => type === "Ready");
}

/** Whether an error is no finding about an object: the whole run ends with it. */
export function isFinal(error: unknown): boolean {
  return error instanceof FairleadError
    ? error.code === "aborted" || error.code === "state-invalid" || error.code === "internal"
    : true;
}

/** An error with what was tried before it. @throws what is no FairleadError */
export function wrapError(context: string, cause: unknown): FairleadError {
  if (!(cause instanceof FairleadError)) throw cause;
  const { code, message, where, hint, retryable } = cause;
  return new FairleadError(code, `${context}: ${message}`, { where, hint, retryable, cause });
}
