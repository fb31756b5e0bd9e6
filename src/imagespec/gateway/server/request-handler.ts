import type { Logger } from "../../../core/log.ts";
import { FairleadError, messageOf } from "../../../core/error.ts";
import type { ApiResponse, Translate } from "../api-exchange.ts";
import { failureOf, failureStatus } from "../failure-status.ts";
import { readRequestInfo, type RequestInfo } from "../request-info.ts";
import { logRequest } from "./access-log.ts";
import { Answer } from "./answer.ts";
import { connectionOf } from "./client-connection.ts";
import { forwardedHeaders } from "./forwarded-headers.ts";
import type { GatewayMetrics } from "./gateway-metrics.ts";
import type { UpstreamAccess } from "./upstream-access.ts";
import type { ClientRequest, ClientResponse } from "./web-server.ts";

export interface RequestHandlerOptions {
  readonly access: UpstreamAccess;
  readonly translate: Translate;
  readonly metrics: GatewayMetrics;
  readonly log: Logger;
  /** How long a client may take to send a request whole. */
  readonly requestMs: number;
}

/** A request that is being answered. */
interface Exchange {
  readonly info: RequestInfo;
  readonly answer: Answer;
  readonly controller: AbortController;
}

const tooSlow: unique symbol = Symbol("too slow");

/** Answers ordinary requests. */
export class RequestHandler {
  readonly #options: RequestHandlerOptions;
  readonly #open = new Set<Exchange>();
  #isDraining = false;
  #onIdle: () => void = () => undefined;

  constructor(options: RequestHandlerOptions) {
    this.#options = options;
  }

  /** Answers one request; never throws. */
  async serve(request: ClientRequest, response: ClientResponse): Promise<void> {
    const startedAt = performance.now();
    const { metrics, log } = this.#options;
    const { method = "", url = "" } = request;
    const exchange = {
      info: readRequestInfo(method, url),
      answer: new Answer(method, response),
      controller: new AbortController(),
    };
    const { info, answer } = exchange;
    const isWatch = info.verb === "watch";
    this.#open.add(exchange);
    metrics.inFlight.add(1);
    if (isWatch) metrics.openWatches.add(1);
    void answer.done.then(() => exchange.controller.abort());
    request.on("error", () => exchange.controller.abort());

    const { reply, user } = await this.#reply(request, exchange);
    const isHttp1 = !("stream" in request);
    let outcome: "whole" | "broken" = "broken";
    try {
      answer.write(reply, this.#isDraining && isHttp1 ? { connection: "close" } : {});
      if (this.#isDraining && isWatch) answer.endAtLine();
      outcome = await answer.done;
    } catch (error) {
      log.error("an answer cannot be sent", { reason: messageOf(error) });
      response.destroy(new Error("the answer cannot be sent"));
    }

    this.#open.delete(exchange);
    metrics.inFlight.add(-1);
    if (isWatch) metrics.openWatches.add(-1);
    const durationMs = performance.now() - startedAt;
    metrics.served(info, reply.status, durationMs, answer.bytes);
    logRequest(log, {
      method,
      info,
      userAgent: request.headers["user-agent"],
      user,
      status: reply.status,
      durationMs,
      bytes: answer.bytes,
      isBroken: outcome === "broken",
    });
    if (this.#open.size === 0) this.#onIdle();
  }

  /** Ends watches, which clients take up elsewhere, and waits for all other requests. */
  async drain(): Promise<void> {
    this.#isDraining = true;
    for (const { info, answer } of this.#open) if (info.verb === "watch") answer.endAtLine();
    if (this.#open.size === 0) return;
    await new Promise<void>((resolve) => {
      this.#onIdle = resolve;
    });
  }

  /** Gives up what is still open. */
  abort(): void {
    for (const { controller } of this.#open) controller.abort();
  }

  async #reply(
    request: ClientRequest,
    { info, controller }: Exchange,
  ): Promise<{ readonly reply: ApiResponse; readonly user: string | undefined }> {
    const { method = "", url: target = "" } = request;
    let user: string | undefined;
    try {
      const refused = refuseTarget(method, target);
      if (refused !== undefined) return { reply: refused, user };
      const connection = connectionOf(request);
      user = connection.identity?.user;
      const hasBody = bodyFollows(request);
      if (hasBody) this.#limitUpload(request, controller);
      const { access, translate } = this.#options;
      const { signal } = controller;
      const headers = forwardedHeaders(request, connection);
      const body = hasBody ? request : undefined;
      const reply = await translate(
        { method, target, info, headers, body, signal },
        access.routeFor(connection),
      );
      return { reply, user };
    } catch (error) {
      if (controller.signal.reason === tooSlow) {
        return { reply: failureStatus(408, "the request was not sent in time"), user };
      }
      if (!(error instanceof FairleadError)) {
        this.#options.log.error("a request failed", { reason: messageOf(error) });
      }
      return { reply: failureOf(error), user };
    }
  }

  #limitUpload(request: ClientRequest, controller: AbortController): void {
    const timer = setTimeout(() => controller.abort(tooSlow), this.#options.requestMs);
    const clear = (): void => clearTimeout(timer);
    request.once("end", clear).once("close", clear);
  }
}

/** What no API server is asked. */
export function refuseTarget(method: string, target: string): ApiResponse | undefined {
  if (method === "CONNECT" || method === "TRACE") {
    return failureStatus(405, "the method is not allowed");
  }
  // Also the absolute form, which names a host beside the Host field.
  if (!/^\/[\u0021-\u007e]*$/u.test(target)) {
    return failureStatus(400, "the request target is no path");
  }
  return undefined;
}

function bodyFollows(request: ClientRequest): boolean {
  if ("stream" in request) return !request.stream.endAfterHeaders;
  const { "content-length": length, "transfer-encoding": coding } = request.headers;
  return coding !== undefined || (length !== undefined && length !== "0");
}
