import { afterAll, beforeAll } from "vitest";
import type { CloudAccount } from "../../src/registry/cloud/cloud-session.ts";
import {
  type CloudProvider,
  createPlatformTokens,
  type PlatformTokens,
  type PlatformTokensOptions,
  type TokenUse,
} from "../../src/registry/cloud/platform-tokens.ts";
import { createLogger } from "../../src/core/log.ts";
import { type ImageReference, parseReference } from "../../src/reference/reference.ts";
import type { Credentials } from "../../src/registry/registry-api.ts";
import { type CloudServers, startCloudServers } from "./cloud-servers.ts";

type Texts = Readonly<Record<string, string | undefined>>;

/** The clouds of a file of tests, and their time. */
export interface CloudCase {
  readonly servers: () => CloudServers;
  nowMs: number;
  /** Every line that was logged. */
  readonly logged: string[];
  /** Tokens for this environment, in which the proxy of the servers stands. */
  tokens(environment?: Texts, options?: Partial<PlatformTokensOptions>): PlatformTokens;
  /** Finds the credentials of a registry by tokens of its own. */
  find(
    provider: CloudProvider,
    registry: string,
    options?: { readonly environment?: Texts; readonly use?: TokenUse },
  ): Promise<Credentials | undefined>;
}

/** Starts the clouds before the tests of a file, and stops them after. */
export function useClouds(openssl: string): CloudCase {
  let servers: CloudServers;
  beforeAll(async () => {
    servers = await startCloudServers(openssl);
  });
  afterAll(() => servers.stop());
  const logged: string[] = [];
  const log = createLogger({ level: "debug", format: "text", write: (line) => void logged.push(line) });
  const clouds: CloudCase = {
    servers: () => servers,
    nowMs: Date.parse("2026-08-01T00:00:00Z"),
    logged,
    tokens: (environment = {}, options = {}) =>
      createPlatformTokens({
        environment: { HTTPS_PROXY: servers.proxyUrl, HTTP_PROXY: "http://127.0.0.1:9", ...environment },
        nowMs: () => clouds.nowMs,
        ca: servers.ca,
        retry: { baseDelayMs: 1, maxDelayMs: 2 },
        log,
        ...options,
      }),
    find: (provider, registry, { environment = {}, use = {} } = {}) =>
      clouds.tokens(environment).keychain(provider, use).find(imageAt(registry)),
  };
  return clouds;
}

/** A ServiceAccount `robot` of the namespace `team`, whose token names its audiences. */
export function sampleAccount(annotations: Readonly<Record<string, string>>): CloudAccount {
  return {
    namespace: "team",
    name: "robot",
    annotations,
    token: (audiences) => Promise.resolve(`token-of-robot-for-${audiences.join("+")}`),
  };
}

/** An image of a registry. */
export function imageAt(registry: string): ImageReference {
  return parseReference(`${registry}/team/app`);
}
