import { bearerToken } from "./bearer-token.ts";
import type { IdTokenVerifier } from "./id-token.ts";
import { denied } from "./signature.ts";
import type { WebhookRequest } from "./webhook-request.ts";

const issuers = ["https://accounts.google.com", "accounts.google.com"];
const keysUrl = "https://www.googleapis.com/oauth2/v3/certs";

/**
 * Checks the token of a Pub/Sub subscription: of the service account `email` of the Secret, and for its `audience`.
 * @throws FairleadError `access-denied`; `delivery-failed` where Google's keys cannot be had
 */
export async function checkGoogleToken(
  request: WebhookRequest,
  {
    secret,
    idTokens,
  }: { readonly secret: Readonly<Record<string, string>>; readonly idTokens: IdTokenVerifier },
): Promise<void> {
  const { email = "", audience = "" } = secret;
  if (email === "" || audience === "") throw denied("the Secret has no email or no audience");
  const claims = await idTokens.verify(bearerToken(request), { issuers, keysUrl, audience });
  if (claims["email"] !== email || claims["email_verified"] !== true) {
    throw denied("the token is another account's");
  }
}
