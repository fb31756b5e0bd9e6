import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";

/** A running `kubectl port-forward`. */
export interface PortForward {
  /** Sends text over a connection of its own, ends it, and gives what comes back until the other side ends it. */
  send(message: string): Promise<string>;
  stop(): Promise<void>;
}

/**
 * Forwards a free loopback port to one of a pod.
 * @throws Error with what kubectl printed
 */
export async function forwardPort(
  kubectl: string,
  kubeconfig: string,
  target: string,
  port: string,
  env: Readonly<Record<string, string>> = {},
): Promise<PortForward> {
  const args = ["--kubeconfig", kubeconfig, "port-forward", "--address=127.0.0.1", target, `:${port}`];
  const child = spawn(kubectl, args, {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...env },
  });
  const told = text(child.stderr);
  const ended = once(child, "exit");
  let local: number | undefined;
  for await (const line of createInterface({ input: child.stdout })) {
    local = Number(/^Forwarding from 127\.0\.0\.1:(?<port>\d+)/u.exec(line)?.groups?.["port"]);
    break;
  }
  if (local === undefined) throw new Error(`kubectl port-forward did not start: ${await told}`);
  // It prints a line for each connection.
  child.stdout.resume();
  const localPort = local;
  return {
    send: async (message) => {
      const socket = connect({ host: "127.0.0.1", port: localPort });
      socket.end(message);
      return text(socket);
    },
    stop: async () => {
      child.kill("SIGTERM");
      await ended;
    },
  };
}
