import type { Expiring } from "../../core/expiring-cache.ts";
import type { CloudSession } from "./cloud-session.ts";
import { endAfter, endAt, form, jsonOf, tokenField } from "./exchange.ts";

/** What tokens are good for; what the identity may do decides the rest. */
export const gcpScopes: readonly string[] = [
  "https://www.googleapis.com/auth/cloud-platform",
  "https://www.googleapis.com/auth/userinfo.email",
];

export interface FederationRequest {
  readonly tokenUrl: string;
  /** The provider of the workload identity pool. */
  readonly audience: string;
  readonly subjectTokenType: string;
  readonly subjectToken: string;
  /** Where the token of a service account is given for that of the pool; undefined: the latter is enough. */
  readonly impersonationUrl: string | undefined;
}

/**
 * A token of Google Cloud for one of another platform (RFC 8693), of a service account where one is impersonated.
 * @throws FairleadError those of an exchange
 */
export async function federatedToken(
  session: CloudSession,
  { tokenUrl, audience, subjectTokenType, subjectToken, impersonationUrl }: FederationRequest,
): Promise<Expiring<string>> {
  const who = "Google's security token service";
  const answer = await session.remote({
    who,
    method: "POST",
    url: tokenUrl,
    ...form({
      grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
      audience,
      scope: impersonationUrl === undefined ? gcpScopes.join(" ") : (gcpScopes[0] ?? ""),
      requested_token_type: "urn:ietf:params:oauth:token-type:access_token",
      subject_token_type: subjectTokenType,
      subject_token: subjectToken,
    }),
    secrets: [subjectToken],
  });
  const object = jsonOf(who, answer);
  const value = tokenField(who, object, "access_token");
  if (impersonationUrl !== undefined) return impersonate(session, impersonationUrl, value);
  return { value, expiresAtMs: endAfter(who, object, session.nowMs()) };
}

async function impersonate(session: CloudSession, url: string, token: string): Promise<Expiring<string>> {
  const who = "the impersonation of a service account";
  const answer = await session.remote({
    who,
    method: "POST",
    url,
    headers: {
      accept: "application/json",
      "content-type": "application/json",
      authorization: `Bearer ${token}`,
    },
    body: JSON.stringify({ scope: gcpScopes, lifetime: "3600s" }),
    secrets: [token],
  });
  const object = jsonOf(who, answer);
  return {
    value: tokenField(who, object, "accessToken"),
    expiresAtMs: endAt(who, object["expireTime"]),
  };
}
