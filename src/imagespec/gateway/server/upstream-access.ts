import type { HeaderFields, Upstream, UpstreamRequest, ApiResponse } from "../api-exchange.ts";
import { FairleadError } from "../../../core/error.ts";
import { ApiServer } from "../upstream/api-server.ts";
import type { UpstreamTls } from "../upstream/connect.ts";
import type { UpstreamAddress } from "../upstream/upstream-address.ts";
import type { ClientConnection } from "./client-connection.ts";
import type { GatewayMetrics } from "./gateway-metrics.ts";

/** One way to the API server, which counts what goes wrong. */
export interface UpstreamRoute extends Upstream {
  readonly server: ApiServer;
}

/**
 * Two ways to the API server that share no connection: under the front-proxy certificate the API server believes
 * `X-Remote-User`, so only requests whose client the gateway has verified itself go that way.
 */
export class UpstreamAccess {
  readonly plain: UpstreamRoute;
  readonly #proxied: UpstreamRoute | undefined;
  /** When the API server last answered. */
  #answeredAtMs = Number.NEGATIVE_INFINITY;

  constructor(address: UpstreamAddress, tls: UpstreamTls, metrics: GatewayMetrics) {
    const route = (identity: string, routeTls: UpstreamTls): UpstreamRoute => {
      const server = new ApiServer({
        address,
        tls: routeTls,
        onSessions: (change) => metrics.upstreamSessions.add(change, { identity }),
      });
      return { server, send: async (request) => this.#send(server, request, metrics) };
    };
    this.plain = route("client", { ca: tls.ca });
    this.#proxied = tls.cert === undefined ? undefined : route("front-proxy", tls);
  }

  /** The way for a client's requests. */
  routeFor({ identity }: ClientConnection): UpstreamRoute {
    return identity === undefined || this.#proxied === undefined ? this.plain : this.#proxied;
  }

  answeredWithinMs(ms: number): boolean {
    return performance.now() - this.#answeredAtMs < ms;
  }

  reload(tls: UpstreamTls): void {
    this.plain.server.reload({ ca: tls.ca });
    this.#proxied?.server.reload(tls);
  }

  close(): void {
    this.plain.server.close();
    this.#proxied?.server.close();
  }

  async #send(server: ApiServer, request: UpstreamRequest, metrics: GatewayMetrics): Promise<ApiResponse> {
    try {
      const answer = await server.send(request);
      if (answer.status < 500) this.#answeredAtMs = performance.now();
      return answer;
    } catch (error) {
      const code = error instanceof FairleadError ? error.code : "internal";
      if (code !== "aborted") metrics.upstreamErrors.increment({ code });
      throw error;
    }
  }
}

const probeEveryMs = 5000;
const probeTimeoutMs = 5000;
const noHeaders: HeaderFields = {};

/** Asks the API server now and then whether it is there; any answer but a failure of its own says so. */
export function startProbe(access: UpstreamAccess): { stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  const stopped = new AbortController();
  const probe = async (): Promise<void> => {
    if (!access.answeredWithinMs(probeEveryMs)) {
      const signal = AbortSignal.any([stopped.signal, AbortSignal.timeout(probeTimeoutMs)]);
      try {
        const { body } = await access.plain.send({
          method: "GET",
          target: "/readyz",
          headers: noHeaders,
          signal,
        });
        if (!(body instanceof Uint8Array)) body.on("error", () => undefined).resume();
      } catch {
        // It is counted, and readiness tells that no answer came.
      }
    }
    if (!stopped.signal.aborted) timer = setTimeout(() => void probe(), probeEveryMs).unref();
  };
  void probe();
  return {
    stop: () => {
      stopped.abort();
      clearTimeout(timer);
    },
  };
}
