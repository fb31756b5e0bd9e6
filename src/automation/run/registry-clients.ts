import { FairleadError } from "../../core/error.ts";
import type { Logger } from "../../core/log.ts";
import { cloudAccount, type ServiceAccountToken } from "../../registry/cloud/cloud-account.ts";
import { createPlatformTokens, type PlatformTokens } from "../../registry/cloud/platform-tokens.ts";
import { joinKeychains } from "../../registry/credentials/joined-keychain.ts";
import { createSecretKeychain } from "../../registry/credentials/secret-keychain.ts";
import type { Keychain, RegistryAccess, RegistryClient } from "../../registry/registry-api.ts";
import { createRegistryClient } from "../../registry/registry-client.ts";
import { createHostLimits } from "../../registry/transport/host-limits.ts";
import { missingSecret, secretTexts } from "../git/git-access.ts";
import type { ImageRepository } from "../objects/image-repository.ts";
import { objectKey } from "../../objects/object-meta.ts";
import type { AutomationObjects } from "../objects/objects.ts";
import type { Secret } from "../../objects/secret.ts";
import type { ServiceAccount } from "../../objects/service-account.ts";

export interface RegistryClientsOptions {
  readonly objects: Pick<AutomationObjects, "secrets" | "serviceAccounts">;
  /** What is asked where no Secret of a repository has credentials; undefined: nobody. */
  readonly keychain?: Keychain | undefined;
  /** Credentials for repositories with a provider, shared by many clients; default: from the environment. */
  readonly tokens?: PlatformTokens | undefined;
  /** Default: there is no cluster that gives tokens of ServiceAccounts. */
  readonly serviceAccountToken?: ServiceAccountToken | undefined;
  /** Where the proxies stand that repositories without one of their own use. */
  readonly inherited: Readonly<Record<string, string | undefined>>;
  readonly userAgent?: string | undefined;
  readonly log?: Logger | undefined;
}

/**
 * Gives each ImageRepository its client, one for as long as it is used, with the Secrets that it names.
 * @returns throws FairleadError `object-missing`, `credentials-invalid`, `config-invalid`
 */
export function createRegistryClients(
  options: RegistryClientsOptions,
): (repository: ImageRepository) => RegistryClient {
  const hostLimits = createHostLimits();
  const clients = new Map<string, RegistryClient>();
  const { inherited: environment, log } = options;
  const tokens = options.tokens ?? createPlatformTokens({ environment, log });
  return (repository) => {
    const key = objectKey(repository.meta);
    const known = clients.get(key);
    if (known !== undefined) return known;
    const access = accessOf(repository, options.objects.secrets);
    const client = createRegistryClient({
      keychain: keychainOf(repository, access, { ...options, tokens }),
      access,
      env: options.inherited,
      hostLimits,
      userAgent: options.userAgent,
      log: options.log,
    });
    clients.set(key, client);
    return client;
  };
}

function keychainOf(
  repository: ImageRepository,
  { proxy }: RegistryAccess,
  options: RegistryClientsOptions & { readonly tokens: PlatformTokens },
): Keychain | undefined {
  const { objects, keychain, tokens } = options;
  const { spec } = repository;
  const account = accountOf(repository, objects);
  if (spec.provider !== "generic") {
    if (account === undefined) {
      const own = tokens.keychain(spec.provider, { proxy });
      return keychain === undefined ? own : joinKeychains(keychain, own);
    }
    return tokens.keychain(spec.provider, {
      proxy,
      account: cloudAccount(account.meta, options.serviceAccountToken),
    });
  }
  const names = spec.secretRef === undefined ? (account?.imagePullSecrets ?? []) : [spec.secretRef.name];
  const secrets = names.map((name) => secretOf(repository, name, objects.secrets));
  if (secrets.length === 0) return keychain;
  const own = createSecretKeychain(secrets);
  return keychain === undefined ? own : joinKeychains(own, keychain);
}

/** The ServiceAccount that counts: a Secret of generic credentials goes before it. */
function accountOf(
  { meta, spec }: ImageRepository,
  { serviceAccounts }: Pick<AutomationObjects, "serviceAccounts">,
): ServiceAccount | undefined {
  const { serviceAccountName: name, provider, secretRef } = spec;
  if (name === undefined || (provider === "generic" && secretRef !== undefined)) return undefined;
  const key = objectKey({ namespace: meta.namespace, name });
  const account = serviceAccounts.get(key);
  if (account !== undefined) return account;
  throw new FairleadError("object-missing", `there is no ServiceAccount ${key}`, { where: meta.where });
}

function accessOf(repository: ImageRepository, secrets: ReadonlyMap<string, Secret>): RegistryAccess {
  const { certSecretRef, proxySecretRef, provider } = repository.spec;
  const certificates = certSecretRef === undefined ? {} : textsOf(repository, certSecretRef.name, secrets);
  const { "ca.crt": ca, "tls.crt": cert, "tls.key": key } = certificates;
  if ((cert === undefined) !== (key === undefined)) {
    const name = `${repository.meta.namespace}/${certSecretRef?.name ?? ""}`;
    throw new FairleadError("credentials-invalid", `the Secret ${name} has only one of tls.crt and tls.key`);
  }
  return {
    // Clouds speak https, and what they give their workloads is not sent without.
    insecure: repository.spec.insecure && provider === "generic",
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined || key === undefined ? {} : { clientCertificate: { cert, key } }),
    ...(proxySecretRef === undefined ? {} : { proxy: proxyOf(repository, proxySecretRef.name, secrets) }),
  };
}

function proxyOf(
  repository: ImageRepository,
  name: string,
  secrets: ReadonlyMap<string, Secret>,
): NonNullable<RegistryAccess["proxy"]> {
  const { address, username, password } = textsOf(repository, name, secrets);
  if (address === undefined) {
    const key = `${repository.meta.namespace}/${name}`;
    throw new FairleadError("credentials-invalid", `the Secret ${key} has no address of a proxy`);
  }
  return {
    address: address.trim(),
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
  };
}

function textsOf(
  repository: ImageRepository,
  name: string,
  secrets: ReadonlyMap<string, Secret>,
): Readonly<Record<string, string>> {
  return secretTexts(secretOf(repository, name, secrets));
}

function secretOf({ meta }: ImageRepository, name: string, secrets: ReadonlyMap<string, Secret>): Secret {
  const secret = secrets.get(objectKey({ namespace: meta.namespace, name }));
  if (secret === undefined) throw missingSecret(meta.namespace, name);
  return secret;
}
