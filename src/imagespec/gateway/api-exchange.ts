import type { Readable } from "node:stream";
import type { RequestInfo } from "./request-info.ts";

/** Header fields by their lower-case names; several of one name are a list. */
export type HeaderFields = Readonly<Record<string, string | readonly string[]>>;

/** A client's request to the Kubernetes API, ready to go upstream: who asks is in its headers. */
export interface ApiRequest {
  readonly method: string;
  /** Path and query, as the client sent them. */
  readonly target: string;
  readonly info: RequestInfo;
  /** Without what concerns one connection, and without what a client may not say of itself. */
  readonly headers: HeaderFields;
  /** Undefined where there is none. */
  readonly body: Readable | undefined;
  /** Aborted when the client leaves or the gateway gives up. */
  readonly signal: AbortSignal;
}

/** A request as it is sent upstream. */
export interface UpstreamRequest extends Pick<ApiRequest, "method" | "target" | "headers" | "signal"> {
  readonly body?: Readable | Uint8Array | undefined;
}

export interface ApiResponse {
  readonly status: number;
  /** Without what concerns one connection. */
  readonly headers: HeaderFields;
  readonly body: Readable | Uint8Array;
}

/** The API server behind the gateway. */
export interface Upstream {
  /** @throws FairleadError `upstream-unreachable`, `aborted` */
  send(request: UpstreamRequest): Promise<ApiResponse>;
}

/** Answers a request with what upstream says, in the view that the gateway's clients have. */
export type Translate = (request: ApiRequest, upstream: Upstream) => Promise<ApiResponse>;
