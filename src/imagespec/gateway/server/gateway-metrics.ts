import { Counter, formatMetrics, Gauge, Histogram } from "../../../serving/metric.ts";
import type { RequestInfo } from "../request-info.ts";

const verbs: ReadonlySet<string> = new Set([
  "create",
  "delete",
  "deletecollection",
  "get",
  "list",
  "patch",
  "post",
  "proxy",
  "put",
  "update",
  "watch",
]);

const secondsBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60];

/** What the gateway tells Prometheus. */
export class GatewayMetrics {
  readonly inFlight: Gauge = new Gauge("fairlead_gateway_requests_in_flight", "Requests being answered.");
  readonly openWatches: Gauge = new Gauge("fairlead_gateway_open_watches", "Watches being answered.");
  readonly openUpgrades: Gauge = new Gauge("fairlead_gateway_open_upgrades", "Upgraded connections.");
  readonly upgrades: Counter = new Counter("fairlead_gateway_upgrades_total", "Upgrades by status.");
  readonly upstreamSessions: Gauge = new Gauge(
    "fairlead_gateway_upstream_sessions",
    "HTTP/2 connections to the API server by identity.",
  );
  readonly upstreamErrors: Counter = new Counter(
    "fairlead_gateway_upstream_errors_total",
    "Requests that the API server could not be asked, by error code.",
  );
  readonly reloads: Counter = new Counter(
    "fairlead_gateway_certificate_reloads_total",
    "Changed certificate files by result.",
  );
  readonly #requests = new Counter(
    "fairlead_gateway_requests_total",
    "Requests by verb, resource and status.",
  );
  readonly #seconds = new Histogram(
    "fairlead_gateway_request_duration_seconds",
    "How long requests took, watches and upgrades left out.",
    secondsBounds,
  );
  readonly #bytes = new Counter("fairlead_gateway_response_bytes_total", "Bytes of bodies that clients got.");

  /** Counts a request that is over. */
  served(info: RequestInfo, status: number, durationMs: number, bytes: number): void {
    const verb = verbs.has(info.verb) ? info.verb : "other";
    // A name that the API server has not confirmed would let anybody fill the memory.
    const resource = status < 400 ? (info.resource?.resource ?? "") : "";
    this.#requests.increment({ verb, resource, code: String(status) });
    if (verb !== "watch") this.#seconds.observe(durationMs / 1000, { verb });
    this.#bytes.increment({}, bytes);
  }

  /** All of them in Prometheus's text format. */
  format(): string {
    return formatMetrics([
      this.#requests,
      this.#seconds,
      this.#bytes,
      this.inFlight,
      this.openWatches,
      this.openUpgrades,
      this.upgrades,
      this.upstreamSessions,
      this.upstreamErrors,
      this.reloads,
    ]);
  }
}
