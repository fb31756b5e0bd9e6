import type { IncomingResponse, OutgoingRequest } from "../providers/provider.ts";

/**
 * Where a redirect leads that may be followed: on the same origin, and with the method as it is (RFC 9110, 15.4).
 * Undefined for every other answer: a hook's address and credentials are not carried to another host.
 */
export function redirectTarget(
  method: OutgoingRequest["method"],
  url: URL,
  { status, headers }: IncomingResponse,
): URL | undefined {
  const keepsMethod = status === 307 || status === 308;
  const isFollowed = keepsMethod || (method === "GET" && [301, 302, 303].includes(status));
  if (!isFollowed) return undefined;
  const target = URL.parse(headers["location"] ?? "", url.href);
  return headers["location"] !== undefined && target?.origin === url.origin ? target : undefined;
}
