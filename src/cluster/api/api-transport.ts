import type { Dispatcher } from "undici";
import { type ErrorCode, FairleadError } from "../../core/error.ts";
import { createRedactor, type Redactor } from "../../core/redaction.ts";
import { untilAborted } from "../../registry/transport/call.ts";
import { readBody } from "../../registry/transport/http-exchange.ts";
import type { Environment } from "../../registry/transport/proxy-choice.ts";
import { joinHeaders } from "../../registry/transport/response-headers.ts";
import { failureOfAnswer, unreachable } from "./api-failure.ts";
import type { ClusterAccess, Credentials } from "./cluster-access.ts";
import { Connections } from "./connections.ts";

/** How a request went. */
export interface ApiExchange {
  readonly host: string;
  readonly method: string;
  /** Undefined: there was no answer. */
  readonly status: number | undefined;
}

export interface ApiTransportOptions {
  /** Where a proxy stands that the kubeconfig does not name. */
  readonly environment?: Environment;
  readonly userAgent?: string;
  /** Told of each request, for metrics. */
  readonly onExchange?: (exchange: ApiExchange) => void;
}

export interface ApiRequest {
  /** Method and path, for messages. */
  readonly subject: string;
  readonly method: Dispatcher.HttpMethod;
  /** Path and query below the server's address. */
  readonly target: string;
  readonly contentType?: string | undefined;
  readonly body?: string | undefined;
}

/** What shows that a server is away, or was. */
const signsOfAbsence: ReadonlySet<ErrorCode> = new Set([
  "upstream-unreachable",
  "upstream-failed",
  "timeout",
]);
/** For so long after that it may not have read its rules. */
const startingMs = 60_000;

/** Sends requests once, with the credentials of the moment. */
export class ApiTransport {
  readonly #access: ClusterAccess;
  readonly #connections: Connections;
  readonly #userAgent: string;
  readonly #onExchange: ((exchange: ApiExchange) => void) | undefined;
  #awayMs = Number.NEGATIVE_INFINITY;

  constructor(access: ClusterAccess, options: ApiTransportOptions) {
    const { environment = {}, userAgent = "fairlead", onExchange } = options;
    this.#access = access;
    this.#connections = new Connections(access, environment);
    this.#userAgent = userAgent;
    this.#onExchange = onExchange;
  }

  /** The whole body of a success. @throws FairleadError for anything else, and the signal's reason */
  async read(request: ApiRequest, signal: AbortSignal, maxBytes: number): Promise<Uint8Array> {
    try {
      const body = await this.open(request, signal);
      return await readBody(body, { success: true, maxBytes, url: this.#access.server });
    } catch (error) {
      throw this.reasonOf(error, signal);
    }
  }

  /** The body of a success as it comes. @throws FairleadError for anything else, and the signal's reason */
  async open(request: ApiRequest, signal: AbortSignal): Promise<Dispatcher.ResponseData["body"]> {
    try {
      for (let wasRefused = false; ; wasRefused = true) {
        const credentials = await untilAborted(signal, this.#access.credentials());
        const response = await this.#exchange(request, credentials, signal);
        const { statusCode: status, body } = response;
        // A body that is given up tells so once more, when nobody reads it.
        body.on("error", () => undefined);
        if (status >= 200 && status < 300) return body;
        const told = await readBody(body, { success: false, maxBytes: 0, url: this.#access.server });
        // The token may have been renewed since it was read.
        if (status === 401 && !wasRefused) {
          await this.#access.refuse(credentials);
          continue;
        }
        const redact = redactorOf(credentials);
        const retryAfter = joinHeaders(response.headers)["retry-after"];
        const text = Buffer.from(redact(Buffer.from(told).toString()));
        const isStarting = performance.now() - this.#awayMs <= startingMs;
        throw failureOfAnswer({ subject: request.subject, status, retryAfter, isStarting, body: text });
      }
    } catch (error) {
      throw this.reasonOf(error, signal);
    }
  }

  /** What a request failed of: that it was ended counts more than what came of it. */
  reasonOf(error: unknown, signal: AbortSignal): unknown {
    const failure = error instanceof FairleadError ? error : unreachable(error);
    const reason: unknown = signal.aborted ? signal.reason : failure;
    if (!(reason instanceof FairleadError)) return reason;
    if (signsOfAbsence.has(reason.code)) this.#awayMs = performance.now();
    // Where one connection is silently lost, those that were kept beside it are too.
    if (signal.aborted && reason.code === "timeout") this.#connections.retire();
    return reason;
  }

  async close(): Promise<void> {
    await this.#connections.close();
  }

  async #exchange(
    request: ApiRequest,
    credentials: Credentials,
    signal: AbortSignal,
  ): Promise<Dispatcher.ResponseData> {
    const { host } = this.#access.server;
    let status: number | undefined;
    try {
      const response = await this.#send(request, credentials, signal);
      status = response.statusCode;
      return response;
    } finally {
      this.#onExchange?.({ host, method: request.method, status });
    }
  }

  async #send(
    { method, target, contentType, body }: ApiRequest,
    { headers, tls }: Credentials,
    signal: AbortSignal,
  ): Promise<Dispatcher.ResponseData> {
    const { origin, pathname } = this.#access.server;
    const dispatcher = await this.#connections.dispatcherFor(tls);
    return dispatcher.request({
      origin,
      path: pathname.replace(/\/$/u, "") + target,
      method,
      headers: {
        ...headers,
        accept: "application/json",
        "accept-encoding": "identity",
        "user-agent": this.#userAgent,
        ...(contentType === undefined ? {} : { "content-type": contentType }),
      },
      body: body ?? null,
      signal,
      // Calls and watches have their own time.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }
}

function redactorOf({ headers }: Credentials): Redactor {
  const { Authorization: value = "" } = headers;
  return createRedactor([value, value.slice(value.indexOf(" ") + 1)]);
}
