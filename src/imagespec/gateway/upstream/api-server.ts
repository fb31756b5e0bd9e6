import { Agent } from "node:http";
import { Agent as SecureAgent } from "node:https";
import type { Socket } from "node:net";
import { FairleadError } from "../../../core/error.ts";
import type { ApiResponse, HeaderFields, Upstream, UpstreamRequest } from "../api-exchange.ts";
import { aborted, connectUpstream, tlsOptions, type UpstreamTls } from "./connect.ts";
import { exchangeByHttp1 } from "./http1-exchange.ts";
import { exchangeByHttp2 } from "./http2-exchange.ts";
import type { SessionTimes } from "./pooled-session.ts";
import { SessionPool } from "./session-pool.ts";
import type { UpstreamAddress } from "./upstream-address.ts";

const maxAttempts = 3;
const standardTimes: SessionTimes = { idleMs: 60_000, pingMs: 30_000, pongMs: 15_000 };

export interface ApiServerOptions {
  readonly address: UpstreamAddress;
  readonly tls: UpstreamTls;
  readonly times?: Partial<SessionTimes>;
  /** Told when a connection is opened (1) or has closed (-1). */
  readonly onSessions: (change: number) => void;
}

/** The API server under one identity of the gateway's: HTTP/2 where it is spoken, else HTTP/1.1. */
export class ApiServer implements Upstream {
  readonly address: UpstreamAddress;
  readonly #options: ApiServerOptions;
  #tls: UpstreamTls;
  #agent: Agent;
  /** Undefined where the server has no HTTP/2. */
  #pool: SessionPool | undefined;

  constructor(options: ApiServerOptions) {
    this.#options = options;
    this.address = options.address;
    this.#tls = options.tls;
    this.#agent = this.#createAgent();
    this.#pool = this.#createPool();
  }

  async send(request: UpstreamRequest): Promise<ApiResponse> {
    const headers = withLength(request);
    for (let attempt = 1; ; attempt++) {
      if (request.signal.aborted) throw aborted();
      try {
        return await this.#sendOnce(request, headers);
      } catch (error) {
        const isSafe = error instanceof FairleadError && error.retryable && isReplayable(request);
        if (!isSafe || attempt === maxAttempts) throw error;
      }
    }
  }

  /** A connection of HTTP/1.1 for one upgrade. @throws FairleadError `upstream-unreachable` */
  async connect(): Promise<Socket> {
    return connectUpstream(this.address, this.#tls, "http/1.1");
  }

  /** Uses other certificates from now on; what is open goes on under the old ones. */
  reload(tls: UpstreamTls): void {
    this.#tls = tls;
    this.#pool?.retire();
    this.#agent = this.#createAgent();
    this.#pool = this.#createPool();
  }

  /** Ends all connections. */
  close(): void {
    this.#pool?.destroy();
    this.#agent.destroy();
  }

  async #sendOnce(request: UpstreamRequest, headers: HeaderFields): Promise<ApiResponse> {
    const pool = this.#pool;
    const acquired = pool?.acquire();
    const session = acquired instanceof Promise ? await acquired : acquired;
    if (session !== undefined) return exchangeByHttp2(session, this.address, request, headers);
    if (this.#pool === pool) this.#pool = undefined;
    return exchangeByHttp1(this.#agent, this.address, request, headers);
  }

  #createAgent(): Agent {
    const options = {
      keepAlive: true,
      keepAliveMsecs: 30_000,
      maxFreeSockets: 100,
      scheduling: "lifo",
    } as const;
    return this.address.isSecure
      ? new SecureAgent({ ...options, ...tlsOptions(this.address, this.#tls), ALPNProtocols: ["http/1.1"] })
      : new Agent(options);
  }

  #createPool(): SessionPool | undefined {
    const { address, times, onSessions } = this.#options;
    if (!address.isSecure) return undefined;
    return new SessionPool({ address, tls: this.#tls, times: { ...standardTimes, ...times }, onSessions });
  }
}

/** A length that does not fit what is sent would let a server read on into the next request. */
function withLength({ headers, body }: UpstreamRequest): HeaderFields {
  const told = headers["content-length"];
  if (body instanceof Uint8Array) return { ...headers, "content-length": String(body.length) };
  if (body !== undefined || told === undefined || told === "0") return headers;
  const { "content-length": _dropped, ...rest } = headers;
  return rest;
}

function isReplayable({ body }: UpstreamRequest): boolean {
  return body === undefined || body instanceof Uint8Array;
}
