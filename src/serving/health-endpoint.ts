import { metricsContentType } from "./metric.ts";
import type { Handler } from "./listener.ts";
import { answerText, refuse } from "./response.ts";

/** What is told to Prometheus. */
export interface MetricsSource {
  /** In its text format. */
  format(): string;
}

/** Whether the process works, and whether it can do its work; a text says why not. */
export interface Health {
  /** Undefined: it can. */
  unreadyReason(): string | undefined;
}

/** `/metrics` for Prometheus, `/healthz` and `/readyz` for Kubernetes. */
export function createHealthHandler(metrics: MetricsSource, health: Health): Handler {
  return (request, response) => {
    const path = new URL(request.url ?? "/", "http://localhost").pathname;
    if (request.method !== "GET" && request.method !== "HEAD") {
      refuse(response, 405, "only GET", { allow: "GET, HEAD", connection: "close" });
    } else if (path === "/metrics") {
      answerText(response, 200, metrics.format(), { "content-type": metricsContentType });
    } else if (path === "/healthz") {
      answerText(response, 200, "ok\n");
    } else if (path === "/readyz") {
      const reason = health.unreadyReason();
      answerText(response, reason === undefined ? 200 : 503, `${reason ?? "ok"}\n`);
    } else {
      refuse(response, 404, "there are /metrics, /healthz and /readyz");
    }
  };
}
