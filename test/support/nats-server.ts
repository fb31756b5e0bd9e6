import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import path from "node:path";
import { createInterface } from "node:readline";
import { listen } from "./http-server.ts";

/** A real nats-server of one test. */
export interface NatsServer {
  /** `127.0.0.1:port`. */
  readonly host: string;
  stop(): Promise<void>;
}

/**
 * Starts a nats-server on a free loopback port, with JetStream.
 * @param configuration what goes into its file beside the port
 */
export async function startNatsServer(
  program: string,
  folder: string,
  configuration: string = "",
): Promise<NatsServer> {
  const host = await freeHost();
  const file = path.join(folder, `${host.replace(":", "-")}.conf`);
  await writeFile(
    file,
    `listen: "${host}"\njetstream { store_dir: "${path.join(folder, host.replace(":", "-"))}" }\n${configuration}`,
  );
  const server = spawn(program, ["-c", file], { stdio: ["ignore", "ignore", "pipe"] });
  const lines = createInterface({ input: server.stderr });
  const seen: string[] = [];
  let isReady = false;
  for await (const line of lines) {
    seen.push(line);
    isReady = line.includes("Server is ready");
    if (isReady) break;
  }
  if (!isReady) throw new Error(`nats-server did not start: ${seen.join("; ")}`);
  // Nobody reads what follows, and a full pipe would stop it.
  server.stderr.resume();
  const stop = async (): Promise<void> => {
    if (server.exitCode !== null) return;
    const ended = once(server, "exit");
    server.kill("SIGKILL");
    await ended;
  };
  return { host, stop };
}

async function freeHost(): Promise<string> {
  const probe = createServer();
  const host = await listen(probe);
  probe.close();
  await once(probe, "close");
  return host;
}
