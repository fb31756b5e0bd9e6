import { FairleadError } from "../../core/error.ts";
import { compileCel } from "../cel/cel-expression.ts";
import type { NotificationEvent } from "../event.ts";
import type { Alert } from "../objects/alert.ts";
import type { Provider } from "../objects/provider.ts";

/** Git hosts take less; and a context that long helps nobody. */
const maxContextLength = 1024;
/** What an expression sees of a text. */
const maxTextLength = 64 * 1024;

export interface CommitStatusSubject {
  readonly event: NotificationEvent;
  /** As RFC-0008 combines it. */
  readonly metadata: Readonly<Record<string, string>>;
  readonly alert: Alert;
  readonly provider: Provider;
}

/**
 * The context of a commit status by a Provider's `commitStatusExpr`, over `event`, `alert` and `provider` as they are
 * in Kubernetes.
 * @returns undefined where the Provider has none
 * @throws FairleadError `config-invalid`
 */
export async function commitStatusOf(subject: CommitStatusSubject): Promise<string | undefined> {
  const { provider, alert } = subject;
  const expression = provider.spec.commitStatusExpr;
  if (expression === undefined) return undefined;
  const program = await compileCel(expression, ["event", "alert", "provider"]);
  const result = program.evaluate({
    event: eventValue(subject),
    alert: objectValue(alert, alertSpec(alert)),
    provider: objectValue(provider, providerSpec(provider)),
  });
  if (typeof result === "string" && result.length <= maxContextLength) return result;
  const problem =
    typeof result === "string" ? `gives more than ${maxContextLength} characters` : "gives no string";
  throw new FairleadError("config-invalid", `spec.commitStatusExpr ${problem}`);
}

function eventValue({ event, metadata }: CommitStatusSubject): unknown {
  const { involvedObject, relatedObject, timestamp, severity, reason, reportingController } = event;
  return {
    involvedObject,
    ...(relatedObject && { relatedObject }),
    severity,
    timestamp,
    message: event.message.slice(0, maxTextLength),
    reason,
    ...(event.action !== undefined && { action: event.action }),
    metadata: Object.fromEntries(
      Object.entries(metadata).map(([key, value]) => [key, value.slice(0, maxTextLength)]),
    ),
    reportingController,
    ...(event.reportingInstance !== undefined && { reportingInstance: event.reportingInstance }),
  };
}

function objectValue({ kind, apiVersion, meta }: Alert | Provider, spec: unknown): unknown {
  const { namespace, name, uid, labels, annotations, generation } = meta;
  const metadata = {
    namespace,
    name,
    ...(uid && { uid }),
    labels: { ...labels },
    annotations: { ...annotations },
  };
  return { apiVersion, kind, metadata: { ...metadata, generation }, spec };
}

function alertSpec({ spec }: Alert): unknown {
  return { ...spec, eventMetadata: { ...spec.eventMetadata } };
}

function providerSpec({ spec }: Provider): unknown {
  const { timeoutMs, address, channel, username, proxy: _proxy, ...rest } = spec;
  return {
    ...rest,
    timeout: `${timeoutMs / 1000}s`,
    ...(address !== "" && { address }),
    ...(channel !== "" && { channel }),
    ...(username !== "" && { username }),
  };
}
