import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Cluster, KubeConfig, User } from "@kubernetes/client-node";
import { FairleadError, messageOf } from "../../core/error.ts";
import { excerpt } from "../../core/escape.ts";
import { loadYamlMap } from "../../yaml/load.ts";
import { isYamlList, isYamlMap, type YamlMap } from "../../yaml/value.ts";

export interface KubeConfigOptions {
  /**
   * A kubeconfig, or several as `KUBECONFIG` lists them, of which the first counts where two have an entry of one
   * name; default: the service account of the pod that this runs in.
   */
  readonly kubeconfig?: string | undefined;
  /** Default: the current one. */
  readonly context?: string | undefined;
}

/** A kubeconfig that was loaded, with a context that names an API server. */
export interface LoadedKubeConfig {
  readonly config: KubeConfig;
  readonly cluster: Cluster;
  readonly server: URL;
  /** Of the context. */
  readonly namespace: string | undefined;
}

type KubeConfigClass = typeof KubeConfig;

/** What kubectl makes absolute in the entry of a user, and the client does not know. */
const tokenFileField = "tokenFile";

/**
 * Loads who talks to which API server.
 * @throws FairleadError `config-invalid`
 */
export async function loadKubeConfig({ kubeconfig, context }: KubeConfigOptions): Promise<LoadedKubeConfig> {
  const { KubeConfig } = await import("@kubernetes/client-node");
  try {
    const config = new KubeConfig();
    if (kubeconfig === undefined) config.loadFromCluster();
    else await loadFiles(KubeConfig, config, kubeconfig);
    if (context !== undefined) selectContext(config, context);
    const cluster = config.getCurrentCluster();
    // Outside of a pod the client makes up an address that is none.
    const server = URL.parse(cluster?.server ?? "");
    if (cluster === null || server === null) throw new TypeError("it names no API server");
    if (server.protocol === "http:" && !cluster.skipTLSVerify) {
      throw new TypeError("credentials would be sent in the clear, unless it has insecure-skip-tls-verify");
    }
    const { namespace } = config.getContextObject(config.getCurrentContext()) ?? {};
    return { config, cluster, server, namespace };
  } catch (cause) {
    const place = kubeconfig ?? "the pod's service account";
    const told = cause instanceof FairleadError ? cause : undefined;
    throw new FairleadError("config-invalid", `cannot use ${place}: ${excerpt(messageOf(cause))}`, {
      where: told?.where,
      hint: told?.hint ?? "Name a kubeconfig, or run it in a pod with a service account.",
      cause,
    });
  }
}

function selectContext(config: KubeConfig, context: string): void {
  if (config.getContextObject(context) === null) {
    const names = config.contexts.map(({ name }) => name).join(", ");
    throw new FairleadError("config-invalid", `it has no context ${JSON.stringify(context)}`, {
      hint: names === "" ? undefined : `its contexts: ${excerpt(names)}`,
    });
  }
  config.setCurrentContext(context);
}

async function loadFiles(Class: KubeConfigClass, into: KubeConfig, list: string): Promise<void> {
  const files = list.split(path.delimiter).filter((file) => file !== "");
  for (const file of files) {
    const text = await readIfThere(file, files.length > 1);
    if (text === undefined) continue;
    const folder = path.dirname(path.resolve(file));
    const written = loadYamlMap(text, { file, code: "config-invalid" }).value;
    const part = new Class();
    // Of broken YAML the client quotes lines, which may hold credentials.
    part.loadFromString(JSON.stringify(written));
    part.makePathsAbsolute(folder);
    part.users = part.users.map((user) => resolveUser(user, entryOf(written, user.name), folder));
    // The setter of the class takes no undefined.
    if (!into.currentContext && part.currentContext) into.setCurrentContext(part.currentContext);
    addMissing(into.clusters, part.clusters);
    addMissing(into.users, part.users);
    addMissing(into.contexts, part.contexts);
  }
}

/** Of several files, as kubectl takes them, some may be missing. */
async function readIfThere(file: string, mayBeMissing: boolean): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (mayBeMissing && error instanceof Error && "code" in error && error.code === "ENOENT")
      return undefined;
    throw error;
  }
}

function addMissing<Entry extends { readonly name: string }>(into: Entry[], entries: readonly Entry[]): void {
  for (const entry of entries) {
    if (!into.some(({ name }) => name === entry.name)) into.push(entry);
  }
}

function entryOf(config: YamlMap, name: string): YamlMap {
  const { users } = config;
  const entry = isYamlList(users)
    ? users.find((each): each is YamlMap => isYamlMap(each) && each["name"] === name)
    : undefined;
  const user = entry?.["user"];
  return isYamlMap(user) ? user : {};
}

/** A user whose token file is read again and again, and whose plugin is found from any folder. */
function resolveUser(user: User, written: YamlMap, folder: string): User {
  const { [tokenFileField]: tokenFile, exec } = written;
  const command = isYamlMap(exec) ? exec["command"] : undefined;
  // A bare name is looked for on PATH.
  const withPlugin =
    typeof command === "string" && command.includes("/")
      ? { ...user, exec: { ...(exec as YamlMap), command: path.resolve(folder, command) } }
      : user;
  if (typeof tokenFile !== "string" || tokenFile === "") return withPlugin;
  // A token beside it would win.
  const { token: _token, ...rest } = withPlugin;
  return {
    ...rest,
    authProvider: { name: "tokenFile", config: { tokenFile: path.resolve(folder, tokenFile) } },
  };
}
