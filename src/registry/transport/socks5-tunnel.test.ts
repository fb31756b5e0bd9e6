import { createServer, type Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { listen } from "../../../test/support/http-server.ts";
import { parseProxy } from "./proxy-choice.ts";
import { openSocks5Tunnel } from "./socks5-tunnel.ts";

interface Script {
  /** What the proxy answers to each thing that it receives; then it says nothing more. */
  readonly answers: readonly (readonly number[])[];
  readonly host?: string;
  readonly password?: string;
}

interface Outcome {
  /** What the proxy received, as hexadecimal. */
  readonly received: readonly string[];
  readonly problem: string | undefined;
}

/** Opens a tunnel through a proxy that answers as it is told, and closes when it has nothing more to say. */
async function openThrough({ answers, host = "example.com", password = "" }: Script): Promise<Outcome> {
  const received: string[] = [];
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    let next = 0;
    socket.on("error", () => undefined);
    socket.on("data", (bytes) => {
      received.push(bytes.toString("hex"));
      const answer = answers[next];
      next += 1;
      if (answer === undefined) socket.end();
      else socket.write(Uint8Array.from(answer));
    });
  });
  const address = `socks5://${await listen(server)}`;
  try {
    const proxy = parseProxy({ address, ...(password === "" ? {} : { username: "me", password }) });
    const socket = await openSocks5Tunnel(proxy, { host, port: 443 }, 5_000);
    socket.destroy();
    return { received, problem: undefined };
  } catch (error) {
    return { received, problem: error instanceof Error ? error.message : String(error) };
  } finally {
    for (const socket of sockets) socket.destroy();
    server.close();
  }
}

const connected = [5, 0, 0, 1, 127, 0, 0, 1, 0, 80];

describe("a tunnel", () => {
  test.each<[string, Script, readonly string[]]>([
    ["to a name", { answers: [[5, 0], connected] }, ["050100", "050100030b6578616d706c652e636f6d01bb"]],
    [
      "to an IPv4 address",
      { answers: [[5, 0], connected], host: "10.0.0.1" },
      ["050100", "050100010a00000101bb"],
    ],
    [
      "to an IPv6 address",
      { answers: [[5, 0], connected], host: "[2001:db8::1]" },
      ["050100", "0501000420010db800000000000000000000000101bb"],
    ],
    [
      "with a password",
      { answers: [[5, 2], [1, 0], connected], host: "10.0.0.1", password: "pw" },
      ["05020002", "01026d65027077", "050100010a00000101bb"],
    ],
    [
      "with a password that is not wanted",
      { answers: [[5, 0], connected], host: "10.0.0.1", password: "pw" },
      ["05020002", "050100010a00000101bb"],
    ],
    [
      "from a name",
      {
        answers: [
          [5, 0],
          [5, 0, 0, 3, 2, 0x61, 0x62, 0, 80],
        ],
        host: "10.0.0.1",
      },
      ["050100", "050100010a00000101bb"],
    ],
    [
      "from an IPv6 address",
      {
        answers: [
          [5, 0],
          [5, 0, 0, 4, ...Array<number>(18).fill(0)],
        ],
        host: "10.0.0.1",
      },
      ["050100", "050100010a00000101bb"],
    ],
  ])("%s", async (_name, script, received) => {
    expect(await openThrough(script)).toEqual({ received, problem: undefined });
  });

  test.each<[string, Script, RegExp]>([
    ["that speaks SOCKS4", { answers: [[4, 0]] }, /does not speak SOCKS5/u],
    ["that speaks HTTP", { answers: [[...Buffer.from("HTTP/1.1 400")]] }, /SOCKS5/u],
    ["that takes no method", { answers: [[5, 255]] }, /wants another authentication/u],
    ["that wants a password that there is not", { answers: [[5, 2]] }, /wants another authentication/u],
    [
      "that refuses the password",
      {
        answers: [
          [5, 2],
          [1, 1],
        ],
        password: "pw",
      },
      /refuses the user/u,
    ],
    [
      "that refuses the connection",
      {
        answers: [
          [5, 0],
          [5, 2, 0, 1],
        ],
      },
      /connection not allowed/u,
    ],
    [
      "that fails for no known reason",
      {
        answers: [
          [5, 0],
          [5, 99, 0, 1],
        ],
      },
      /code 99/u,
    ],
    ["that closes at once", { answers: [] }, /closed the connection/u],
    ["that closes in the middle", { answers: [[5, 0]] }, /closed the connection/u],
    ["that is told too long a name", { answers: [[5, 0]], host: "x".repeat(256) }, /too long for SOCKS5/u],
  ])("through a proxy %s", async (_name, script, problem) => {
    expect((await openThrough(script)).problem).toMatch(problem);
  });
});
