import { createHash } from "node:crypto";
import type { AddressGuard } from "../../core/address-guard.ts";
import type { Logger } from "../../core/log.ts";
import type { RegistryAccess } from "../registry-api.ts";
import { createDirectSender } from "../transport/direct-sender.ts";
import { createDispatcherChoice } from "../transport/dispatcher.ts";
import { createHostLimits } from "../transport/host-limits.ts";
import type { Send } from "../transport/http-exchange.ts";
import type { Environment } from "../transport/proxy-choice.ts";
import { type RetryOptions, withRetries } from "../transport/retry.ts";

export interface TokenSenderOptions {
  /** Names the proxy where an access does not. */
  readonly environment: Environment;
  readonly guard: AddressGuard;
  readonly retry?: RetryOptions | undefined;
  readonly log?: Logger | undefined;
}

/** How a service that gives tokens is reached. */
export type TokenAccess = Pick<RegistryAccess, "ca" | "clientCertificate" | "proxy">;

/** The transports over which tokens are asked for, with their connections. */
export interface TokenSenders {
  /** To a service on the net. */
  remote(access: TokenAccess): Send;
  /** To a service on the net whose address a Secret gives. */
  guarded(access: TokenAccess): Send;
  /** To a service of this machine: metadata are never asked for through a proxy. */
  readonly local: Send;
}

const remoteAttemptMs = 10_000;
/** Services of the machine answer at once or are not there. */
const localAttemptMs = 3_000;
const localAttempts = 2;
const maxSenders = 100;

/** {@link TokenSenders} without connections. */
export function createTokenSenders({ environment, guard, retry, log }: TokenSenderOptions): TokenSenders {
  const limits = createHostLimits();
  const senders = new Map<string, Send>();
  const senderFor = (access: TokenAccess, isGuarded: boolean): Send => {
    const key = createHash("sha256")
      .update(JSON.stringify([access, isGuarded]))
      .digest("base64");
    const known = senders.get(key);
    if (known !== undefined) return known;
    if (senders.size >= maxSenders) senders.clear();
    const lookup = isGuarded ? guard.lookup : undefined;
    const connections = createDispatcherChoice(undefined, { access, environment, lookup });
    const retrying = withRetries(createDirectSender(connections, remoteAttemptMs), { ...retry, limits, log });
    const send: Send = async (request, call) => {
      if (isGuarded) guard.checkHost(request.url.hostname);
      return retrying(withAgent(request), call);
    };
    senders.set(key, send);
    return send;
  };
  const direct = createDispatcherChoice(undefined, { access: {}, environment: {} });
  const local = withRetries(createDirectSender(direct, localAttemptMs), {
    ...retry,
    maxAttempts: localAttempts,
    limits,
    log,
  });
  return {
    remote: (access) => senderFor(access, false),
    guarded: (access) => senderFor(access, true),
    local: (request, call) => local(withAgent(request), call),
  };
}

function withAgent(request: Parameters<Send>[0]): Parameters<Send>[0] {
  return { ...request, headers: { "user-agent": "fairlead", ...request.headers } };
}
