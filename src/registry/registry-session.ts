import type { FairleadError } from "../core/error.ts";
import { createRedactor } from "../core/redaction.ts";
import { formatFamiliar, type ImageReference } from "../reference/reference.ts";
import { createAuthenticator, type Authenticator, type Grant } from "./auth/authenticator.ts";
import { readChallenges } from "./auth/challenge.ts";
import type { Keychain } from "./registry-api.ts";
import { findEndpoint, type RegistryEndpoint } from "./registry-endpoint.ts";
import { failureOf } from "./registry-failure.ts";
import type { Call } from "./transport/call.ts";
import type { HttpAnswer, HttpRequest, Send } from "./transport/http-exchange.ts";
import { createSingleFlight } from "./transport/single-flight.ts";

/** A read of a repository: `url` is a path on the registry, or a whole address on it. */
export interface RepositoryRequest extends Pick<HttpRequest, "maxBytes"> {
  readonly method: "GET" | "HEAD";
  readonly url: string | URL;
  readonly accept?: string;
}

/** An answer, and the error that it means where the caller takes it for one. */
export interface RepositoryAnswer extends HttpAnswer {
  readonly failure: () => FairleadError;
}

/** Requests to one registry: found, pinged and authenticated. */
export interface RegistrySession {
  /** Sends a request; one that is refused with 401 once more, with a fresh grant. */
  send(repository: ImageReference, request: RepositoryRequest, call: Call): Promise<RepositoryAnswer>;
}

export interface SessionOptions {
  readonly insecure: boolean;
  readonly keychain: Keychain | undefined;
  /** With retries and redirects. */
  readonly send: Send;
  /** Without retries, to find out what the host speaks. */
  readonly sendOnce: Send;
}

interface Opened {
  readonly endpoint: RegistryEndpoint;
  readonly authenticator: Authenticator;
}

/** A session that pings its registry before the first request, and again if that failed. */
export function createSession(registry: string, options: SessionOptions): RegistrySession {
  const flight = createSingleFlight<Opened>();
  let opened: Opened | undefined;
  const open = async (call: Call): Promise<Opened> => {
    opened ??= await flight.run(registry, call, async (shared) => {
      const endpoint = await findEndpoint(registry, options, shared);
      const { url, challenges } = endpoint;
      const { keychain, send } = options;
      return { endpoint, authenticator: createAuthenticator({ registry: url, challenges, keychain, send }) };
    });
    return opened;
  };

  return {
    send: async (repository, request, call) => {
      const { endpoint, authenticator } = await open(call);
      const url = new URL(request.url, endpoint.url);
      const isOwn = url.origin === endpoint.url.origin;
      // A page of a list that the registry redirects to another host stays there, without our credentials.
      const grant = isOwn ? await authenticator.grant(repository, call) : anonymous;
      const answer = await options.send(withGrant(request, url, grant), call);
      if (answer.status !== 401 || answer.url.origin !== endpoint.url.origin) {
        return withFailure(answer, repository, grant);
      }
      const challenges = readChallenges(answer.headers["www-authenticate"]);
      const renewed = await authenticator.renew(repository, grant, challenges, call);
      if (renewed === undefined) return withFailure(answer, repository, grant);
      const second = await options.send(withGrant(request, url, renewed), call);
      return withFailure(second, repository, renewed);
    },
  };
}

const anonymous: Grant = { header: undefined, hasCredentials: false, secrets: [] };

function withGrant(
  { method, accept, maxBytes }: RepositoryRequest,
  url: URL,
  { header }: Grant,
): HttpRequest {
  const headers = {
    accept: accept ?? "application/json",
    ...(header === undefined ? {} : { authorization: header }),
  };
  return { method, url, headers, maxBytes };
}

function withFailure(answer: HttpAnswer, reference: ImageReference, grant: Grant): RepositoryAnswer {
  const isRefused = answer.status === 401 || answer.status === 403;
  const failure = (): FairleadError =>
    failureOf(answer, {
      subject: formatFamiliar(reference),
      redact: createRedactor(grant.secrets),
      hint: isRefused ? describeGrant(reference, grant) : undefined,
    });
  return { ...answer, failure };
}

function describeGrant({ registry }: ImageReference, { hasCredentials }: Grant): string {
  return hasCredentials
    ? `the credentials for ${registry} are wrong, or may not read this repository`
    : `there are no credentials for ${registry}`;
}
