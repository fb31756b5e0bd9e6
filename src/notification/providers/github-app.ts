import { createHash } from "node:crypto";
import type { Expiring } from "../../core/expiring-cache.ts";
import {
  type GithubAppCall,
  githubAppBase,
  githubAppIdentity,
  githubHeaders,
  githubInstallationToken,
  signGithubProof,
} from "../../registry/cloud/github-app.ts";
import { type ApiCall, createApiCaller } from "./api-call.ts";
import { textOf } from "./exchange.ts";
import type { DeliveryContext, ProviderSettings } from "./provider.ts";
import { unusable } from "./request.ts";
import { maxListBytes } from "./status-list.ts";

/**
 * The token of an App's installation, from the cache where there is one.
 * @throws FairleadError `delivery-failed`
 */
export async function githubAppToken(
  settings: ProviderSettings,
  context: DeliveryContext,
  base: string,
): Promise<string> {
  const make = (): Promise<Expiring<string>> => makeToken(settings, context, base);
  return context.tokens === undefined
    ? (await make()).value
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
): Promise<Expiring<string>> {
  const { secret } = settings;
  const api = await appCaller(settings, context, base);
  const call: GithubAppCall = (request) =>
    api({ ...request, maxResponseBytes: maxListBytes, sample: sampleAnswer(request.method, settings) });
  return githubInstallationToken(secret, call, unusable);
}

function sampleAnswer(method: string, { secret }: ProviderSettings): string {
  const login = (secret["githubAppInstallationOwner"] ?? "").trim();
  return method === "GET"
    ? JSON.stringify([{ id: 1, account: { login } }])
    : '{"token":"installation-token","expires_at":"2100-01-01T00:00:00Z"}';
}

/** Calls as the App itself, which proves that it has the private key. */
async function appCaller(
  settings: ProviderSettings,
  context: DeliveryContext,
  base: string,
): Promise<ApiCall> {
  const { secret } = settings;
  const proof = await signGithubProof(secret, context.now(), unusable);
  const own = githubAppBase(secret, base, unusable);
  return createApiCaller(settings, context, own, githubHeaders(proof), [proof]);
}

function cacheKey({ secret }: ProviderSettings, base: string): string {
  return createHash("sha256")
    .update(JSON.stringify([base, ...githubAppIdentity(secret)]))
    .digest("hex");
}
