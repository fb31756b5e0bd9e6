import { type Command, InvalidArgumentError, Option } from "commander";
import { FairleadError } from "../../core/error.ts";
import type { Logger } from "../../core/log.ts";
import { createDockerKeychain } from "../../registry/credentials/docker-keychain.ts";
import type { CloudProvider } from "../../registry/cloud/platform-tokens.ts";
import { joinKeychains } from "../../registry/credentials/joined-keychain.ts";
import type { Keychain, RegistryAccess, RegistryClient } from "../../registry/registry-api.ts";
import { createRegistryClient } from "../../registry/registry-client.ts";
import type { CliIo } from "../io.ts";
import { readInput } from "../output/read-input.ts";
import { version } from "../version.ts";
import { collect } from "./chart-options.ts";

/** Flags of every command that talks to registries. */
export interface RegistryOptions {
  readonly insecure?: boolean;
  readonly caFile: readonly string[];
  readonly certFile?: string;
  readonly keyFile?: string;
  readonly proxy?: string;
  readonly dockerConfig?: string;
  /** The cloud whose registry it is, for credentials by the identity of this process. */
  readonly provider?: CloudProvider;
  /** Milliseconds for one call. */
  readonly timeout: number;
}

const defaultTimeoutMs = 60_000;

/** Adds {@link RegistryOptions}. */
export function addRegistryOptions(command: Command): Command {
  return command
    .option("--insecure", "take plain http, and certificates that nobody vouches for")
    .option("--ca-file <file>", "PEM certificates to trust beside the system's; repeatable", collect, [])
    .option("--cert-file <file>", "PEM client certificate to show to the registry; with --key-file")
    .option("--key-file <file>", "PEM key of the client certificate")
    .option(
      "--proxy <url>",
      "http, https or socks5 proxy (default: HTTPS_PROXY, HTTP_PROXY and NO_PROXY of the environment)",
    )
    .option(
      "--docker-config <directory>",
      "folder of docker's config.json with credentials (default: DOCKER_CONFIG, else ~/.docker)",
    )
    .addOption(
      new Option(
        "--timeout <duration>",
        "longest time that an answer may take, retries included, such as 90s or 5m",
      )
        .argParser(duration)
        .default(defaultTimeoutMs, "60s"),
    );
}

/**
 * The client that the flags and the environment ask for.
 * @throws FairleadError `input-invalid`, `input-unreadable`, `config-invalid`
 */
export async function registryClientFor(
  options: RegistryOptions,
  io: CliIo,
  log: Logger,
): Promise<RegistryClient> {
  const access = await readAccess(options);
  const { provider, dockerConfig: configDir } = options;
  const docker = createDockerKeychain({ configDir, env: io.env });
  const keychain =
    provider === undefined ? docker : joinKeychains(docker, await cloudKeychain(provider, access, io, log));
  return createRegistryClient({
    access,
    keychain,
    env: io.env,
    userAgent: `fairlead/${version}`,
    log,
  });
}

/** Loaded where a cloud is named. */
async function cloudKeychain(
  provider: CloudProvider,
  { ca, proxy }: RegistryAccess,
  io: CliIo,
  log: Logger,
): Promise<Keychain> {
  const { createPlatformTokens } = await import("../../registry/cloud/platform-tokens.ts");
  return createPlatformTokens({ environment: io.env, ca, log }).keychain(provider, { proxy });
}

/**
 * How the flags want registries to be reached.
 * @throws FairleadError `input-invalid`, `input-unreadable`
 */
export async function readAccess(options: RegistryOptions): Promise<RegistryAccess> {
  const { insecure, caFile, certFile, keyFile, proxy } = options;
  if ((certFile === undefined) !== (keyFile === undefined)) {
    throw new FairleadError("input-invalid", "--cert-file and --key-file are only of use together");
  }
  const ca = await Promise.all(caFile.map((file) => readInput(file)));
  return {
    insecure: insecure === true,
    ...(ca.length === 0 ? {} : { ca: ca.join("\n") }),
    ...(certFile === undefined || keyFile === undefined
      ? {}
      : { clientCertificate: { cert: await readInput(certFile), key: await readInput(keyFile) } }),
    ...(proxy === undefined ? {} : { proxy: { address: proxy } }),
  };
}

const unitsMs: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };
/** The longest that a timer of Node's can wait. */
const maxTimeoutMs = 2 ** 31 - 1;

/** Reads a duration such as `90s` or `1m30s`, as Flux writes them. @throws InvalidArgumentError */
function duration(text: string): number {
  const isDuration = /^(?:\d+(?:\.\d+)?(?:ms|s|m|h))+$/u.test(text);
  const totalMs = [...text.matchAll(/(?<count>[\d.]+)(?<unit>ms|s|m|h)/gu)].reduce(
    (sum, { groups }) => sum + Number(groups?.["count"]) * (unitsMs[groups?.["unit"] ?? ""] ?? 0),
    0,
  );
  if (!isDuration || totalMs < 1 || totalMs > maxTimeoutMs) {
    throw new InvalidArgumentError("It must be a duration such as 90s, 5m or 1m30s.");
  }
  return totalMs;
}
