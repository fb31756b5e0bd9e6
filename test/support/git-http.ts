import { spawn } from "node:child_process";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { createGunzip } from "node:zlib";

export interface GitHttpOptions {
  /** The folder whose bare repositories are served. */
  readonly root: string;
  /** What an `Authorization` header has to be; undefined: everybody is let in. */
  readonly authorization?: string;
  /** Called before a request is answered: what the rest of the world does meanwhile. */
  readonly onRequest?: (request: IncomingMessage) => Promise<void> | void;
  readonly tls?: { readonly cert: string; readonly key: string; readonly clientCa?: string };
}

export interface GitHttpServer {
  /** Without a slash at its end. */
  readonly url: string;
  /** Methods and paths with queries, and the headers, of all requests so far. */
  readonly requests: readonly IncomingMessage[];
  stop(): Promise<void>;
}

/** Serves bare repositories by `git http-backend` on a free loopback port. */
export async function startGitHttp(options: GitHttpOptions): Promise<GitHttpServer> {
  const requests: IncomingMessage[] = [];
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    requests.push(request);
    void answer(request, response, options).catch((error: unknown) => {
      response.destroy(error instanceof Error ? error : undefined);
    });
  };
  const { tls } = options;
  const server =
    tls === undefined
      ? createServer(handle)
      : createTlsServer(
          { ...tls, ...(tls.clientCa === undefined ? {} : { ca: tls.clientCa, requestCert: true }) },
          handle,
        );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `${tls === undefined ? "http" : "https"}://127.0.0.1:${port}`,
    requests,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  options: GitHttpOptions,
): Promise<void> {
  if (options.authorization !== undefined && request.headers.authorization !== options.authorization) {
    response.writeHead(401, { "www-authenticate": 'Basic realm="git"' }).end("who are you?\n");
    return;
  }
  await options.onRequest?.(request);
  const { pathname, search } = new URL(request.url ?? "/", "http://localhost");
  const child = spawn("git", ["http-backend"], {
    env: {
      PATH: process.env["PATH"],
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_PROJECT_ROOT: options.root,
      GIT_HTTP_EXPORT_ALL: "1",
      REMOTE_USER: "somebody",
      REMOTE_ADDR: "127.0.0.1",
      PATH_INFO: decodeURIComponent(pathname),
      QUERY_STRING: search.slice(1),
      REQUEST_METHOD: request.method ?? "GET",
      CONTENT_TYPE: request.headers["content-type"] ?? "",
      ...(request.headers["git-protocol"] === undefined
        ? {}
        : { GIT_PROTOCOL: String(request.headers["git-protocol"]) }),
    },
    stdio: ["pipe", "pipe", "ignore"],
  });
  child.stdin.on("error", () => undefined);
  const isZipped = request.headers["content-encoding"] === "gzip";
  (isZipped ? request.pipe(createGunzip()) : request).pipe(child.stdin);
  const chunks: Buffer[] = [];
  for await (const chunk of child.stdout) chunks.push(chunk as Buffer);
  const output = Buffer.concat(chunks);
  const end = output.indexOf("\r\n\r\n");
  const headers = output.subarray(0, end).toString("latin1").split("\r\n");
  let status = 200;
  for (const header of headers) {
    const colon = header.indexOf(":");
    const name = header.slice(0, colon);
    const value = header.slice(colon + 1).trim();
    if (name.toLowerCase() === "status") status = Number.parseInt(value, 10);
    else response.setHeader(name, value);
  }
  response.writeHead(status).end(output.subarray(end + 4));
}
