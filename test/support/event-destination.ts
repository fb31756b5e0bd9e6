import type { IncomingMessage, ServerResponse } from "node:http";
import { PassThrough } from "node:stream";
import { json } from "node:stream/consumers";
import { startHttpServer } from "./http-server.ts";

/** What a provider of type generic sends, as far as tests look. */
export interface GenericEvent {
  readonly involvedObject: { readonly kind: string; readonly name: string };
  readonly severity: string;
  readonly reason: string;
  readonly message: string;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

/** Where providers of type generic deliver to. */
export interface EventDestination {
  readonly url: string;
  /** The next events that arrive, or have and were not taken. */
  take(count: number): Promise<readonly GenericEvent[]>;
  stop(): Promise<void>;
}

/** Starts a destination on a free loopback port. */
export async function startEventDestination(): Promise<EventDestination> {
  const arrived = new PassThrough({ objectMode: true });
  const events = arrived[Symbol.asyncIterator]() as AsyncIterator<GenericEvent>;
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    arrived.write(await json(request));
    response.end();
  };
  const server = await startHttpServer((request, response) => {
    receive(request, response).catch(() => response.destroy());
  });
  return {
    url: `${server.url}/`,
    take: async (count) => {
      const taken: GenericEvent[] = [];
      while (taken.length < count) taken.push((await events.next()).value as GenericEvent);
      return taken;
    },
    stop: async () => {
      arrived.destroy();
      await server.stop();
    },
  };
}
