import type { LogFields, Logger } from "../../../core/log.ts";
import type { RequestInfo } from "../request-info.ts";

/** Parameters of the Kubernetes API whose values say what is asked for, and no secret. */
const toldParameters: ReadonlySet<string> = new Set([
  "allowWatchBookmarks",
  "container",
  "dryRun",
  "fieldManager",
  "fieldSelector",
  "fieldValidation",
  "follow",
  "force",
  "gracePeriodSeconds",
  "labelSelector",
  "limit",
  "ports",
  "pretty",
  "previous",
  "propagationPolicy",
  "resourceVersion",
  "resourceVersionMatch",
  "sendInitialEvents",
  "sinceSeconds",
  "stderr",
  "stdin",
  "stdout",
  "tailLines",
  "timeout",
  "timeoutSeconds",
  "tty",
  "watch",
]);

/** Of one text from outside. */
const maxLength = 512;

/** What is told of a request when it is over. */
export interface ServedRequest {
  readonly method: string;
  readonly info: RequestInfo;
  readonly userAgent: string | undefined;
  /** By certificate; who a token belongs to is known to the API server alone. */
  readonly user: string | undefined;
  readonly status: number;
  readonly durationMs: number;
  readonly bytes: number;
  /** Whether the client got less than all of the answer. */
  readonly isBroken: boolean;
}

/** Logs a request without its headers, its body, and values of its query that may be secret. */
export function logRequest(log: Logger, served: ServedRequest): void {
  const fields: LogFields = {
    method: served.method.slice(0, maxLength),
    path: toldTarget(served.info),
    user: served.user,
    userAgent: served.userAgent?.slice(0, maxLength),
    status: served.status,
    durationMs: Math.round(served.durationMs * 10) / 10,
    bytes: served.bytes,
    broken: served.isBroken ? true : undefined,
  };
  log.info("request", fields);
}

/** Path and query as they may be told: what a proxied server is asked for is its own matter. */
function toldTarget({ path, query, verb, resource }: RequestInfo): string {
  const proxied = verb === "proxy" || resource?.subresource === "proxy" ? path.search(/\/proxy(?=\/)/u) : -1;
  const told = proxied === -1 ? path : `${path.slice(0, proxied)}/proxy/…`;
  const parameters = new Set(
    Array.from(query, ([name, value]) => (toldParameters.has(name) ? `${name}=${value}` : "…")),
  );
  return (parameters.size === 0 ? told : `${told}?${[...parameters].join("&")}`).slice(0, maxLength);
}
