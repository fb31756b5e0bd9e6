import type { IncomingMessage, ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { parseEvent } from "../../src/notification/event/parse-event.ts";
import type { NotificationEvent } from "../../src/notification/event.ts";
import { startHttpServer } from "./http-server.ts";

/** An event on its way to a server, and what its sender was answered. */
export interface RelayedEvent {
  readonly event: NotificationEvent;
  readonly body: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** Stands between senders of events and a server. */
export interface EventRelay {
  readonly url: string;
  readonly relayed: readonly RelayedEvent[];
  /** Answers the next events 503, which the server then does not see. */
  failNext(count: number): void;
  stop(): Promise<void>;
}

/** Relays events to a server's URL. */
export async function startEventRelay(target: string): Promise<EventRelay> {
  const relayed: RelayedEvent[] = [];
  let failures = 0;
  const relay = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(request);
    const isFailure = failures > 0;
    if (isFailure) failures -= 1;
    const headers = { "content-type": request.headers["content-type"] ?? "" };
    const answer = isFailure
      ? new Response(null, { status: 503 })
      : await fetch(target, { method: request.method ?? "POST", headers, body });
    const { status } = answer;
    relayed.push({
      event: parseEvent(body),
      body: body.toString(),
      status,
      headers: Object.fromEntries(answer.headers),
    });
    response.writeHead(status).end(await answer.text());
  };
  const server = await startHttpServer((request, response) => {
    relay(request, response).catch(() => response.destroy());
  });
  return {
    url: `${server.url}/`,
    relayed,
    failNext: (count) => {
      failures = count;
    },
    stop: () => server.stop(),
  };
}
