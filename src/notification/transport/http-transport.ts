import { FairleadError, messageOf } from "../../core/error.ts";
import { lazy } from "../../core/lazy.ts";
import type { RegistryAccess } from "../../registry/registry-api.ts";
import { createDispatcherChoice, type DispatcherChoice } from "../../registry/transport/dispatcher.ts";
import { createHostLimits, type HostLimits } from "../../registry/transport/host-limits.ts";
import { type Environment, parseProxy } from "../../registry/transport/proxy-choice.ts";
import { joinHeaders } from "../../registry/transport/response-headers.ts";
import { createTlsContext } from "../../registry/transport/trusted-certificates.ts";
import type { DeliveryTransport, IncomingResponse, OutgoingRequest } from "../providers/provider.ts";
import { type AddressGuard, createAddressGuard } from "../../core/address-guard.ts";
import { withDeadline } from "./deadline.ts";
import { checkHeaders } from "./header-check.ts";
import { redirectTarget } from "./redirect-target.ts";
import { sendMail } from "./smtp-sender.ts";
import { publishToNats } from "./nats-publisher.ts";

/** How the destination of a provider is reached: its certificates and its proxy. */
export interface HttpTransportOptions extends Pick<RegistryAccess, "ca" | "clientCertificate" | "proxy"> {
  /** Names the proxy where `proxy` does not; default: none. */
  readonly environment?: Environment | undefined;
  /** Default: one that allows nothing beyond the usual. */
  readonly guard?: AddressGuard | undefined;
  /** Shared by all transports that may reach the same hosts; default: four requests to a host at a time. */
  readonly limits?: HostLimits | undefined;
  /** For one request, its wait for room included; default: 15,000 ms. */
  readonly timeoutMs?: number | undefined;
}

const defaultTimeoutMs = 15_000;
const defaultMaxResponseBytes = 64 * 1024;
const maxRedirects = 5;

/**
 * Sends over the network, each address checked as it is connected to.
 * @throws FairleadError `config-invalid` for a proxy that is none
 */
export function createHttpTransport(options: HttpTransportOptions = {}): DeliveryTransport {
  const { ca, clientCertificate, proxy, environment = {}, timeoutMs = defaultTimeoutMs } = options;
  const guard = options.guard ?? createAddressGuard();
  const limits = options.limits ?? createHostLimits({ maxConcurrent: 4 });
  if (proxy !== undefined) parseProxy(proxy);
  const access = { ca, clientCertificate, proxy };
  const dispatcherFor = createDispatcherChoice(undefined, { access, environment, lookup: guard.lookup });
  const secureContext = lazy(() => createTlsContext(access));

  /** Does work on a host within its bounds and time. */
  const within = <Result>(
    host: string,
    signal: AbortSignal | undefined,
    work: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> =>
    withDeadline(
      timeoutMs,
      () => slowness(host, timeoutMs),
      signal,
      async (inner) => {
        const call = { signal: inner, endsAtMs: performance.now() + timeoutMs };
        try {
          return await limits.run(host, call, () => work(inner));
        } catch (error) {
          throw describeFailure(error, host);
        }
      },
    );

  const checkProxy = lazy(() => {
    if (proxy !== undefined) guard.checkHost(parseProxy(proxy).url.hostname);
  });
  return {
    send: async (request, signal) => {
      checkProxy();
      checkHeaders(request.headers);
      const url = new URL(request.url);
      return within(url.host, signal, (inner) => follow(request, url, { guard, dispatcherFor }, inner));
    },
    publish: async (publication, signal) =>
      within(publication.server, signal, (inner) =>
        publishToNats(publication, { guard, ca, clientCertificate }, inner),
      ),
    mail: async (mail, signal) =>
      within(mail.server, signal, (inner) => sendMail(mail, { guard, secureContext, timeoutMs }, inner)),
  };
}

interface Connections {
  readonly guard: AddressGuard;
  readonly dispatcherFor: DispatcherChoice;
}

async function follow(
  request: OutgoingRequest,
  url: URL,
  connections: Connections,
  signal: AbortSignal,
): Promise<IncomingResponse> {
  let current = url;
  for (let count = 0; ; count += 1) {
    connections.guard.checkHost(current.hostname);
    const response = await sendOnce(request, current, connections, signal);
    const target = redirectTarget(request.method, current, response);
    if (target === undefined || count === maxRedirects) return response;
    current = target;
  }
}

async function sendOnce(
  request: OutgoingRequest,
  url: URL,
  { dispatcherFor }: Connections,
  signal: AbortSignal,
): Promise<IncomingResponse> {
  const dispatcher = await dispatcherFor(url);
  const response = await dispatcher.request({
    origin: url.origin,
    path: `${url.pathname}${url.search}`,
    method: request.method,
    headers: { "user-agent": "fairlead", ...request.headers, "accept-encoding": "identity" },
    body: request.body ?? null,
    signal,
    // The request has its own time.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  // A body that is given up tells so once more, when nobody reads it.
  response.body.on("error", () => undefined);
  return {
    status: response.statusCode,
    headers: joinHeaders(response.headers),
    body: await readStart(response.body, request.maxResponseBytes ?? defaultMaxResponseBytes),
  };
}

async function readStart(chunks: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string> {
  const parts: Uint8Array[] = [];
  let length = 0;
  // Leaving the loop early ends the connection, so that nothing more is received.
  for await (const chunk of chunks) {
    parts.push(chunk);
    length += chunk.length;
    if (length >= maxBytes) break;
  }
  return Buffer.concat(parts, Math.min(length, maxBytes)).toString();
}

function slowness(host: string, timeoutMs: number): FairleadError {
  return new FairleadError("delivery-failed", `${host} did not answer within ${timeoutMs / 1000} s`, {
    retryable: true,
  });
}

function describeFailure(error: unknown, host: string): unknown {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof FairleadError) return cause;
  }
  return new FairleadError("delivery-failed", `cannot reach ${host}: ${reasonOf(error)}`, {
    retryable: true,
    cause: error,
  });
}

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === "") return messageOf(error.errors[0]);
  return messageOf(error);
}
