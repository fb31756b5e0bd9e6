import { request as forwardRequest, type IncomingMessage, type ServerResponse } from "node:http";
import { connect, createServer, type Socket } from "node:net";
import { startHttpServer, listen, type TestServer } from "./http-server.ts";

/** A proxy on a loopback port. */
export interface TestProxy extends TestServer {
  /** The addresses that it was asked to reach, `host:port`. */
  readonly reached: readonly string[];
}

export interface ProxyOptions {
  /** Refuses those who do not give these. */
  readonly username?: string;
  readonly password?: string;
  /** By https. */
  readonly tls?: { readonly cert: string; readonly key: string };
}

/** An HTTP proxy: CONNECT, and requests with a whole address. */
export async function startHttpProxy(options: ProxyOptions = {}): Promise<TestProxy> {
  const reached: string[] = [];
  const { username = "", password = "" } = options;
  const expected = `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
  const isAllowed = ({ headers }: IncomingMessage): boolean =>
    username === "" || headers["proxy-authorization"] === expected;
  const forward = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    if (!isAllowed(incoming)) {
      outgoing.writeHead(407).end();
      return;
    }
    const url = new URL(incoming.url ?? "");
    reached.push(url.host);
    const { "proxy-authorization": _own, ...headers } = incoming.headers;
    const passed = forwardRequest(url, { method: incoming.method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    passed.on("error", () => outgoing.destroy());
    incoming.pipe(passed);
  };
  const proxy = await startHttpServer(forward, options.tls);
  const tunnels = new Set<Socket>();
  proxy.server.on("connect", (request: IncomingMessage, client: Socket) => {
    if (!isAllowed(request)) {
      client.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
      return;
    }
    const target = request.url ?? "";
    reached.push(target);
    tunnels.add(client);
    const { hostname, port } = new URL(`http://${target}`);
    const server = connect({ host: hostname, port: Number(port || 80) }, () => {
      client.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      join(client, server);
    });
    server.on("error", () => client.destroy());
  });
  const stop = async (): Promise<void> => {
    for (const tunnel of tunnels) tunnel.destroy();
    await proxy.stop();
  };
  return { ...proxy, stop, reached };
}

/** A SOCKS5 proxy (RFC 1928) with CONNECT, and a user and password where they are given (RFC 1929). */
export async function startSocks5Proxy(options: ProxyOptions = {}): Promise<TestProxy> {
  const reached: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    sockets.add(client);
    client.on("error", () => undefined);
    serveSocks5(client, options, reached).catch(() => client.destroy());
  });
  const host = await listen(server);
  const stop = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  };
  return { host, url: `socks5://${host}`, reached, stop };
}

async function serveSocks5(client: Socket, options: ProxyOptions, reached: string[]): Promise<void> {
  const read = createReader(client);
  const [, methodCount = 0] = await read(2);
  const methods = await read(methodCount);
  const wantsPassword = options.username !== undefined;
  if (wantsPassword && !methods.includes(2)) {
    client.end(Buffer.from([5, 255]));
    return;
  }
  client.write(Buffer.from([5, wantsPassword ? 2 : 0]));
  if (wantsPassword) {
    const [, nameLength = 0] = await read(2);
    const name = await read(nameLength);
    const [passwordLength = 0] = await read(1);
    const password = await read(passwordLength);
    const isRight = name.toString() === options.username && password.toString() === options.password;
    client.write(Buffer.from([1, isRight ? 0 : 1]));
    if (!isRight) return;
  }
  const [, , , type = 0] = await read(4);
  const name = type === 1 ? [...(await read(4))].join(".") : await readName(type, read);
  const port = (await read(2)).readUInt16BE();
  reached.push(`${name}:${port}`);
  const server = connect({ host: name, port }, () => {
    client.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]));
    join(client, server);
  });
  server.on("error", () => client.end(Buffer.from([5, 5, 0, 1, 0, 0, 0, 0, 0, 0])));
}

type Read = (length: number) => Promise<Buffer>;

async function readName(type: number, read: Read): Promise<string> {
  if (type !== 3) throw new Error("only names and IPv4 addresses are served");
  const [length = 0] = await read(1);
  return (await read(length)).toString();
}

function createReader(socket: Socket): Read {
  return async (length) => {
    for (;;) {
      const bytes = socket.read(length) as Buffer | null;
      if (bytes !== null) return bytes;
      await new Promise((resolve, reject) => {
        socket.once("readable", resolve);
        socket.once("close", reject);
      });
    }
  };
}

function join(client: Socket, server: Socket): void {
  client.on("error", () => server.destroy());
  client.on("close", () => server.destroy());
  server.on("close", () => client.destroy());
  client.pipe(server);
  server.pipe(client);
}
