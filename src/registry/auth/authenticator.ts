import type { ImageReference } from "../../reference/reference.ts";
import type { Credentials, Keychain } from "../registry-api.ts";
import type { Call } from "../transport/call.ts";
import { basicHeader } from "../transport/dispatcher.ts";
import type { Send } from "../transport/http-exchange.ts";
import { createSingleFlight } from "../transport/single-flight.ts";
import type { Challenge } from "./challenge.ts";
import { requestToken } from "./token-request.ts";

/** What a request of a repository shows. */
export interface Grant {
  /** The `Authorization` header; undefined: none. */
  readonly header: string | undefined;
  /** Whether there were credentials, for the message where they are refused. */
  readonly hasCredentials: boolean;
  /** Texts that must not be told. */
  readonly secrets: readonly string[];
}

/** Gives the requests to one registry what the registry asks for. */
export interface Authenticator {
  /** The grant for reading a repository: the kept one, or a fresh one by the challenges of the registry. */
  grant(repository: ImageReference, call: Call): Promise<Grant>;
  /** A fresh grant, for a request that was refused with these challenges; undefined where none could differ. */
  renew(
    repository: ImageReference,
    refused: Grant,
    challenges: readonly Challenge[],
    call: Call,
  ): Promise<Grant | undefined>;
}

export interface AuthenticatorOptions {
  readonly registry: URL;
  /** What the registry answered the ping with. */
  readonly challenges: readonly Challenge[];
  readonly keychain: Keychain | undefined;
  readonly send: Send;
}

interface TimedGrant extends Grant {
  readonly goodUntilMs: number;
  /** What it answers; some registries ask only for some repositories. */
  readonly challenges: readonly Challenge[];
}

/** Credentials are looked up again after this: Secrets change, and cloud registries' passwords end. */
const credentialsLifetimeMs = 5 * 60_000;
/** Tokens are renewed before they end, as a request takes time. */
const tokenMarginMs = 10_000;
const maxGrants = 10_000;
const maxScopeLength = 1_024;

/** An {@link Authenticator} that keeps a grant for each repository, since tokens and credentials are for one. */
export function createAuthenticator(options: AuthenticatorOptions): Authenticator {
  const grants = new Map<string, TimedGrant>();
  const flights = createSingleFlight<TimedGrant>();

  const obtain = async (
    repository: ImageReference,
    challenges: readonly Challenge[],
    call: Call,
  ): Promise<TimedGrant> =>
    flights.run(repository.path, call, async (shared) => {
      const granted = await makeGrant(repository, challenges, options, shared);
      if (grants.size >= maxGrants) grants.clear();
      grants.set(repository.path, granted);
      return granted;
    });

  return {
    grant: async (repository, call) => {
      const known = grants.get(repository.path);
      if (known !== undefined && known.goodUntilMs > performance.now()) return known;
      return obtain(repository, known?.challenges ?? options.challenges, call);
    },
    renew: async (repository, refused, challenges, call) => {
      const known = grants.get(repository.path);
      // Another request of the same repository was refused first.
      if (known !== undefined && known.header !== refused.header) return known;
      if (challenges.length === 0) return undefined;
      grants.delete(repository.path);
      const renewed = await obtain(repository, challenges, call);
      return renewed.header === refused.header ? undefined : renewed;
    },
  };
}

async function makeGrant(
  repository: ImageReference,
  challenges: readonly Challenge[],
  { registry, keychain, send }: AuthenticatorOptions,
  call: Call,
): Promise<TimedGrant> {
  const credentials = await keychain?.find(repository);
  const base = {
    hasCredentials: credentials !== undefined,
    secrets: secretsOf(credentials),
    goodUntilMs: performance.now() + credentialsLifetimeMs,
    challenges,
  };
  if (credentials?.kind === "registry-token") return { ...base, header: `Bearer ${credentials.token}` };
  const bearer = challenges.find(
    ({ scheme, parameters }) => scheme === "bearer" && parameters["realm"] !== undefined,
  );
  if (bearer !== undefined) {
    const { realm = "", service, scope = "" } = bearer.parameters;
    const usesOwnScope = scope === "" || scope.length > maxScopeLength;
    const token = await requestToken(
      {
        realm,
        service,
        scope: usesOwnScope ? `repository:${repository.path}:pull` : scope,
        credentials,
        registry,
      },
      send,
      call,
    );
    const goodUntilMs = performance.now() + Math.min(token.lifetimeMs - tokenMarginMs, credentialsLifetimeMs);
    return { ...base, header: `Bearer ${token.text}`, secrets: [...base.secrets, token.text], goodUntilMs };
  }
  const isBasic = challenges.some(({ scheme }) => scheme === "basic") && credentials?.kind === "basic";
  return { ...base, header: isBasic ? basicHeader(credentials.username, credentials.password) : undefined };
}

function secretsOf(credentials: Credentials | undefined): readonly string[] {
  if (credentials === undefined) return [];
  if (credentials.kind !== "basic") return [credentials.token];
  return [`${credentials.username}:${credentials.password}`, credentials.password];
}
