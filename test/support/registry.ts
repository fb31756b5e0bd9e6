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
  /** Where images are stored, for registries that share them; default: a folder of its own. */
  readonly dataFolder?: string;
  readonly auth?: RegistryAuth;
  readonly tls?: RegistryTls;
  /** `127.0.0.1:port` of an earlier registry that this one takes the place of; default: a free port. */
  readonly host?: string;
  /** What is told of pushes, and not of pulls. */
  readonly webhookUrl?: string;
}

/** Who may read: those of an htpasswd file with bcrypt, or those with a token of {@link TokenServer}. */
export type RegistryAuth =
  | { readonly htpasswdFile: string }
  | { readonly realm: string; readonly certificateFile: string };

/** PEM files. */
export interface RegistryTls {
  readonly certificateFile: string;
  readonly keyFile: string;
  /** Makes the registry ask for client certificates of this authority. */
  readonly clientAuthorityFile?: string;
}

/** What the tokens for registries of these tests are issued by and for. */
export const tokenIssuer = "fairlead test tokens";
export const tokenService = "fairlead test registry";

export interface Registry {
  /** `127.0.0.1:port`, as it stands in an image reference. */
  readonly host: string;
  readonly url: string;
  /** Ends the process and removes what it stored. */
  stop(): Promise<void>;
}

/**
 * Starts docker's registry, of version 2 or 3, on a free loopback port, storing in a temporary folder.
 * `program` is the path of the component `registry` or `docker-registry`.
 * @throws FairleadError `tool-failed` when it does not answer within 20 seconds, with what it logged.
 */
export async function startRegistry(program: string, options: RegistryOptions = {}): Promise<Registry> {
  const folder = await createTempDir("registry");
  const configFile = path.join(folder.path, "config.json");
  await writeFile(
    configFile,
    JSON.stringify(configuration(options.dataFolder ?? path.join(folder.path, "data"), options)),
  );
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
    return { host, url: `${options.tls === undefined ? "http" : "https"}://${host}`, stop };
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
    http: { addr: options.host ?? "127.0.0.1:0", ...tlsConfiguration(options.tls) },
    ...authConfiguration(options.auth),
    ...webhookConfiguration(options.webhookUrl),
    ...(options.proxyUrl === undefined ? {} : { proxy: { remoteurl: options.proxyUrl } }),
  };
}

function tlsConfiguration(tls: RegistryTls | undefined): object {
  if (tls === undefined) return {};
  const { certificateFile, keyFile, clientAuthorityFile } = tls;
  const clients = clientAuthorityFile === undefined ? {} : { clientcas: [clientAuthorityFile] };
  return { tls: { certificate: certificateFile, key: keyFile, ...clients } };
}

function webhookConfiguration(url: string | undefined): object {
  if (url === undefined) return {};
  const patience = { timeout: "5s", threshold: 5, backoff: "1s" };
  return {
    notifications: { endpoints: [{ name: "test", url, ...patience, ignore: { actions: ["pull"] } }] },
  };
}

function authConfiguration(auth: RegistryAuth | undefined): object {
  if (auth === undefined) return {};
  if ("htpasswdFile" in auth) return { auth: { htpasswd: { realm: "fairlead", path: auth.htpasswdFile } } };
  const { realm, certificateFile } = auth;
  return {
    auth: { token: { realm, service: tokenService, issuer: tokenIssuer, rootcertbundle: certificateFile } },
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
