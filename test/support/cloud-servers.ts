import { readFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import { buffer } from "node:stream/consumers";
import { createAuthority } from "./certificates.ts";
import { startHttpServer, type TestServer } from "./http-server.ts";
import { createTempDir } from "./temp-dir.ts";

/** A request as a service of a cloud saw it. */
export interface CloudRequest {
  readonly method: string;
  /** As the client wrote it; `metadata` for the server of the machine. */
  readonly host: string;
  /** With the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface CloudAnswer {
  /** Default: 200. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text and bytes as they are, anything else as JSON. */
  readonly body?: unknown;
}

/** Answers requests that it knows; `silence` for one that is never answered. */
export type CloudService = (
  request: CloudRequest,
) => CloudAnswer | "silence" | undefined | Promise<CloudAnswer | undefined>;

/** Every host of every cloud, by their own names, on this machine. */
export interface CloudServers {
  /** An HTTP proxy at which all hosts are these servers. */
  readonly proxyUrl: string;
  /** What the proxy was asked to reach, `host:port`. */
  readonly reached: readonly string[];
  /** The authority that vouches for the hosts. */
  readonly ca: string;
  readonly caFile: string;
  /** What a machine is asked for its identity, by plain http and without the proxy. */
  readonly metadata: TestServer;
  readonly seen: readonly CloudRequest[];
  /** Serves these from now on, and forgets what was seen. */
  serve(...services: readonly CloudService[]): void;
  stop(): Promise<void>;
}

const hosts = [
  "*.dkr.ecr.eu-west-1.amazonaws.com",
  "*.dkr.ecr-fips.us-gov-west-1.amazonaws.com",
  "*.dkr.ecr.cn-north-1.amazonaws.com.cn",
  "api.ecr.eu-west-1.amazonaws.com",
  "api.ecr.cn-north-1.amazonaws.com.cn",
  "ecr-fips.us-gov-west-1.amazonaws.com",
  "api.ecr-public.us-east-1.amazonaws.com",
  "sts.eu-west-1.amazonaws.com",
  "sts.eu-central-1.amazonaws.com",
  "sts.cn-north-1.amazonaws.com.cn",
  "public.ecr.aws",
  "*.azurecr.io",
  "*.azurecr.cn",
  "*.azurecr.us",
  "login.microsoftonline.com",
  "login.microsoftonline.us",
  "login.chinacloudapi.cn",
  "gcr.io",
  "*.gcr.io",
  "*.pkg.dev",
  "*.googleapis.com",
  "github.com",
  "api.github.com",
  "dev.azure.com",
  "*.example.com",
];

/** Starts the servers; `openssl` is the path of that program. */
export async function startCloudServers(openssl: string): Promise<CloudServers> {
  const folder = await createTempDir("cloud");
  const authority = await createAuthority(openssl, folder.path, "clouds");
  const { certificateFile, keyFile } = await authority.issue("cloud", [], hosts);
  const seen: CloudRequest[] = [];
  let services: readonly CloudService[] = [];
  const answer = async (
    isMetadata: boolean,
    incoming: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> => {
    const request: CloudRequest = {
      method: incoming.method ?? "",
      host: isMetadata ? "metadata" : (incoming.headers.host ?? ""),
      path: incoming.url ?? "",
      headers: Object.fromEntries(
        Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
      ),
      body: (await buffer(incoming)).toString(),
    };
    seen.push(request);
    for (const service of services) {
      const found = await service(request);
      if (found === "silence") return;
      if (found === undefined) continue;
      const { status = 200, headers = {}, body = "" } = found;
      const isRaw = typeof body === "string" || body instanceof Uint8Array;
      response.writeHead(status, headers).end(isRaw ? body : JSON.stringify(body));
      return;
    }
    response.writeHead(404).end("there is no such service");
  };
  const tls = { cert: await readFile(certificateFile, "utf8"), key: await readFile(keyFile, "utf8") };
  const cloud = await startHttpServer((incoming, response) => void answer(false, incoming, response), tls);
  const metadata = await startHttpServer((incoming, response) => void answer(true, incoming, response));
  const proxy = await startSteeringProxy(Number(cloud.host.split(":")[1]));
  return {
    proxyUrl: proxy.url,
    reached: proxy.reached,
    ca: await readFile(authority.certificateFile, "utf8"),
    caFile: authority.certificateFile,
    metadata,
    seen,
    serve: (...served) => {
      services = served;
      seen.length = 0;
      proxy.reached.length = 0;
    },
    stop: async () => {
      await proxy.stop();
      await cloud.stop();
      await metadata.stop();
      await folder.remove();
    },
  };
}

/** A proxy whose tunnels all lead to one port of this machine. */
async function startSteeringProxy(
  port: number,
): Promise<{ readonly url: string; readonly reached: string[]; stop(): Promise<void> }> {
  const reached: string[] = [];
  const tunnels = new Set<Socket>();
  const proxy = await startHttpServer((_request, response) => void response.writeHead(502).end());
  proxy.server.on("connect", (request: IncomingMessage, client: Socket) => {
    reached.push(request.url ?? "");
    tunnels.add(client);
    const server = connect({ host: "127.0.0.1", port }, () => {
      client.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      client.pipe(server);
      server.pipe(client);
    });
    server.on("error", () => client.destroy());
    client.on("error", () => server.destroy());
    client.on("close", () => server.destroy());
  });
  const stop = async (): Promise<void> => {
    for (const tunnel of tunnels) tunnel.destroy();
    await proxy.stop();
  };
  return { url: proxy.url, reached, stop };
}

/** The fields of a form. */
export function fieldsOf({ body }: CloudRequest): Readonly<Record<string, string>> {
  return Object.fromEntries(new URLSearchParams(body));
}
