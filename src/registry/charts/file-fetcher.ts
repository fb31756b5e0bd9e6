import { FairleadError } from "../../core/error.ts";
import { lazy } from "../../core/lazy.ts";
import type { Credentials, RegistryAccess, RequestOptions } from "../registry-api.ts";
import { withCall } from "../transport/call.ts";
import { createDirectSender } from "../transport/direct-sender.ts";
import { createDispatcherChoice } from "../transport/dispatcher.ts";
import { createHostLimits } from "../transport/host-limits.ts";
import { describeUrl, isSuccess, type Send } from "../transport/http-exchange.ts";
import type { Environment } from "../transport/proxy-choice.ts";
import { withRedirects } from "../transport/redirect.ts";
import { withRetries } from "../transport/retry.ts";

/** Fetches files over http and https. */
export interface FileFetcher {
  /** @throws FairleadError `registry-unreachable`, `registry-failed`, `registry-unauthorized`, `limit-exceeded` */
  fetch(url: URL, options: FetchFileOptions): Promise<Uint8Array>;
}

export interface FetchFileOptions extends RequestOptions {
  readonly maxBytes: number;
}

export interface FileFetcherOptions {
  /** Credentials and the client certificate are for this address's scheme, host and port alone. */
  readonly home: URL;
  readonly access: RegistryAccess;
  /** Names the proxy. */
  readonly environment: Environment;
  readonly credentials?: Extract<Credentials, { readonly kind: "basic" }> | undefined;
  /** Sends the credentials to every host that files are fetched from; redirects to others never get them. */
  readonly passCredentials?: boolean;
  readonly userAgent?: string;
}

/** Indexes may be large, and lines slow. */
const attemptTimeoutMs = 60_000;

/** Files of a classic chart repository, by the same connections as registries. */
export function createFileFetcher(options: FileFetcherOptions): FileFetcher {
  const { home, access, environment, credentials, passCredentials = false, userAgent = "fairlead" } = options;
  const send = lazy((): Send => {
    const direct = createDirectSender(
      createDispatcherChoice(home.hostname, { access, environment }),
      attemptTimeoutMs,
    );
    return withRedirects(withRetries(direct, { limits: createHostLimits() }));
  });
  return {
    fetch: async (url, { maxBytes, signal, timeoutMs }) => {
      const isTrusted = passCredentials || url.origin === home.origin;
      const authorization =
        credentials === undefined || !isTrusted ? {} : { authorization: basicAuthorization(credentials) };
      const headers = { accept: "*/*", "user-agent": userAgent, ...authorization };
      const request = { method: "GET", url, headers, maxBytes } as const;
      const answer = await withCall(`fetching ${describeUrl(url)}`, { signal, timeoutMs }, async (call) =>
        send()(request, call),
      );
      if (isSuccess(answer)) return answer.body;
      throw refusal(answer.status, url, isTrusted);
    },
  };
}

function basicAuthorization({
  username,
  password,
}: {
  readonly username: string;
  readonly password: string;
}): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
}

function refusal(status: number, url: URL, isTrusted: boolean): FairleadError {
  const message = `${describeUrl(url)} answers with status ${status}`;
  if (status !== 401 && status !== 403) return new FairleadError("registry-failed", message);
  return new FairleadError("registry-unauthorized", message, {
    hint: isTrusted
      ? "give --repo-username, and the password in a file or a variable"
      : "the credentials are for the repository's own host; --pass-credentials gives them to this one too",
  });
}
