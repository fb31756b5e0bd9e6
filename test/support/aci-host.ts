import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer as createPlainServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer } from "node:https";
import { connect, createServer as createNetServer, type Socket } from "node:net";
import type { Authority } from "./certificates.ts";
import { listen } from "./http-server.ts";

export type Answer = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

/** Every host of the internet, as those see it who use its proxy. */
export interface AciHost {
  /** The proxy through which every `https://` and `http://` address leads here. */
  readonly proxy: string;
  /** Answers by `host/path`, without a query; what is in none of them is not found. */
  readonly answers: Map<string, Answer>;
  /** `host/path?query` of everything that was asked, in order. */
  readonly asked: readonly string[];
  /** Holds answers back until the function that it gives is called. */
  hold(): () => void;
  /** A page at `host/path` with these `meta` tags in its head, as `prefix template`. */
  discover(place: string, ...contents: readonly string[]): void;
  /** A file at `host/path`. */
  serve(place: string, body: Uint8Array): void;
  stop(): Promise<void>;
}

/** The template that the hosts of tests give their images. */
export const usualTemplate: string = "https://files.example/{name}-{version}-{os}-{arch}.{ext}";

/**
 * Starts an HTTPS server for `hosts` with a proxy that leads to it.
 * @param hosts names that its certificate is good for
 */
export async function startAciHost(authority: Authority, hosts: readonly string[]): Promise<AciHost> {
  const files = await authority.issue("aci-host", [], hosts);
  const tls = { cert: await readFile(files.certificateFile), key: await readFile(files.keyFile) };
  const answers = new Map<string, Answer>();
  const asked: string[] = [];
  let gate = Promise.resolve();
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? "", `https://${request.headers.host ?? ""}`);
    asked.push(`${url.host}${url.pathname}${url.search}`);
    await gate;
    const answer = answers.get(`${url.host}${url.pathname.replace(/\/$/u, "")}`);
    if (answer === undefined) response.writeHead(404).end("not here");
    else await answer(request, response);
  };
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    handle(request, response).catch(() => response.destroy());
  };
  const secure = createServer(tls, listener);
  const plain = createPlainServer(listener);
  const [securePort, plainPort] = [portOf(await listen(secure)), portOf(await listen(plain))];
  const sockets = new Set<Socket>();
  const proxy = createNetServer((client) => {
    sockets.add(client);
    client.on("error", () => client.destroy());
    client.once("data", (head) => {
      const port = /^CONNECT [^ ]+:(?<port>\d+) /u.exec(head.toString("latin1"))?.groups?.["port"];
      const server = connect(port === "443" ? securePort : plainPort, "127.0.0.1");
      server.on("error", () => client.destroy());
      client.on("close", () => server.destroy());
      // What is not to be tunnelled is a request by plain http.
      if (port === undefined) server.write(head);
      else client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      client.pipe(server).pipe(client);
    });
  });
  const proxyHost = await listen(proxy);
  return {
    proxy: `http://${proxyHost}`,
    answers,
    asked,
    hold: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      gate = promise;
      return resolve;
    },
    discover: (place, ...contents) => {
      const tags = contents.map((content) => `<meta name="ac-discovery" content="${content}">`);
      answers.set(place, (_request, response) => {
        response.end(`<!DOCTYPE html><html><head>${tags.join("\n")}</head><body></body></html>`);
      });
    },
    serve: (place, body) => {
      answers.set(place, (_request, response) => {
        response.end(body);
      });
    },
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      for (const server of [secure, plain]) server.closeAllConnections();
      for (const server of [proxy, secure, plain]) {
        server.close();
        await once(server, "close");
      }
    },
  };
}

function portOf(host: string): number {
  return Number(host.split(":")[1]);
}
