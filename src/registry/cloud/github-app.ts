import { createPrivateKey } from "node:crypto";
import type { FairleadError } from "../../core/error.ts";
import type { Expiring } from "../../core/expiring-cache.ts";
import { isObject } from "../json-body.ts";
import { invalidIdentity } from "./cloud-session.ts";
import { type Exchange, malformed } from "./exchange.ts";

const clockDriftSeconds = 30;
const proofLifeSeconds = 120;
const pageSize = 100;
const maxPages = 20;
/** A page of installations, each of which lists its permissions. */
const maxListBytes = 8 * 1024 * 1024;

/** The keys of a Secret that describe a GitHub App, as Flux names them. */
export type GithubAppSecret = Readonly<Record<string, string>>;

/** Calls GitHub's REST API as the App and gives the JSON of a success. @throws FairleadError */
export type GithubAppCall = (request: {
  readonly method: "GET" | "POST";
  readonly path: string;
}) => Promise<unknown>;

/** Makes the error for a Secret or an answer that cannot be used. */
export type Refuse = (message: string, hint?: string) => FairleadError;

/** Whether a Secret describes a GitHub App. */
export function hasGithubApp(secret: GithubAppSecret): boolean {
  return (secret["githubAppID"] ?? "").trim() !== "";
}

/** What tells one App's installation from others, with its key. */
export function githubAppIdentity(secret: GithubAppSecret): readonly string[] {
  return [
    "githubAppID",
    "githubAppInstallationID",
    "githubAppInstallationOwner",
    "githubAppBaseURL",
    "githubAppPrivateKey",
  ].map((key) => secret[key] ?? "");
}

/**
 * The API of an App: its `githubAppBaseURL`, where it gives one. A host of the API is one as it is; others have
 * the API below a path.
 * @param base the API that belongs to the repository, without a slash at its end
 */
export function githubAppBase(secret: GithubAppSecret, base: string, refuse: Refuse): string {
  const given = (secret["githubAppBaseURL"] ?? "").trim();
  if (given === "") return base;
  const url = URL.parse(given);
  if (url === null || !/^https?:$/u.test(url.protocol))
    throw refuse("the githubAppBaseURL is no URL of http");
  const path = url.pathname.replace(/\/+$/u, "");
  const isApiHost = url.host.startsWith("api.") || url.host.includes(".api.");
  return `${url.origin}${path}${isApiHost || path.endsWith("/api/v3") ? "" : "/api/v3"}`;
}

/** The API of the GitHub at an origin: GitHub's own has a host of its own, GitHub Enterprise Server a path. */
export function githubApiOf(origin: string): string {
  const { host } = new URL(origin);
  if (host === "github.com" || host === "www.github.com") return "https://api.github.com";
  if (host.endsWith(".ghe.com")) return `https://api.${host.replace(/^api\./u, "")}`;
  return `${origin}/api/v3`;
}

/** The headers of a call of GitHub's REST API. */
export function githubHeaders(token: string): Readonly<Record<string, string>> {
  return {
    accept: "application/vnd.github+json",
    authorization: `Bearer ${token}`,
    "x-github-api-version": "2022-11-28",
  };
}

/** A token that shows that its owner has the App's private key. @throws what `refuse` makes */
export async function signGithubProof(
  secret: GithubAppSecret,
  nowMs: number,
  refuse: Refuse,
): Promise<string> {
  const id = checkedNumber((secret["githubAppID"] ?? "").trim(), "githubAppID", refuse);
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
    throw refuse("the githubAppPrivateKey of the Secret cannot be used", "it is an RSA key in PEM");
  }
}

/** The token of an App's installation. @throws what `refuse` makes and what `call` throws */
export async function githubInstallationToken(
  secret: GithubAppSecret,
  call: GithubAppCall,
  refuse: Refuse,
): Promise<Expiring<string>> {
  const id = await installationId(secret, call, refuse);
  const answer = await call({ method: "POST", path: `/app/installations/${id}/access_tokens` });
  const { token, expires_at: expiry } = isObject(answer) ? answer : {};
  const expiresAtMs = typeof expiry === "string" ? Date.parse(expiry) : NaN;
  if (typeof token !== "string" || !/^[!-~]{1,4096}$/u.test(token) || Number.isNaN(expiresAtMs)) {
    throw refuse("GitHub gave no token for the installation");
  }
  return { value: token, expiresAtMs };
}

/**
 * The token of an App's installation, for Git.
 * @param origin of the repository's host
 * @throws FairleadError `credentials-invalid` and those of an exchange
 */
export async function askGithub(
  secret: GithubAppSecret,
  origin: string,
  nowMs: number,
  exchange: Exchange,
): Promise<Expiring<string>> {
  const who = "GitHub";
  const proof = await signGithubProof(secret, nowMs, invalidIdentity);
  const base = githubAppBase(secret, githubApiOf(origin), invalidIdentity);
  const call: GithubAppCall = async ({ method, path }) => {
    const { body } = await exchange({
      who,
      method,
      url: `${base}${path}`,
      headers: githubHeaders(proof),
      secrets: [proof],
      maxBytes: maxListBytes,
    });
    let json: unknown;
    try {
      json = JSON.parse(new TextDecoder().decode(body));
    } catch {
      throw malformed(who, "JSON");
    }
    return json;
  };
  return githubInstallationToken(secret, call, invalidIdentity);
}

async function installationId(secret: GithubAppSecret, call: GithubAppCall, refuse: Refuse): Promise<string> {
  const id = (secret["githubAppInstallationID"] ?? "").trim();
  const owner = (secret["githubAppInstallationOwner"] ?? "").trim();
  if ((id === "") === (owner === "")) {
    throw refuse("a GitHub App wants one of githubAppInstallationID and githubAppInstallationOwner");
  }
  if (id !== "") return checkedNumber(id, "githubAppInstallationID", refuse);
  for (let page = 1; page <= maxPages; page += 1) {
    const answer = await call({
      method: "GET",
      path: `/app/installations?per_page=${pageSize}&page=${page}`,
    });
    const list: readonly unknown[] = Array.isArray(answer) ? answer : [];
    const own = list.filter(isObject).find((item) => loginOf(item["account"]) === owner.toLowerCase());
    if (own !== undefined) return checkedNumber(String(own["id"]), "id", refuse);
    if (list.length < pageSize) break;
  }
  throw refuse("the GitHub App is not installed for the owner that the Secret names");
}

function loginOf(account: unknown): string | undefined {
  const login = isObject(account) ? account["login"] : undefined;
  return typeof login === "string" ? login.toLowerCase() : undefined;
}

function checkedNumber(text: string, key: string, refuse: Refuse): string {
  if (/^\d{1,19}$/u.test(text)) return text;
  throw refuse(`the ${key} of the Secret is no number`);
}
