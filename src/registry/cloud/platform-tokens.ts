import { createHash } from "node:crypto";
import { type AddressGuard, createAddressGuard } from "../../core/address-guard.ts";
import { createExpiringCache, type Expiring } from "../../core/expiring-cache.ts";
import { FairleadError } from "../../core/error.ts";
import type { Logger } from "../../core/log.ts";
import type { Credentials, Keychain, ProxySettings, RegistryAccess } from "../registry-api.ts";
import { withCall } from "../transport/call.ts";
import type { Environment } from "../transport/proxy-choice.ts";
import type { RetryOptions } from "../transport/retry.ts";
import { ecrCredentials } from "./aws.ts";
import { acrCredentials, azureToken, isAcrHost } from "./azure.ts";
import type { CloudAccount, CloudSession } from "./cloud-session.ts";
import { tryParseEcrHost } from "./ecr-host.ts";
import { createExchange } from "./exchange.ts";
import { gcpCredentials, gcpToken, isGcpHost } from "./gcp.ts";
import { askGithub, githubAppIdentity, type GithubAppSecret } from "./github-app.ts";
import { createTokenSenders, type TokenAccess } from "./token-senders.ts";

/** Who asks for tokens, and how they are fetched. */
export interface TokenUse {
  /** Default: the identity of this process. */
  readonly account?: CloudAccount | undefined;
  /** Default: the proxy that the environment names. */
  readonly proxy?: ProxySettings | undefined;
}

/** Tokens that platforms give for an identity; kept, and shared by all who ask for the same. */
export interface PlatformTokens {
  /** Finds credentials for the registries of a cloud; others are an error (`config-invalid`). */
  keychain(provider: CloudProvider, use: TokenUse): Keychain;
  /** A token of Entra ID. @param scope what it is for @throws FairleadError */
  azureToken(scope: string, use: TokenUse): Promise<string>;
  /** A token for Google Cloud as a whole. @throws FairleadError */
  gcpToken(use: TokenUse): Promise<string>;
  /**
   * The token of a GitHub App's installation.
   * @param origin of the repository's host, such as `https://github.com`
   * @throws FairleadError
   */
  githubToken(secret: GithubAppSecret, origin: string, access: TokenAccess): Promise<string>;
}

export type CloudProvider = "aws" | "azure" | "gcp";

export interface PlatformTokensOptions {
  /** This process's, where platforms say who it is. */
  readonly environment: Environment;
  /** Milliseconds since 1970; default: the system's. */
  readonly nowMs?: (() => number) | undefined;
  /** PEM certificates that count beside the system's where clouds are asked. */
  readonly ca?: RegistryAccess["ca"];
  /** Keeps requests from addresses that a Secret gives; default: one that allows nothing beyond the usual. */
  readonly guard?: AddressGuard | undefined;
  readonly retry?: RetryOptions | undefined;
  /** For one token, with all its exchanges; default: 30,000 ms. */
  readonly timeoutMs?: number | undefined;
  readonly log?: Logger | undefined;
}

/** Who is given a token keeps it for up to five minutes. */
const marginMs = 5.5 * 60_000;

/** {@link PlatformTokens} without tokens. */
export function createPlatformTokens(options: PlatformTokensOptions): PlatformTokens {
  const { environment, nowMs = Date.now, ca, guard = createAddressGuard(), retry, log } = options;
  const { timeoutMs = 30_000 } = options;
  const credentials = createExpiringCache<Credentials>(nowMs, marginMs);
  const tokens = createExpiringCache<string>(nowMs, marginMs);
  const senders = createTokenSenders({ environment, guard, retry, log });

  const ask = <Value>(
    what: string,
    { account, proxy }: TokenUse,
    work: (session: CloudSession) => Promise<Expiring<Value>>,
  ): Promise<Expiring<Value>> => {
    log?.debug("a platform is asked for a token", { for: what });
    return withCall(`asking for ${what}`, { timeoutMs }, (call) =>
      work({
        environment,
        nowMs,
        account,
        // What an object says of certificates holds for its registry: it must not see the tokens of this process.
        remote: createExchange(senders.remote({ ca, proxy }), call),
        local: createExchange(senders.local, call),
      }),
    );
  };

  return {
    keychain: (provider, use) => ({
      find: async ({ registry }) => {
        const { key, make } = credentialsFor(provider, registry);
        return credentials.get(keyOf(key, use), () => ask(`credentials of ${registry}`, use, make));
      },
    }),
    azureToken: (scope, use) =>
      tokens.get(keyOf(`azure ${scope}`, use), () =>
        ask("a token of Azure", use, (session) => azureToken(session, scope)),
      ),
    gcpToken: (use) => tokens.get(keyOf("gcp", use), () => ask("a token of Google Cloud", use, gcpToken)),
    githubToken: (secret, origin, access) =>
      tokens.get(digest(["github", origin, githubAppIdentity(secret), access]), () => {
        log?.debug("a platform is asked for a token", { for: "a GitHub App" });
        return withCall("asking for a token of a GitHub App", { timeoutMs }, (call) =>
          askGithub(secret, origin, nowMs(), createExchange(senders.guarded(access), call)),
        );
      }),
  };
}

interface CredentialsRequest {
  /** Registries with the same key take the same credentials. */
  readonly key: string;
  readonly make: (session: CloudSession) => Promise<Expiring<Credentials>>;
}

function credentialsFor(provider: CloudProvider, registry: string): CredentialsRequest {
  if (provider === "aws") {
    const host = tryParseEcrHost(registry);
    if (host !== undefined) {
      const key = `aws ${host.kind} ${host.region} ${host.domain} ${host.fips}`;
      return { key, make: (session) => ecrCredentials(session, host) };
    }
  } else if (provider === "azure") {
    if (isAcrHost(registry)) {
      return { key: `acr ${registry}`, make: (session) => acrCredentials(session, registry) };
    }
  } else if (isGcpHost(registry)) {
    return { key: "gcr", make: gcpCredentials };
  }
  throw new FairleadError("config-invalid", `${registry} is no registry of the provider ${provider}`, {
    hint: "credentials of a cloud are sent to its own registries alone; use provider generic for others",
  });
}

/** Tokens are shared by those who are the same to the cloud and reach it in the same way. */
function keyOf(what: string, { account, proxy }: TokenUse): string {
  const { namespace, name, annotations = {} } = account ?? {};
  const sorted = Object.entries(annotations).toSorted(([left], [right]) => (left < right ? -1 : 1));
  return digest([what, namespace, name, sorted, proxy]);
}

function digest(parts: readonly unknown[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64");
}
