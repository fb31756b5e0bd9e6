import type { Logger } from "../core/log.ts";
import { formatFamiliar, type ImageReference } from "../reference/reference.ts";
import { getBlob } from "./blob-request.ts";
import { getManifest, headManifest } from "./manifest-request.ts";
import type { Keychain, RegistryAccess, RegistryClient, RequestOptions } from "./registry-api.ts";
import { registryUrl } from "./registry-endpoint.ts";
import { createSession, type RegistrySession } from "./registry-session.ts";
import { listTags, type TagListLimits } from "./tag-list.ts";
import { type Call, withCall } from "./transport/call.ts";
import { createDirectSender } from "./transport/direct-sender.ts";
import { createDispatcherChoice } from "./transport/dispatcher.ts";
import { createHostLimits, type HostLimits } from "./transport/host-limits.ts";
import type { Send } from "./transport/http-exchange.ts";
import type { Environment } from "./transport/proxy-choice.ts";
import { withRedirects } from "./transport/redirect.ts";
import { type RetryOptions, withRetries } from "./transport/retry.ts";

export interface RegistryClientOptions {
  /** Default: everything is asked for without credentials. */
  readonly keychain?: Keychain | undefined;
  /** How every registry of this client is reached. */
  readonly access?: RegistryAccess | undefined;
  /** Where `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` stand, for an access without proxy; default: nowhere. */
  readonly env?: Environment | undefined;
  /** Bounds on the requests to each host; clients may share them. */
  readonly hostLimits?: HostLimits | undefined;
  readonly retry?: RetryOptions | undefined;
  readonly tagListLimits?: TagListLimits | undefined;
  /** For one attempt at one request, its body included; default: 30,000 ms. */
  readonly attemptTimeoutMs?: number | undefined;
  readonly userAgent?: string | undefined;
  /** Told of requests that are sent again, and of what registries list that is no tag. */
  readonly log?: Logger | undefined;
}

/**
 * A client of registries. It keeps connections, tokens and the answers to pings for as long as it is used;
 * nothing has to be closed.
 * @throws FairleadError `config-invalid` for a proxy whose address is none
 */
export function createRegistryClient(options: RegistryClientOptions = {}): RegistryClient {
  const limits = options.hostLimits ?? createHostLimits();
  const sessions = new Map<string, RegistrySession>();
  const sessionFor = (registry: string): RegistrySession => {
    const known = sessions.get(registry);
    if (known !== undefined) return known;
    const session = openSession(registry, limits, options);
    sessions.set(registry, session);
    return session;
  };
  const call = async <Result>(
    subject: string,
    repository: ImageReference,
    requestOptions: RequestOptions,
    work: (session: RegistrySession, call: Call) => Promise<Result>,
  ): Promise<Result> =>
    withCall(`${subject} ${formatFamiliar(repository)}`, requestOptions, (running) =>
      work(sessionFor(repository.registry), running),
    );
  return {
    listTags: async (repository, requestOptions = {}) =>
      call("listing the tags of", repository, requestOptions, (session, running) =>
        listTags(session, repository, { limits: options.tagListLimits ?? {}, log: options.log }, running),
      ),
    headManifest: async (reference, requestOptions = {}) =>
      call("looking up", reference, requestOptions, (session, running) =>
        headManifest(session, reference, running),
      ),
    getManifest: async (reference, requestOptions = {}) =>
      call("reading the manifest of", reference, requestOptions, (session, running) =>
        getManifest(session, reference, running),
      ),
    getBlob: async (repository, digest, { maxBytes, ...requestOptions }) =>
      call("reading a blob of", repository, requestOptions, (session, running) =>
        getBlob(session, repository, { digest, maxBytes }, running),
      ),
  };
}

function openSession(registry: string, limits: HostLimits, options: RegistryClientOptions): RegistrySession {
  const { access = {}, env = {}, keychain, retry, log, attemptTimeoutMs = 30_000, userAgent } = options;
  const connections = createDispatcherChoice(registryUrl(registry).hostname, { access, environment: env });
  const direct = withUserAgent(createDirectSender(connections, attemptTimeoutMs), userAgent ?? "fairlead");
  return createSession(registry, {
    insecure: access.insecure === true,
    keychain,
    send: withRedirects(withRetries(direct, { ...retry, limits, log })),
    sendOnce: withRedirects(withRetries(direct, { maxAttempts: 1, limits, log })),
  });
}

function withUserAgent(send: Send, userAgent: string): Send {
  return (request, call) =>
    send({ ...request, headers: { ...request.headers, "user-agent": userAgent } }, call);
}
