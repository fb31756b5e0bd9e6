import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Logger } from "../../../core/log.ts";
import { responseHeaders } from "../header-fields.ts";
import { failureOf, failureStatus } from "../failure-status.ts";
import { readRequestInfo } from "../request-info.ts";
import { joinSockets, requestUpgrade } from "../upstream/tunnel.ts";
import { logRequest } from "./access-log.ts";
import { connectionOf } from "./client-connection.ts";
import { forwardedHeaders } from "./forwarded-headers.ts";
import type { GatewayMetrics } from "./gateway-metrics.ts";
import { refuseTarget } from "./request-handler.ts";
import type { UpstreamAccess } from "./upstream-access.ts";
import { formatClosingAnswer, formatHead } from "./web-server.ts";

export interface UpgradeHandlerOptions {
  readonly access: UpstreamAccess;
  readonly metrics: GatewayMetrics;
  readonly log: Logger;
}

/** Carries exec, attach, port-forward and upgrades to proxied servers (SPDY and websockets). */
export class UpgradeHandler {
  readonly #options: UpgradeHandlerOptions;
  readonly #open = new Set<Duplex>();
  #isDraining = false;
  #onIdle: () => void = () => undefined;

  constructor(options: UpgradeHandlerOptions) {
    this.#options = options;
  }

  /** Serves one upgraded connection to its end; never throws. */
  async serve(request: IncomingMessage, client: Duplex, head: Buffer): Promise<void> {
    const startedAt = performance.now();
    const { metrics, log } = this.#options;
    const { method = "", url = "" } = request;
    this.#open.add(client);
    metrics.openUpgrades.add(1);
    client.on("error", () => undefined);
    // Sockets of TLS servers would end their own half with the client's.
    Object.assign(client, { allowHalfOpen: true });
    let status = 502;
    try {
      status = await this.#carry(request, client, head);
    } catch (error) {
      const failure = failureOf(error);
      status = failure.status;
      client.end(formatClosingAnswer(failure));
    }
    this.#open.delete(client);
    metrics.openUpgrades.add(-1);
    metrics.upgrades.increment({ code: String(status) });
    logRequest(log, {
      method,
      info: readRequestInfo(method, url),
      userAgent: request.headers["user-agent"],
      user: undefined,
      status,
      durationMs: performance.now() - startedAt,
      bytes: 0,
      isBroken: false,
    });
    if (this.#open.size === 0) this.#onIdle();
  }

  /** Refuses what is new and waits for the end of what is open. */
  async drain(): Promise<void> {
    this.#isDraining = true;
    if (this.#open.size === 0) return;
    await new Promise<void>((resolve) => {
      this.#onIdle = resolve;
    });
  }

  /** Gives up what is still open. */
  abort(): void {
    for (const client of this.#open) client.destroy();
  }

  /** @returns the status that upstream answered */
  async #carry(request: IncomingMessage, client: Duplex, head: Buffer): Promise<number> {
    const { method = "", url: target = "", headers: asked } = request;
    const refused = this.#isDraining
      ? failureStatus(503, "the gateway is shutting down", { "retry-after": "1" })
      : (refuseTarget(method, target) ?? refuseBody(asked));
    if (refused !== undefined) {
      client.end(formatClosingAnswer(refused));
      return refused.status;
    }
    const connection = connectionOf(request);
    const controller = new AbortController();
    const leave = (): void => controller.abort();
    client.once("close", leave);
    const { answer, upgraded } = await requestUpgrade(this.#options.access.routeFor(connection).server, {
      method,
      target,
      headers: {
        ...forwardedHeaders(request, connection),
        connection: "Upgrade",
        upgrade: asked.upgrade ?? "",
      },
      signal: controller.signal,
    });
    const status = answer.statusCode ?? 502;
    const headers = responseHeaders(answer.rawHeaders);
    if (upgraded === undefined) {
      client.write(formatClosingAnswer({ status, headers, body: answer }));
      await pipeline(answer, client).catch(() => undefined);
      return status;
    }
    const { upgrade = "" } = answer.headers;
    client.write(formatHead(status, { ...headers, connection: "Upgrade", upgrade }));
    if (upgraded.head.length > 0) client.write(upgraded.head);
    if (head.length > 0) upgraded.socket.write(head);
    await joinSockets(client, upgraded.socket);
    return status;
  }
}

/** A body before the upgrade would leave it open where the tunnel begins. */
function refuseBody(headers: IncomingMessage["headers"]): ReturnType<typeof failureStatus> | undefined {
  const { "content-length": length = "0", "transfer-encoding": coding } = headers;
  return length === "0" && coding === undefined
    ? undefined
    : failureStatus(400, "a request for an upgrade has no body");
}
