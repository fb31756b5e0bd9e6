import type { Command } from "commander";
import type { LatestReference } from "../../automation/objects/image-policy.ts";
import type { AutomationObjects } from "../../automation/objects/objects.ts";
import type { LatestReferences } from "../../automation/setters/setter-policies.ts";
import { openState } from "../../automation/state/automation-state.ts";
import type { FairleadError } from "../../core/error.ts";
import type { Logger } from "../../core/log.ts";
import type { CliIo } from "../io.ts";
import { version } from "../version.ts";

/** Where it is known from what policies have chosen. */
export interface LatestReferencesOptions {
  readonly state?: string;
  readonly dockerConfig?: string;
}

/** Adds {@link LatestReferencesOptions}. */
export function addLatestReferencesOptions(command: Command): Command {
  return command
    .option("--state <file>", "state of fairlead automate, for policies whose objects have no status")
    .option(
      "--docker-config <directory>",
      "folder of docker's config.json, for what has to be scanned (default: DOCKER_CONFIG, else ~/.docker)",
    );
}

export interface FoundReferences extends LatestReferences {
  /** Why policies have chosen nothing. */
  readonly errors: readonly FairleadError[];
}

/**
 * What policies have chosen: by the status of their objects, else by the state file, else by a scan of their
 * repositories; nothing for a policy that is suspended and has no status.
 * @throws FairleadError `state-invalid`, `aborted`
 */
export async function findLatestReferences(
  objects: AutomationObjects,
  options: LatestReferencesOptions,
  io: CliIo,
  log: Logger,
): Promise<FoundReferences> {
  const known = options.state === undefined ? undefined : await readState(options.state);
  const { imagePolicies } = objects;
  const latestOf = (key: string): LatestReference | undefined =>
    imagePolicies.get(key)?.latestRef ?? known?.get(key);
  const missing = [...imagePolicies]
    .filter(([key, { spec }]) => !spec.suspend && latestOf(key) === undefined)
    .map(([, policy]) => policy);
  if (missing.length === 0) return { latestOf, errors: [] };
  log.info("policies without a status are scanned for", { policies: missing.length });
  // Loaded where something has to be scanned.
  const { createRegistryClients } = await import("../../automation/run/registry-clients.ts");
  const { scanPolicies } = await import("../../automation/run/scan-policies.ts");
  const { createDockerKeychain } = await import("../../registry/credentials/docker-keychain.ts");
  const keychain = createDockerKeychain({ configDir: options.dockerConfig, env: io.env });
  const userAgent = `fairlead/${version}`;
  const { latest, errors } = await scanPolicies(missing, {
    objects,
    connect: createRegistryClients({ objects, keychain, inherited: io.env, userAgent, log }),
    nowMs: () => Date.now(),
    signal: io.signal,
  });
  return { latestOf: (key) => latestOf(key) ?? latest.get(key), errors };
}

async function readState(file: string): Promise<ReadonlyMap<string, LatestReference | undefined>> {
  const state = await openState(file, { readOnly: true });
  try {
    return new Map(
      state
        .statuses("ImagePolicy")
        .map(({ namespace, name, status }) => [`${namespace}/${name}`, status.latestRef]),
    );
  } finally {
    state.close();
  }
}
