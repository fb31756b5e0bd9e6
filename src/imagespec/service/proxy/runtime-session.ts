import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  type OutgoingHttpHeaders,
} from "node:http2";
import { connect as connectSocket } from "node:net";

/** As gRPC's own clients take. */
const windowBytes = 1024 * 1024;
const maxSessionMemoryMb = 128;

/** The HTTP/2 connection to a runtime's socket, made when it is needed and made anew when it has ended. */
export class RuntimeSession {
  readonly #socket: string;
  #session: ClientHttp2Session | undefined;
  #isRefused = false;

  /** @param socket its absolute path */
  constructor(socket: string) {
    this.#socket = socket;
  }

  /** Whether the last attempt to connect failed. */
  get isRefused(): boolean {
    return this.#isRefused;
  }

  /** Begins a request; a runtime that does not answer ends the stream with an error. */
  request(headers: OutgoingHttpHeaders): ClientHttp2Stream {
    return this.#current().request(headers);
  }

  /** Takes no more requests, and ends behind the last. */
  close(): void {
    this.#session?.close();
  }

  destroy(): void {
    this.#session?.destroy();
  }

  #current(): ClientHttp2Session {
    const known = this.#session;
    if (known !== undefined && !known.closed && !known.destroyed) return known;
    const session = connect("http://localhost", {
      createConnection: () => connectSocket(this.#socket),
      settings: { enablePush: false, initialWindowSize: windowBytes },
      maxSessionMemory: maxSessionMemoryMb,
    });
    let isConnected = false;
    session.on("connect", () => {
      isConnected = true;
      this.#isRefused = false;
      session.setLocalWindowSize(windowBytes);
    });
    session.on("goaway", () => session.close());
    // The requests on it fail each for itself.
    session.on("error", () => undefined);
    session.on("close", () => {
      if (!isConnected) this.#isRefused = true;
      if (this.#session === session) this.#session = undefined;
    });
    this.#session = session;
    return session;
  }
}
