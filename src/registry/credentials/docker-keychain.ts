import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { FairleadError, messageOf, type Where } from "../../core/error.ts";
import type { ImageReference } from "../../reference/reference.ts";
import { dockerHub, normaliseRegistryHost } from "../../reference/registry-host.ts";
import type { Credentials, Keychain } from "../registry-api.ts";
import { tryReadAuthEntry } from "./auth-entry.ts";
import type { Environment } from "../transport/proxy-choice.ts";
import { askCredentialHelper } from "./credential-helper.ts";
import { type DockerConfig, maxConfigBytes, parseDockerConfig } from "./docker-config.ts";

export interface DockerKeychainOptions {
  /** The folder of config.json; default: what `env` names. */
  readonly configDir?: string | undefined;
  /** One file in place of all others, `DOCKER_AUTH_CONFIG` too, such as that of `helm registry login`. */
  readonly configFile?: string | undefined;
  /** Variables: HOME, DOCKER_CONFIG, DOCKER_AUTH_CONFIG, REGISTRY_AUTH_FILE, XDG_*; helpers get all of them. */
  readonly env: Environment;
}

/** Docker Hub's name in docker's own configs, and towards credential helpers. */
const dockerHubKey = "https://index.docker.io/v1/";

/** What a helper says is asked for again after this time: tokens of clouds end. */
const helperCacheMs = 5 * 60_000;

/**
 * The credentials that `docker login` and `podman login` keep: `DOCKER_AUTH_CONFIG` first, then one file, the first
 * that there is of `configDir`, `DOCKER_CONFIG`, `REGISTRY_AUTH_FILE`, `~/.docker/config.json` and podman's own
 * (go-containerregistry, authn.DefaultKeychain); a file that is named by a variable is the only one. A helper of
 * `credHelpers`, else of `credsStore`, decides alone, as in docker; else the entry of `auths` with the longest path
 * counts, as in podman. The file is read anew each time: logins change it.
 */
export function createDockerKeychain(options: DockerKeychainOptions): Keychain {
  const { env, configFile } = options;
  const variable = configFile === undefined ? (env["DOCKER_AUTH_CONFIG"] ?? "") : "";
  const ask = rememberAnswers(async (helper, server) => askCredentialHelper(helper, server, env));
  return {
    find: async (repository) => {
      const found = findAuth(parseDockerConfig(variable, variableWhere), repository, variableWhere);
      if (found !== undefined) return found;
      for (const file of configFiles(options)) {
        const text = await tryReadConfig(file);
        if (text === undefined) continue;
        const config = parseDockerConfig(text, { file });
        const host = normaliseRegistryHost(repository.registry);
        const helper = helperFor(config, host);
        if (helper === undefined) return findAuth(config, repository, { file });
        return ask(helper, host === dockerHub ? dockerHubKey : host);
      }
      return undefined;
    },
  };
}

const variableWhere: Where = { file: "$DOCKER_AUTH_CONFIG" };

function configFiles({ configDir, configFile, env }: DockerKeychainOptions): readonly string[] {
  if (configFile !== undefined) return [configFile];
  const folder = configDir ?? nonEmpty(env["DOCKER_CONFIG"]);
  if (folder !== undefined) return [join(folder, "config.json")];
  const podmanFile = nonEmpty(env["REGISTRY_AUTH_FILE"]);
  if (podmanFile !== undefined) return [podmanFile];
  const home = nonEmpty(env["HOME"]);
  const runtime = nonEmpty(env["XDG_RUNTIME_DIR"]);
  const settings =
    nonEmpty(env["XDG_CONFIG_HOME"]) ?? (home === undefined ? undefined : join(home, ".config"));
  return [
    ...(home === undefined ? [] : [join(home, ".docker", "config.json")]),
    ...[runtime, settings].flatMap((base) =>
      base === undefined ? [] : [join(base, "containers", "auth.json")],
    ),
  ];
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === "" ? undefined : text;
}

async function tryReadConfig(file: string): Promise<string | undefined> {
  const refuse = (problem: string, cause?: unknown): FairleadError =>
    new FairleadError("credentials-invalid", `the docker config cannot be read: ${problem}`, {
      where: { file },
      cause,
    });
  // A pipe in its place must not block.
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK).catch((cause: unknown) => {
    const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw refuse(messageOf(cause), cause);
  });
  if (handle === undefined) return undefined;
  try {
    const info = await handle.stat();
    if (!info.isFile()) throw refuse("it is no file");
    if (info.size > maxConfigBytes) throw refuse(`it is larger than ${maxConfigBytes} bytes`);
    return await handle.readFile("utf8");
  } finally {
    await handle.close();
  }
}

/** An empty name says that the registry has no helper, whatever credsStore says. */
function helperFor({ credHelpers, credsStore }: DockerConfig, host: string): string | undefined {
  const [, helper = credsStore] = [...credHelpers].find(([key]) => placeOfKey(key) === host) ?? [];
  return nonEmpty(helper);
}

/** Of keys that mean one place, the one that docker writes goes before legacy forms. */
function findAuth(
  { auths }: DockerConfig,
  { registry, path }: ImageReference,
  where: Where,
): Credentials | undefined {
  const host = normaliseRegistryHost(registry);
  const parts = path.split("/");
  const keys = [...auths.keys()];
  for (let length = parts.length; length >= 0; length -= 1) {
    const place = [host, ...parts.slice(0, length)].join("/");
    const written = place === dockerHub ? dockerHubKey : place;
    const fitting = keys.filter((key) => placeOfKey(key) === place);
    for (const key of fitting.toSorted(
      (left, right) => Number(right === written) - Number(left === written),
    )) {
      const credentials = tryReadAuthEntry(auths.get(key), where);
      if (credentials !== undefined) return credentials;
    }
  }
  return undefined;
}

/**
 * What a key stands for: of an URL its host alone, else host and path (containers/image, normalizeAuthFileKey);
 * `/v1/` and `/v2/` are the registry's API.
 */
function placeOfKey(key: string): string {
  const [, scheme, host = "", path = ""] = /^(https?:\/\/)?([^/]*)(.*)$/su.exec(key) ?? [];
  const isWhole = scheme !== undefined || /^\/(?:v[12]\/?)?$/u.test(path);
  return normaliseRegistryHost(host) + (isWhole ? "" : path.replace(/\/+$/u, ""));
}

type Ask = (helper: string, server: string) => Promise<Credentials | undefined>;

/** Many images of one registry ask at once. */
function rememberAnswers(ask: Ask): Ask {
  const answers = new Map<string, { readonly answer: ReturnType<Ask>; readonly sinceMs: number }>();
  return async (helper, server) => {
    const key = `${helper} ${server}`;
    const known = answers.get(key);
    const nowMs = performance.now();
    if (known !== undefined && nowMs - known.sinceMs < helperCacheMs) return known.answer;
    const answer = ask(helper, server);
    answers.set(key, { answer, sinceMs: nowMs });
    // A helper that failed may work the next time.
    answer.catch(() => answers.delete(key));
    return answer;
  };
}
