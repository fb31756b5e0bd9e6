import { createHash, createPrivateKey } from "node:crypto";
import { type ApiCall, createApiCaller } from "./api-call.ts";
import { memberOf, textOf } from "./exchange.ts";
import { githubHeaders } from "./github-headers.ts";
import type { DeliveryContext, ExpiringToken, ProviderSettings } from "./provider.ts";
import { addressOf, unusable } from "./request.ts";
import { itemsOf, maxListBytes } from "./status-list.ts";

const clockDriftSeconds = 30;
const proofLifeSeconds = 120;
const pageSize = 100;
const maxPages = 20;

/** Whether the Secret describes a GitHub App. */
export function hasGithubApp({ secret }: ProviderSettings): boolean {
  return (secret["githubAppID"] ?? "").trim() !== "";
}

/**
 * The token of an App's installation, from the cache where there is one.
 * @throws FairleadError `delivery-failed`
 */
export async function githubAppToken(
  settings: ProviderSettings,
  context: DeliveryContext,
  base: string,
): Promise<string> {
  const make = (): Promise<ExpiringToken> => makeToken(settings, context, base);
  return context.tokens === undefined
    ? (await make()).token
    : context.tokens.get(cacheKey(settings, base), make);
}

/** The login of an App as the author of comments. @throws FairleadError `delivery-failed` */
export async function githubAppLogin(
  settings: ProviderSettings,
  context: DeliveryContext,
  base: string,
): Promise<string> {
  const call = await appCaller(settings, context, base);
  const app = await call({ method: "GET", path: "/app", sample: '{"slug":"fairlead"}' });
  return `${textOf(app, "slug")}[bot]`;
}

async function makeToken(
  settings: ProviderSettings,
  context: DeliveryContext,
  base: string,
): Promise<ExpiringToken> {
  const call = await appCaller(settings, context, base);
  const id = await installationId(settings, call);
  const answer = await call({
    method: "POST",
    path: `/app/installations/${id}/access_tokens`,
    sample: '{"token":"installation-token","expires_at":"2100-01-01T00:00:00Z"}',
  });
  const expiresAtMs = Date.parse(textOf(answer, "expires_at"));
  const token = textOf(answer, "token");
  if (token === "" || Number.isNaN(expiresAtMs)) throw unusable("GitHub gave no token for the installation");
  return { token, expiresAtMs };
}

/** Calls as the App itself, which proves that it has the private key. */
async function appCaller(
  settings: ProviderSettings,
  context: DeliveryContext,
  base: string,
): Promise<ApiCall> {
  const proof = await signProof(settings, context.now());
  const given = (settings.secret["githubAppBaseURL"] ?? "").trim();
  const own = given === "" ? base : appBaseOf(addressOf({ address: given }));
  return createApiCaller(settings, context, own, githubHeaders(proof), [proof]);
}

/** A host of the API is one as it is; others have the API below a path. */
function appBaseOf(url: URL): string {
  const path = url.pathname.replace(/\/+$/u, "");
  const isApiHost = url.host.startsWith("api.") || url.host.includes(".api.");
  return `${url.origin}${path}${isApiHost || path.endsWith("/api/v3") ? "" : "/api/v3"}`;
}

async function installationId({ secret }: ProviderSettings, call: ApiCall): Promise<string> {
  const id = (secret["githubAppInstallationID"] ?? "").trim();
  const owner = (secret["githubAppInstallationOwner"] ?? "").trim();
  if ((id === "") === (owner === "")) {
    throw unusable("a GitHub App wants one of githubAppInstallationID and githubAppInstallationOwner");
  }
  if (id !== "") return checkedNumber(id, "githubAppInstallationID");
  for (let page = 1; page <= maxPages; page += 1) {
    const list = itemsOf(
      await call({
        method: "GET",
        path: `/app/installations?per_page=${pageSize}&page=${page}`,
        maxResponseBytes: maxListBytes,
        sample: JSON.stringify([{ id: 1, account: { login: owner } }]),
      }),
    );
    const own = list.find(
      (item) => textOf(memberOf(item, "account"), "login").toLowerCase() === owner.toLowerCase(),
    );
    if (own !== undefined) return checkedNumber(String(memberOf(own, "id")), "id");
    if (list.length < pageSize) break;
  }
  throw unusable("the GitHub App is not installed for the owner that the Secret names");
}

async function signProof({ secret }: ProviderSettings, nowMs: number): Promise<string> {
  const id = checkedNumber((secret["githubAppID"] ?? "").trim(), "githubAppID");
  const { SignJWT } = await import("jose");
  const issuedAt = Math.floor(nowMs / 1000) - clockDriftSeconds;
  try {
    return await new SignJWT({})
      .setProtectedHeader({ alg: "RS256", typ: "JWT" })
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + proofLifeSeconds)
      .setIssuer(id)
      // jose reads PKCS#8 alone, and GitHub gives PKCS#1.
      .sign(createPrivateKey(secret["githubAppPrivateKey"] ?? ""));
  } catch {
    // The cause may quote the key.
    throw unusable("the githubAppPrivateKey of the Secret cannot be used", "it is an RSA key in PEM");
  }
}

function checkedNumber(text: string, key: string): string {
  if (/^\d{1,19}$/u.test(text)) return text;
  throw unusable(`the ${key} of the Secret is no number`);
}

function cacheKey({ secret }: ProviderSettings, base: string): string {
  const keys = ["githubAppID", "githubAppInstallationID", "githubAppInstallationOwner", "githubAppBaseURL"];
  const parts = [base, ...keys.map((key) => secret[key] ?? ""), secret["githubAppPrivateKey"] ?? ""];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}
