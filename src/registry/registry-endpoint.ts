import { FairleadError } from "../core/error.ts";
import { dockerHub } from "../reference/registry-host.ts";
import { type Challenge, readChallenges } from "./auth/challenge.ts";
import { failureOf } from "./registry-failure.ts";
import type { Call } from "./transport/call.ts";
import { hasSpokenTls } from "./transport/direct-sender.ts";
import type { HttpAnswer, Send } from "./transport/http-exchange.ts";
import { isLoopback } from "./transport/loopback.ts";
import { isRetryableStatus } from "./transport/retry.ts";

/** Where a registry is, and what it asks of those who come. */
export interface RegistryEndpoint {
  /** The scheme and host. */
  readonly url: URL;
  readonly challenges: readonly Challenge[];
}

/** Docker Hub's registry has another host than its references. */
const dockerHubEndpoint = "registry-1.docker.io";
const maxPingBytes = 64 * 1024;

/**
 * The address of the registry of a reference, by https.
 * @throws FairleadError `reference-invalid` for a reference without a registry
 */
export function registryUrl(registry: string): URL {
  const url = URL.parse(`https://${registry === dockerHub ? dockerHubEndpoint : registry}`);
  if (registry === "" || url === null || url.pathname !== "/" || url.username !== "" || url.search !== "") {
    throw new FairleadError("reference-invalid", "the reference names no registry that can be asked");
  }
  return url;
}

/**
 * Pings a registry by https and, where plain http is allowed and https is not spoken, by http.
 * @throws FairleadError `registry-unreachable`, `registry-failed`
 */
export async function findEndpoint(
  registry: string,
  options: { readonly insecure: boolean; readonly send: Send; readonly sendOnce: Send },
  call: Call,
): Promise<RegistryEndpoint> {
  const secure = registryUrl(registry);
  if (!options.insecure && !isLoopback(secure.hostname)) return ping(secure, options.send, call);
  const attempt = await tryPing(secure, options.sendOnce, call);
  if (!(attempt instanceof FairleadError)) return attempt;
  // Somebody speaks TLS there, and what is wrong with it must not be passed over.
  if (hasSpokenTls(attempt)) throw attempt;
  const plain = new URL(secure);
  plain.protocol = "http:";
  // The default port of https is no port of http.
  if (registry.endsWith(":443")) throw attempt;
  return ping(plain, options.send, call);
}

async function tryPing(url: URL, send: Send, call: Call): Promise<RegistryEndpoint | FairleadError> {
  try {
    return await ping(url, send, call);
  } catch (error) {
    if (error instanceof FairleadError && error.code === "registry-unreachable") return error;
    throw error;
  }
}

async function ping(url: URL, send: Send, call: Call): Promise<RegistryEndpoint> {
  const headers = { accept: "application/json" };
  const answer = await send(
    { method: "GET", url: new URL("/v2/", url), headers, maxBytes: maxPingBytes },
    call,
  );
  if (isRetryableStatus(answer.status)) throw failureOf(answer, { subject: url.host });
  return { url, challenges: answer.url.origin === url.origin ? challengesOf(answer) : [] };
}

/** A scope that is asked for here is that of the ping, and not that of a repository. */
function challengesOf(answer: HttpAnswer): readonly Challenge[] {
  if (answer.status !== 401) return [];
  return readChallenges(answer.headers["www-authenticate"]).map(({ scheme, parameters }) => {
    const { scope: _scope, ...others } = parameters;
    return { scheme, parameters: others };
  });
}
