import { once } from "node:events";
import { createServer, request, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A proxy-cache project: the registry behind it, and what it does to names. */
export interface Project {
  /** `host:port` of the pull-through cache. */
  readonly host: string;
  /** Whether a name of one component is asked for below `library/`, as Harbor 2.7 does for Docker Hub. */
  readonly addsLibrary?: boolean;
}

export interface ProjectRouter {
  /** `127.0.0.1:port`: the target registry. */
  readonly host: string;
  /** The projects that were asked for, present or not. */
  readonly asked: ReadonlySet<string>;
  stop(): Promise<void>;
}

/**
 * Stands in for Harbor with proxy-cache projects: `/v2/<project>/<name>/…` goes to the project's cache as
 * `/v2/<name>/…`. As at Harbor, an unknown project is not found and nothing can be pushed.
 */
export async function startProjectRouter(
  projects: Readonly<Record<string, Project>>,
): Promise<ProjectRouter> {
  const asked = new Set<string>();
  const server = createServer((incoming, outgoing) => {
    const { project: name, path } = splitPath(incoming.url ?? "/");
    if (name === undefined) {
      outgoing.writeHead(200, { "Docker-Distribution-Api-Version": "registry/2.0" }).end("{}");
      return;
    }
    asked.add(name);
    const project = Object.hasOwn(projects, name) ? projects[name] : undefined;
    if (incoming.method !== "GET" && incoming.method !== "HEAD") refuse(outgoing, 405, "UNSUPPORTED");
    else if (project === undefined) refuse(outgoing, 404, "NAME_UNKNOWN");
    else forward(incoming, outgoing, project, path);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    host: `127.0.0.1:${port}`,
    asked,
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

/** `/v2/<project>/<name>/…` as its project and `<name>/…`; no project for the address of the API itself. */
function splitPath(url: string): { readonly project: string | undefined; readonly path: string } {
  const { project, path } = /^\/v2\/(?<project>[^/]+)\/(?<path>.+)$/u.exec(url)?.groups ?? {};
  return { project, path: path ?? "" };
}

function forward(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  project: Project,
  wanted: string,
): void {
  const isSingle = /^[^/]+\/(?:manifests|blobs|tags)\//u.test(wanted);
  const path = project.addsLibrary === true && isSingle ? `library/${wanted}` : wanted;
  const passed = request(
    `http://${project.host}/v2/${path}`,
    { method: incoming.method, headers: { ...incoming.headers, host: project.host } },
    (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    },
  );
  passed.on("error", () => refuse(outgoing, 502, "UNAVAILABLE"));
  passed.end();
}

function refuse(outgoing: ServerResponse, status: number, code: string): void {
  if (outgoing.headersSent) outgoing.destroy();
  else outgoing.writeHead(status, { "Content-Type": "application/json" }).end(errorBody(code));
}

function errorBody(code: string): string {
  return JSON.stringify({ errors: [{ code, message: code.toLowerCase() }] });
}
