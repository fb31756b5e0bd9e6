import { createHash } from "node:crypto";
import type { ImageRepository } from "../../automation/objects/image-repository.ts";
import { createRegistryClients, type RegistryClientsOptions } from "../../automation/run/registry-clients.ts";
import { objectKey } from "../../objects/object-meta.ts";
import type { Secret } from "../../objects/secret.ts";
import type { ServiceAccount } from "../../objects/service-account.ts";
import type { RegistryClient } from "../../registry/registry-api.ts";
import type { ObjectApi } from "../api/object-api.ts";
import { readSecrets, tryReadServiceAccount } from "./referenced-objects.ts";

/** Gives an ImageRepository its client, with the Secrets as they are now. @throws FairleadError */
export type ConnectRepository = (repository: ImageRepository, signal: AbortSignal) => Promise<RegistryClient>;

export interface RepositoryClientsOptions extends Omit<RegistryClientsOptions, "objects"> {
  readonly api: Pick<ObjectApi, "get">;
}

/** Clients that are kept, with their connections and tokens. */
const maxClients = 256;

/** Repositories that are reached in the same way share a client. */
export function createRepositoryClients({ api, ...options }: RepositoryClientsOptions): ConnectRepository {
  const clients = new Map<string, RegistryClient>();
  return async (repository, signal) => {
    const { meta, spec } = repository;
    const { secretRef, certSecretRef, proxySecretRef, serviceAccountName, provider, insecure } = spec;
    const account =
      serviceAccountName === undefined
        ? undefined
        : await tryReadServiceAccount(api, { ...meta, name: serviceAccountName }, signal);
    const pullSecrets = secretRef === undefined ? (account?.imagePullSecrets ?? []) : [secretRef.name];
    const names = [...pullSecrets, certSecretRef?.name, proxySecretRef?.name];
    const secrets = await readSecrets(api, meta.namespace, names, signal);
    const key = digest([
      provider,
      insecure,
      secretRef,
      certSecretRef,
      proxySecretRef,
      [serviceAccountName, account],
      ...contents(secrets),
    ]);
    const known = clients.get(key);
    const client = known ?? connect(repository, secrets, account);
    clients.delete(key);
    clients.set(key, client);
    const [oldest] = clients.keys();
    if (clients.size > maxClients && oldest !== undefined) clients.delete(oldest);
    return client;
  };

  function connect(
    repository: ImageRepository,
    secrets: ReadonlyMap<string, Secret>,
    account: ServiceAccount | undefined,
  ): RegistryClient {
    const serviceAccounts = new Map(account === undefined ? [] : [[objectKey(account.meta), account]]);
    return createRegistryClients({ ...options, objects: { secrets, serviceAccounts } })(repository);
  }
}

/** Secrets by what they hold: one that was changed makes another client. */
function contents(secrets: ReadonlyMap<string, Secret>): readonly unknown[] {
  return [...secrets].map(([key, { type, data }]) => [
    key,
    type,
    Object.entries(data).map(([name, bytes]) => [name, Buffer.from(bytes).toString("base64")]),
  ]);
}

function digest(parts: readonly unknown[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64");
}
