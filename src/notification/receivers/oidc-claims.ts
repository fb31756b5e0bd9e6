import { type CelExpression, compileCel } from "../cel/cel-expression.ts";
import type { OidcProvider } from "../objects/receiver.ts";
import { bearerToken } from "./bearer-token.ts";
import { compileFilter, type FilterExpression } from "./filter-expression.ts";
import type { IdTokenVerifier } from "./id-token.ts";
import { denied } from "./signature.ts";
import type { WebhookRequest } from "./webhook-request.ts";

/** What the claims of an issuer's tokens must fulfil, its expressions checked. */
export interface OidcClaimsCheck {
  readonly provider: OidcProvider;
  readonly variables: readonly { readonly name: string; readonly expression: CelExpression }[];
  readonly validations: readonly {
    readonly message: string;
    readonly expression: FilterExpression;
  }[];
}

const variables = ["claims", "vars"];

/** Checks the expressions of an issuer. @throws FairleadError `config-invalid` */
export async function prepareClaimsCheck(provider: OidcProvider): Promise<OidcClaimsCheck> {
  return {
    provider,
    variables: await Promise.all(
      provider.variables.map(async ({ name, expression }) => ({
        name,
        expression: await compileCel(expression, variables),
      })),
    ),
    validations: await Promise.all(
      provider.validations.map(async ({ message, expression }) => ({
        message,
        expression: await compileFilter(expression, variables),
      })),
    ),
  };
}

/**
 * Verifies the token of a request with the keys of its issuer, and its claims by the issuer's validations.
 * @returns the claims
 * @throws FairleadError `access-denied`; `delivery-failed` where the issuer cannot be asked
 */
export async function checkOidcToken(
  request: WebhookRequest,
  {
    oidc,
    idTokens,
  }: { readonly oidc: ReadonlyMap<string, OidcClaimsCheck>; readonly idTokens: IdTokenVerifier },
): Promise<Readonly<Record<string, unknown>>> {
  const token = bearerToken(request);
  const check = oidc.get(unverifiedIssuer(token));
  if (check === undefined) throw denied("the token is of an issuer that is not configured");
  const { issuerUrl, audience } = check.provider;
  const claims = await idTokens.verify(token, { issuers: [issuerUrl], audience });
  const vars: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const { name, expression } of check.variables) vars[name] = expression.evaluate({ claims, vars });
  const broken = check.validations.filter(({ expression }) => !expression.holds({ claims, vars }));
  if (broken.length > 0) {
    throw denied(`token validation failed: ${broken.map(({ message }) => message).join("; ")}`);
  }
  return claims;
}

/** Only tells whose keys to verify with. */
function unverifiedIssuer(token: string): string {
  try {
    const payload: unknown = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
    const { iss } = payload as { iss?: unknown };
    return typeof iss === "string" ? iss : "";
  } catch {
    throw denied("the token is no JWT");
  }
}
