import { type Command, InvalidArgumentError } from "commander";
import type { Logger } from "../../core/log.ts";
import {
  type ContainerdAciService,
  createContainerdAciService,
} from "../../imagespec/service/containerd/containerd-aci-service.ts";
import { createAciImageService } from "../../imagespec/service/aci/aci-image-service.ts";
import type { TrustedKey } from "../../imagespec/service/aci/signature.ts";
import type { CliIo } from "../io.ts";
import { readInput } from "../output/read-input.ts";
import { collect } from "./chart-options.ts";

/** Flags of the commands that have a container runtime and ACIs. */
export interface AciOptions {
  readonly runtimeEndpoint: string;
  readonly aci: boolean;
  readonly store: string;
  readonly trustedKey: readonly TrustedKey[];
  readonly insecureDiscovery: readonly string[];
  readonly caFile: readonly string[];
  readonly proxy?: string;
}

/** Adds {@link AciOptions}. */
export function addAciOptions(command: Command): Command {
  return command
    .option("--runtime-endpoint <address>", "socket of containerd", "unix:///run/containerd/containerd.sock")
    .option("--no-aci", "take no ACIs")
    .option("--store <folder>", "where ACIs are kept", "/var/lib/fairlead/aci")
    .option(
      "--trusted-key <prefix=file>",
      "OpenPGP public keys that must have signed the ACIs whose names begin with the prefix; repeatable",
      collectKey,
      [],
    )
    .option(
      "--insecure-discovery <host>",
      "host from which ACIs are taken by plain http too; repeatable",
      collect,
      [],
    )
    .option("--ca-file <file>", "PEM certificates to trust beside the system's; repeatable", collect, [])
    .option(
      "--proxy <url>",
      "http, https or socks5 proxy for ACIs (default: HTTPS_PROXY, HTTP_PROXY and NO_PROXY of the environment)",
    );
}

/**
 * ACIs for containerd, as the flags want them.
 * @returns undefined with `--no-aci`
 * @throws FairleadError `config-invalid`, `input-unreadable`, `state-invalid`, `runtime-failed`
 */
export async function openAcis(
  options: AciOptions,
  io: CliIo,
  log: Logger,
): Promise<ContainerdAciService | undefined> {
  if (!options.aci) return undefined;
  const { caFile, proxy, runtimeEndpoint: endpoint } = options;
  const ca = await Promise.all(caFile.map(async (file) => readInput(file)));
  const aci = await createAciImageService({
    folder: options.store,
    trustedKeys: options.trustedKey,
    plainHttpHosts: options.insecureDiscovery,
    access: {
      ...(ca.length === 0 ? {} : { ca: ca.join("\n") }),
      ...(proxy === undefined ? {} : { proxy: { address: proxy } }),
    },
    env: io.env,
    log,
  });
  try {
    return createContainerdAciService({ endpoint, aci });
  } catch (error) {
    await aci.close();
    throw error;
  }
}

function collectKey(text: string, previous: readonly TrustedKey[]): readonly TrustedKey[] {
  const { prefix, keyFile } = /^(?<prefix>[^=]*)=(?<keyFile>.+)$/su.exec(text)?.groups ?? {};
  if (prefix !== undefined && keyFile !== undefined) return [...previous, { prefix, keyFile }];
  throw new InvalidArgumentError("It must be PREFIX=FILE, such as example.com/team=team.asc.");
}
