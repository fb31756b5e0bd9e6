import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { FairleadError } from "../../src/core/error.ts";
import { createTempDir } from "./temp-dir.ts";

const startTimeoutMs = 20_000;
const stopTimeoutMs = 5_000;

export interface RegistryOptions {
  /** Makes the registry a pull-through cache of this one: a URL such as `http://127.0.0.1:5000`. */
  readonly proxyUrl?: string;
}

export interface Registry {
  /** `127.0.0.1:port`, as it stands in an image reference. */
  readonly host: string;
  readonly url: string;
  /** Ends the process and removes what it stored. */
  stop(): Promise<void>;
}

/**
 * Starts docker's registry on a free loopback port, without authentication, storing in a temporary folder.
 * `program` is the path from {@link requireTool} `("registry")`.
 * @throws FairleadError `tool-failed` when it does not answer within 20 seconds, with what it logged.
 */
export async function startRegistry(program: string, options: RegistryOptions = {}): Promise<Registry> {
  const folder = await createTempDir("registry");
  const configFile = path.join(folder.path, "config.json");
  await writeFile(configFile, JSON.stringify(configuration(path.join(folder.path, "data"), options)));
  const child = spawn(program, ["serve", configFile], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: process.env["PATH"], OTEL_TRACES_EXPORTER: "none" },
  });
  const stop = async (): Promise<void> => {
    await endProcess(child);
    await folder.remove();
  };
  try {
    const host = await listeningAddress(child);
    return { host, url: `http://${host}`, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The registry's own configuration, version 0.1; YAML is a superset of the JSON written here. */
function configuration(dataFolder: string, options: RegistryOptions): object {
  return {
    version: "0.1",
    log: { level: "info", formatter: "json", accesslog: { disabled: true } },
    storage: { filesystem: { rootdirectory: dataFolder }, delete: { enabled: true } },
    http: { addr: "127.0.0.1:0" },
    ...(options.proxyUrl === undefined ? {} : { proxy: { remoteurl: options.proxyUrl } }),
  };
}

/** The system chooses the port; the registry logs the address once it listens. */
async function listeningAddress(child: ChildProcess): Promise<string> {
  const logged: string[] = [];
  const address = new Promise<string>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`it ended with exit code ${code}`)));
    for (const stream of [child.stdout, child.stderr]) {
      if (stream === null) continue;
      createInterface(stream).on("line", (line) => {
        const found = /listening on (?<host>127\.0\.0\.1:\d+)/u.exec(line)?.groups?.["host"];
        if (found !== undefined) resolve(found);
        else if (logged.length < 20) logged.push(line);
      });
    }
  });
  const controller = new AbortController();
  try {
    const timeout = sleep(startTimeoutMs, undefined, { signal: controller.signal }).then(() => {
      throw new Error(`it did not listen within ${startTimeoutMs / 1000} s`);
    });
    return await Promise.race([address, timeout]);
  } catch (cause) {
    throw new FairleadError("tool-failed", `the registry did not start: ${logged.join("\n")}`, { cause });
  } finally {
    controller.abort();
  }
}

async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), stopTimeoutMs);
  await ended;
  clearTimeout(timer);
}
