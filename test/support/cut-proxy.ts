import { connect, createServer, type Socket } from "node:net";
import { listen } from "./http-server.ts";

/** A TCP proxy whose connections a test breaks in the ways that networks do. */
export interface CutProxy {
  /** `127.0.0.1:port`. */
  readonly host: string;
  /** Ends all connections. */
  cut(): void;
  /** Forwards nothing more on the connections that there are, and ends none. */
  silence(): void;
  /** Ends new connections at once, until it is told otherwise. */
  refuse(isRefusing: boolean): void;
  stop(): Promise<void>;
}

/** Starts a proxy to `host:port`. */
export async function startCutProxy(target: string): Promise<CutProxy> {
  const [host = "", port] = target.split(":");
  const pairs = new Set<readonly [Socket, Socket]>();
  let isRefusing = false;
  const server = createServer((near) => {
    if (isRefusing) {
      near.destroy();
      return;
    }
    const far = connect({ host, port: Number(port) });
    const pair = [near, far] as const;
    pairs.add(pair);
    for (const [from, to] of [pair, [far, near] as const]) {
      from.on("error", () => undefined);
      from.pipe(to);
      from.once("close", () => {
        to.destroy();
        pairs.delete(pair);
      });
    }
  });
  const cut = (): void => {
    for (const [near, far] of pairs) {
      near.destroy();
      far.destroy();
    }
  };
  return {
    host: await listen(server),
    cut,
    silence: () => {
      for (const [near, far] of pairs) {
        near.unpipe(far).pause();
        far.unpipe(near).pause();
      }
    },
    refuse: (refusing) => {
      isRefusing = refusing;
    },
    stop: async () => {
      const closed = new Promise((resolve) => {
        server.close(resolve);
      });
      cut();
      await closed;
    },
  };
}
