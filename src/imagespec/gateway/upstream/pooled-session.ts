import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  type ClientSessionRequestOptions,
  connect,
  type OutgoingHttpHeaders,
} from "node:http2";
import type { Socket } from "node:net";
import type { UpstreamAddress } from "./upstream-address.ts";

export interface SessionTimes {
  /** How long a session without requests stays open. */
  readonly idleMs: number;
  /** How often a peer is asked whether it is alive, and how long it may take to say so. */
  readonly pingMs: number;
  readonly pongMs: number;
}

/** What kube-apiserver takes, and any server should (RFC 9113 §6.5.2). */
const streamsUntilTold = 100;
/** More than one connection may hold, whatever the peer allows: what one broken connection ends stays small. */
const maxStreams = 250;
/** Enough for a large list in a few round trips; what a slow client leaves waiting is bounded by it. */
const windowBytes = 256 * 1024;
const connectionWindowBytes = 4 * 1024 * 1024;
const maxSessionMemoryMb = 64;

/** One HTTP/2 connection to the API server. */
export class PooledSession {
  readonly #session: ClientHttp2Session;
  readonly #times: SessionTimes;
  readonly #pings: NodeJS.Timeout;
  #open = 0;
  #isEnding = false;
  #idle: NodeJS.Timeout | undefined;

  constructor(address: UpstreamAddress, socket: Socket, times: SessionTimes, onClose: () => void) {
    this.#times = times;
    this.#session = connect(`https://${address.authority}`, {
      createConnection: () => socket,
      settings: { enablePush: false, initialWindowSize: windowBytes },
      maxSessionMemory: maxSessionMemoryMb,
    });
    this.#session.on("connect", () => this.#session.setLocalWindowSize(connectionWindowBytes));
    this.#session.on("goaway", () => this.end());
    // The requests on it fail each for itself.
    this.#session.on("error", () => undefined);
    this.#pings = setInterval(() => this.#ping(), times.pingMs).unref();
    this.#session.once("close", () => {
      this.#isEnding = true;
      clearInterval(this.#pings);
      clearTimeout(this.#idle);
      onClose();
    });
    this.#restWhenIdle();
  }

  get open(): number {
    return this.#open;
  }

  /** Whether one more request may be sent on it. */
  get hasRoom(): boolean {
    return !this.#isEnding && !this.#session.closed && !this.#session.destroyed && this.#open < this.capacity;
  }

  get capacity(): number {
    const told = this.#session.remoteSettings?.maxConcurrentStreams ?? streamsUntilTold;
    return Math.max(1, Math.min(told, maxStreams));
  }

  /** @throws what node:http2 throws for headers that it cannot send, or on a session that is closed */
  request(headers: OutgoingHttpHeaders, options: ClientSessionRequestOptions): ClientHttp2Stream {
    const stream = this.#session.request(headers, options);
    clearTimeout(this.#idle);
    this.#open += 1;
    stream.once("close", () => {
      this.#open -= 1;
      this.#restWhenIdle();
    });
    return stream;
  }

  /** Takes no more requests and closes behind the last one. */
  end(): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    if (!this.#session.destroyed) this.#session.close();
  }

  destroy(): void {
    this.#isEnding = true;
    this.#session.destroy();
  }

  #restWhenIdle(): void {
    if (this.#open > 0 || this.#isEnding) return;
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.end(), this.#times.idleMs).unref();
  }

  /** A peer that is gone without a word is found out, and its requests fail. */
  #ping(): void {
    if (this.#session.destroyed || this.#session.connecting) return;
    const deadline = setTimeout(() => this.destroy(), this.#times.pongMs).unref();
    this.#session.ping((error) => {
      clearTimeout(deadline);
      if (error !== null) this.destroy();
    });
  }
}
