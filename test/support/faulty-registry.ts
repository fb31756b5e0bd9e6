import type { IncomingMessage, ServerResponse } from "node:http";
import { startHttpServer, type TestServer } from "./http-server.ts";

/** A request as the faulty registry saw it. */
export interface Seen {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly authorization: string | undefined;
}

/** One answer; the next request gets the next one, and the last is given again and again. */
export type Answer = (response: ServerResponse, request: IncomingMessage, host: string) => void;

export interface FaultyRegistry extends TestServer {
  readonly seen: readonly Seen[];
  /** Requests for this path, in order; `/v2/` is answered with 200 unless it is told otherwise. */
  answer(path: string, ...answers: readonly Answer[]): void;
}

/** A server that answers as it is told, however wrong that is. */
export async function startFaultyRegistry(tls?: {
  readonly cert: string;
  readonly key: string;
}): Promise<FaultyRegistry> {
  const seen: Seen[] = [];
  const told = new Map<string, { readonly answers: readonly Answer[]; count: number }>();
  const server = await startHttpServer((request, response) => {
    const { method = "", url = "/", headers } = request;
    seen.push({ method, path: url, authorization: headers.authorization });
    const known = told.get(url.split("?", 1)[0] ?? "");
    const answer = known?.answers[Math.min(known.count, known.answers.length - 1)];
    if (known !== undefined) known.count += 1;
    (answer ?? (url === "/v2/" ? json(200, {}) : json(404, {})))(response, request, server.host);
  }, tls);
  return { ...server, seen, answer: (path, ...answers) => void told.set(path, { answers, count: 0 }) };
}

/** An answer in JSON. */
export function json(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Answer {
  return (response) =>
    void response
      .writeHead(status, { "content-type": "application/json", ...headers })
      .end(JSON.stringify(body));
}

/** An answer of bytes as they are. */
export function raw(
  status: number,
  body: string | Uint8Array,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return (response) => void response.writeHead(status, headers).end(body);
}

/** The connection ends before anything is answered. */
export const reset: Answer = (response) => {
  response.socket?.resetAndDestroy();
};

/** The connection ends in the middle of a body. */
export const cut: Answer = (response) => {
  response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
  response.write('{"tags": [', () => response.socket?.resetAndDestroy());
};

/** The head comes, and the body never ends. */
export const stalled: Answer = (response) => {
  response.writeHead(200, { "content-type": "application/json" });
  response.write('{"tags": [');
};

/** A body without end, as fast as it is taken. */
export function endless(status: number, piece: string): Answer {
  return (response) => {
    response.writeHead(status, { "content-type": "text/plain" });
    const send = (): void => {
      while (!response.destroyed && response.write(piece));
    };
    response.on("drain", send);
    send();
  };
}
