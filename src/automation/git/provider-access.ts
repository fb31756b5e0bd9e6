import { FairleadError } from "../../core/error.ts";
import { objectKey } from "../../objects/object-meta.ts";
import { cloudAccount, type ServiceAccountToken } from "../../registry/cloud/cloud-account.ts";
import { hasGithubApp } from "../../registry/cloud/github-app.ts";
import type { PlatformTokens, TokenUse } from "../../registry/cloud/platform-tokens.ts";
import type { GitRepository } from "../objects/git-repository.ts";
import type { AutomationObjects } from "../objects/objects.ts";
import { type GitAccess, invalidConfig, invalidSecret, missingSecret, secretTexts } from "./git-access.ts";

export interface ProviderAccessPorts {
  readonly objects: Pick<AutomationObjects, "secrets" | "serviceAccounts">;
  readonly tokens: PlatformTokens;
  /** Default: there is no cluster that gives tokens of ServiceAccounts. */
  readonly serviceAccountToken?: ServiceAccountToken | undefined;
}

/** The user for tokens of a GitHub App. */
const githubUser = "x-access-token";
/** Azure DevOps, as Entra ID knows it. */
const devopsScope = "499b84ac-1321-427f-aa17-267ca6975798/.default";

/**
 * The access of a GitRepository with the token of its provider.
 * @param access as it is without one
 * @throws FairleadError `config-invalid`, `object-missing`, `credentials-invalid`, and those of asking for a token
 */
export async function withProviderToken(
  access: GitAccess,
  repository: GitRepository,
  ports: ProviderAccessPorts,
): Promise<GitAccess> {
  const { provider } = repository.spec;
  if (provider === "generic") return access;
  if (provider === "azure") return { ...access, bearerToken: await azureToken(access, repository, ports) };
  return {
    ...access,
    basic: { username: githubUser, password: await githubToken(access, repository, ports) },
  };
}

async function githubToken(
  access: GitAccess,
  repository: GitRepository,
  { objects, tokens }: ProviderAccessPorts,
): Promise<string> {
  const { namespace } = repository.meta;
  const name = repository.spec.secretRef?.name;
  if (name === undefined) {
    throw invalidConfig(repository, "the provider github wants a Secret with a GitHub App");
  }
  const secret = objects.secrets.get(objectKey({ namespace, name }));
  if (secret === undefined) throw missingSecret(namespace, name);
  const texts = secretTexts(secret);
  if (!hasGithubApp(texts)) {
    throw invalidSecret(repository, name, "describes no GitHub App");
  }
  const { ca, clientCertificate } = access;
  return tokens.githubToken(texts, new URL(access.url).origin, {
    ca,
    clientCertificate,
    ...proxyOf(access),
  });
}

async function azureToken(
  access: GitAccess,
  repository: GitRepository,
  { objects, tokens, serviceAccountToken }: ProviderAccessPorts,
): Promise<string> {
  const { protocol, host } = new URL(access.url);
  if (protocol !== "https:" || !/^(?:dev\.azure\.com|[a-z0-9-]{1,63}\.visualstudio\.com)$/u.test(host)) {
    throw invalidConfig(repository, `${host} is no host of Azure DevOps, to which alone its tokens are sent`);
  }
  const { meta, spec } = repository;
  const use = proxyOf(access);
  if (spec.serviceAccountName === undefined) return tokens.azureToken(devopsScope, use);
  const key = objectKey({ namespace: meta.namespace, name: spec.serviceAccountName });
  const account = objects.serviceAccounts.get(key);
  if (account === undefined) {
    throw new FairleadError("object-missing", `there is no ServiceAccount ${key}`, { where: meta.where });
  }
  return tokens.azureToken(devopsScope, { ...use, account: cloudAccount(account.meta, serviceAccountToken) });
}

function proxyOf({ proxyUrl }: GitAccess): Pick<TokenUse, "proxy"> {
  return proxyUrl === undefined ? {} : { proxy: { address: proxyUrl } };
}
