import type { HttpMetrics } from "../metrics/server-metrics.ts";
import type { Handler } from "../../serving/listener.ts";

/** Measures what a handler answers, as notification-controller does. @param path the one that is told */
export function instrument(metrics: HttpMetrics, path: string, handler: Handler): Handler {
  const service = { service: "" };
  return async (request, response) => {
    const startMs = performance.now();
    metrics.inflight.add(1, { handler: path, ...service });
    response.once("close", () => {
      metrics.inflight.add(-1, { handler: path, ...service });
      const labels = {
        code: String(response.statusCode),
        handler: path,
        method: methodOf(request.method),
        ...service,
      };
      metrics.duration.observe((performance.now() - startMs) / 1000, labels);
      metrics.size.observe(Number(response.getHeader("content-length") ?? 0), labels);
    });
    await handler(request, response);
  };
}

/** Methods are the client's to invent. */
function methodOf(method = ""): string {
  return ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"].includes(method) ? method : "OTHER";
}
