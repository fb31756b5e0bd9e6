import { eventsOf, type PushOutcome } from "../../automation/run/object-event.ts";
import type { Outcome } from "../../automation/run/outcome.ts";
import type { Condition, StatusKind } from "../../automation/state/object-status.ts";
import type { Logger } from "../../core/log.ts";
import { type ObjectMeta, objectKey } from "../../objects/object-meta.ts";
import type { JsonObject } from "../conditions/status-patch.ts";
import type { KindOutcome, StatusObject } from "./kind-reconciler.ts";

interface Reconciled {
  readonly kind: StatusKind;
  readonly meta: ObjectMeta;
  readonly raw: StatusObject;
  readonly outcome: Outcome<StatusKind> & PushOutcome;
  /** Of the outcome's status. */
  readonly fields: JsonObject;
  readonly log: Logger;
}

/** What came of an object of automation, as a controller takes it; its diagnostics go to the log. */
export function imageOutcome({ kind, meta, raw, outcome, fields, log }: Reconciled): KindOutcome {
  for (const { code, severity, message } of outcome.diagnostics) {
    const told = { kind, object: objectKey(meta), code, finding: message };
    if (severity === "error") log.error("an object has a finding", told);
    else log.warn("an object has a finding", told);
  }
  const { result, requeueAfterMs, error, status, told } = outcome;
  const events = eventsOf({ kind, meta, before: conditionsOf(raw), outcome });
  return {
    result,
    findings: status.conditions,
    status: fields,
    occurrences: events.map(({ type, reason, message }) => ({ type, reason, message })),
    ...(requeueAfterMs === undefined ? {} : { requeueAfterMs }),
    ...(error === undefined ? {} : { error }),
    ...(told === undefined ? {} : { told }),
  };
}

const types: readonly string[] = ["Ready", "Reconciling", "Stalled"] satisfies readonly Condition["type"][];

/** The conditions of an object that automation knows. */
export function conditionsOf({ status }: StatusObject): readonly Condition[] {
  return (status?.conditions ?? []).filter((condition): condition is typeof condition & Condition =>
    types.includes(condition.type),
  );
}

/** What the object itself says of the last request that was acted upon. */
export function handledOf({ status }: StatusObject): { readonly lastHandledReconcileAt?: string } {
  const handled = status?.lastHandledReconcileAt;
  return handled === undefined ? {} : { lastHandledReconcileAt: handled };
}
