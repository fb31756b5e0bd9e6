import { connect, isIP, type LookupFunction, type Socket } from "node:net";
import type { Proxy } from "./proxy-choice.ts";

const version = 5;
const noAuthentication = 0;
const usernamePassword = 2;

const refusals: readonly string[] = [
  "succeeded",
  "general failure",
  "connection not allowed",
  "network unreachable",
  "host unreachable",
  "connection refused",
  "time to live expired",
  "command not supported",
  "address type not supported",
];

/**
 * Opens a connection to `host:port` through a SOCKS5 proxy (RFC 1928, RFC 1929). Names are given to the proxy
 * to resolve, as curl's socks5h and Go do for both spellings; `lookup` finds the proxy itself.
 * @throws Error when the proxy cannot be reached, refuses, or takes longer than `timeoutMs`
 */
export async function openSocks5Tunnel(
  proxy: Proxy,
  target: { readonly host: string; readonly port: number },
  timeoutMs: number,
  lookup?: LookupFunction,
): Promise<Socket> {
  const socket = connect({
    host: proxy.url.hostname.replace(/^\[(.*)\]$/u, "$1"),
    port: Number(proxy.url.port),
    ...(lookup === undefined ? {} : { lookup }),
  });
  socket.setTimeout(timeoutMs, () => socket.destroy(new Error("the SOCKS5 proxy does not answer")));
  try {
    const reader = createReader(socket);
    await authenticate(socket, reader, proxy);
    socket.write(
      Buffer.concat([Buffer.from([version, 1, 0]), encodeAddress(target.host), encodePort(target.port)]),
    );
    await readReply(reader);
    reader.release();
    socket.setTimeout(0);
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

async function authenticate(socket: Socket, reader: Reader, { username, password }: Proxy): Promise<void> {
  const methods = username === "" ? [noAuthentication] : [noAuthentication, usernamePassword];
  socket.write(Buffer.from([version, methods.length, ...methods]));
  const [answeredVersion, method] = await reader.read(2);
  if (answeredVersion !== version) throw new Error("the proxy does not speak SOCKS5");
  if (method === noAuthentication) return;
  if (method !== usernamePassword || username === "") {
    throw new Error("the SOCKS5 proxy wants another authentication");
  }
  socket.write(Buffer.concat([Buffer.from([1]), encodeText(username), encodeText(password)]));
  const [, status] = await reader.read(2);
  if (status !== 0) throw new Error("the SOCKS5 proxy refuses the user or the password");
}

async function readReply(reader: Reader): Promise<void> {
  const [, reply = 1, , addressType] = await reader.read(4);
  if (reply !== 0) throw new Error(`the SOCKS5 proxy cannot connect: ${refusals[reply] ?? `code ${reply}`}`);
  // The address that the proxy is bound to is of no use here, but it stands before the data.
  const addressLength = addressType === 1 ? 4 : addressType === 4 ? 16 : ((await reader.read(1))[0] ?? 0);
  await reader.read(addressLength + 2);
}

function encodeAddress(host: string): Buffer {
  const bare = host.replace(/^\[(.*)\]$/u, "$1");
  if (isIP(bare) === 4) return Buffer.from([1, ...bare.split(".").map(Number)]);
  if (isIP(bare) === 6) return Buffer.concat([Buffer.from([4]), encodeIpv6(bare)]);
  return Buffer.concat([Buffer.from([3]), encodeText(bare)]);
}

function encodeIpv6(address: string): Buffer {
  // A URL spells every IPv6 address with groups of hexadecimal digits alone.
  const [head = "", tail = ""] = new URL(`http://[${address}]`).hostname.slice(1, -1).split("::");
  const [front, back] = [groupsOf(head), groupsOf(tail)];
  const all = [...front, ...Array<number>(8 - front.length - back.length).fill(0), ...back];
  return Buffer.from(all.flatMap((group) => [group >> 8, group & 255]));
}

function groupsOf(text: string): readonly number[] {
  return text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16));
}

function encodePort(port: number): Buffer {
  return Buffer.from([port >> 8, port & 255]);
}

function encodeText(text: string): Buffer {
  const bytes = Buffer.from(text);
  if (bytes.length > 255) throw new Error("a text is too long for SOCKS5");
  return Buffer.concat([Buffer.from([bytes.length]), bytes]);
}

interface Reader {
  /** The next bytes, exactly so many. */
  read(length: number): Promise<Buffer>;
  /** Leaves the socket to others. */
  release(): void;
}

function createReader(socket: Socket): Reader {
  let wake: (() => void) | undefined;
  let failure: Error | undefined;
  const onReadable = (): void => wake?.();
  const onError = (error: Error): void => {
    failure ??= error;
    wake?.();
  };
  const onEnd = (): void => onError(new Error("the SOCKS5 proxy closed the connection"));
  socket.on("readable", onReadable).on("error", onError).on("close", onEnd).on("end", onEnd);
  return {
    read: async (length) => {
      for (;;) {
        const bytes = socket.read(length) as Buffer | null;
        if (bytes?.length === length) return bytes;
        if (failure !== undefined) throw failure;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    release: () => {
      socket.off("readable", onReadable).off("error", onError).off("close", onEnd).off("end", onEnd);
    },
  };
}
