import { FairleadError } from "../../../core/error.ts";
import type { TLSSocket } from "node:tls";
import { connectUpstream, type UpstreamTls } from "./connect.ts";
import { PooledSession, type SessionTimes } from "./pooled-session.ts";
import type { UpstreamAddress } from "./upstream-address.ts";

/** With 100 requests each. */
const maxSessions = 300;

export interface SessionPoolOptions {
  readonly address: UpstreamAddress;
  readonly tls: UpstreamTls;
  readonly times: SessionTimes;
  /** Told when a session is opened (1) or has closed (-1). */
  readonly onSessions: (change: number) => void;
}

/** HTTP/2 connections to one server under one identity: as many as the open requests need. */
export class SessionPool {
  readonly #options: SessionPoolOptions;
  readonly #sessions = new Set<PooledSession>();
  #opening: { readonly session: Promise<PooledSession | undefined>; waiting: number } | undefined;
  #connecting = 0;
  #isClosed = false;

  constructor(options: SessionPoolOptions) {
    this.#options = options;
  }

  /**
   * A session with room for one more request, to be used at once; undefined where the server has no HTTP/2.
   * @throws FairleadError `upstream-unreachable`
   */
  acquire(): PooledSession | Promise<PooledSession | undefined> {
    // The first ones are filled first, so that the last ones become idle and close.
    for (const session of this.#sessions) if (session.hasRoom) return session;
    return this.#acquireNew();
  }

  /** Takes no more requests; sessions close behind their last one. */
  retire(): void {
    this.#isClosed = true;
    for (const session of this.#sessions) session.end();
  }

  destroy(): void {
    this.#isClosed = true;
    for (const session of this.#sessions) session.destroy();
  }

  async #acquireNew(): Promise<PooledSession | undefined> {
    for (;;) {
      const opening = this.#openOne();
      opening.waiting += 1;
      const opened = await opening.session;
      if (opened === undefined || opened.hasRoom) return opened;
      for (const session of this.#sessions) if (session.hasRoom) return session;
    }
  }

  /** The connection that is being made, unless as many wait for it as it will hold. */
  #openOne(): { readonly session: Promise<PooledSession | undefined>; waiting: number } {
    const present = this.#opening;
    if (present !== undefined && present.waiting < 100) return present;
    if (this.#isClosed || this.#sessions.size + this.#connecting >= maxSessions) {
      throw new FairleadError("upstream-unreachable", "the gateway has too many requests open", {
        retryable: true,
      });
    }
    const opening = { session: this.#open(), waiting: 0 };
    const forget = (): void => {
      this.#connecting -= 1;
      if (this.#opening === opening) this.#opening = undefined;
    };
    this.#opening = opening;
    this.#connecting += 1;
    opening.session.then(forget, forget);
    return opening;
  }

  async #open(): Promise<PooledSession | undefined> {
    const { address, tls, times, onSessions } = this.#options;
    const socket = await connectUpstream(address, tls, "any");
    if ((socket as TLSSocket).alpnProtocol !== "h2") {
      socket.destroy();
      return undefined;
    }
    const session = new PooledSession(address, socket, times, () => {
      this.#sessions.delete(session);
      onSessions(-1);
    });
    this.#sessions.add(session);
    onSessions(1);
    // Who waits for it may use it still.
    if (this.#isClosed) setImmediate(() => session.end());
    return session;
  }
}
