import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { commandEnvironment, commandLine } from "./cli.ts";

/** A `fairlead notify serve` of its own process. */
export interface NotifyServer {
  /** Where events are posted. */
  readonly url: string;
  /** The JSON API. */
  readonly adminUrl: string;
  /** Ends it as an operator does, and gives what it told. */
  stop(): Promise<string>;
}

const anyPort = "127.0.0.1:0";

/** Starts the built command over a folder or file of objects, on free loopback ports. */
export async function startNotifyServer(config: string, ...args: readonly string[]): Promise<NotifyServer> {
  const listeners = ["--listen", "--receiver-listen", "--metrics-listen", "--admin-listen"];
  const given = ["--config", config, "--state", ":memory:", "--log-level", "warn", "--allow-loopback"];
  const addresses = listeners.flatMap((flag) => [flag, anyPort]);
  const [program = "", ...rest] = commandLine("fairlead", [
    "notify",
    "serve",
    ...given,
    ...addresses,
    ...args,
  ]);
  const child = spawn(program, rest, { stdio: ["ignore", "pipe", "pipe"], env: commandEnvironment() });
  const told = text(child.stderr);
  const ended = once(child, "exit");
  let first: string | undefined;
  for await (const line of createInterface({ input: child.stdout })) {
    first = line;
    break;
  }
  if (first === undefined) throw new Error(`the server did not start: ${await told}`);
  const { events, admin } = JSON.parse(first) as { readonly events: string; readonly admin: string };
  return {
    url: `http://${events}/`,
    adminUrl: `http://${admin}`,
    stop: async () => {
      child.kill("SIGTERM");
      await ended;
      return told;
    },
  };
}
