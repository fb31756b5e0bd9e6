import {
  readyConditions,
  readyConditionOf,
  retryConditions,
  stalledConditions,
} from "../../automation/run/outcome.ts";
import { FairleadError } from "../../core/error.ts";
import type { Finding } from "../conditions/conditions.ts";
import type { JsonObject } from "../conditions/status-patch.ts";
import { conditionsOf } from "./image-outcome.ts";
import type { KindOutcome, StatusObject } from "./kind-reconciler.ts";

/** Whether an object is in order, and in what words that is told. */
export interface ReadyVerdict {
  readonly result: "ready" | "retry" | "stalled";
  /** Of the condition Ready. */
  readonly reason: string;
  readonly message: string;
  readonly status?: JsonObject;
  /** Of types other than kstatus's. */
  readonly findings?: readonly Finding[];
  readonly requeueAfterMs?: number;
  readonly error?: FairleadError;
}

/** What came of an object that is in order or not; events tell of it when it is not what its status says already. */
export function readyOutcome(raw: StatusObject, verdict: ReadyVerdict): KindOutcome {
  const { result, reason, message, status = {}, findings = [], requeueAfterMs } = verdict;
  const error =
    verdict.error ?? (result === "ready" ? undefined : new FairleadError("object-invalid", message));
  const known = readyConditionOf(conditionsOf(raw));
  const isTold = known?.reason === reason && known.message === message;
  const type = result === "ready" ? "Normal" : "Warning";
  return {
    result,
    findings: [...conditionsFor(verdict), ...findings],
    status,
    occurrences: isTold ? [] : [{ type, reason, message }],
    ...(requeueAfterMs === undefined ? {} : { requeueAfterMs }),
    ...(error === undefined ? {} : { error }),
  };
}

/** Of an object that its user has suspended nothing is looked at. */
export const suspendedOutcome: KindOutcome = {
  result: "suspended",
  findings: [],
  status: {},
  occurrences: [],
};

function conditionsFor({ result, reason, message }: ReadyVerdict): readonly Finding[] {
  if (result === "ready") return readyConditions(message);
  return result === "retry" ? retryConditions(reason, message) : stalledConditions(reason, message);
}
