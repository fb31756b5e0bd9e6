import type { Expiring } from "../../core/expiring-cache.ts";
import type { Credentials } from "../registry-api.ts";
import { type CloudAccount, type CloudSession, invalidIdentity, variable } from "./cloud-session.ts";
import { endAfter, jsonOf, malformed, tokenField } from "./exchange.ts";
import { federatedToken } from "./gcp-federation.ts";
import { tokenOfKeyFile } from "./gcp-key-file.ts";

/** Whether a host is Artifact Registry or Container Registry. */
export function isGcpHost(registry: string): boolean {
  return /^(?:(?:[a-z0-9-]{1,63}\.)?gcr\.io|[a-z0-9-]{1,63}-docker\.pkg\.dev)$/u.test(registry);
}

/**
 * The password of all registries of Google Cloud.
 * @throws FairleadError `credentials-invalid` and those of an exchange
 */
export async function gcpCredentials(session: CloudSession): Promise<Expiring<Credentials>> {
  const { value, expiresAtMs } = await gcpToken(session);
  return { value: { kind: "basic", username: "oauth2accesstoken", password: value }, expiresAtMs };
}

/**
 * A token of Google Cloud for a ServiceAccount, or for this process: by the file of
 * `GOOGLE_APPLICATION_CREDENTIALS`, else by the metadata server.
 * @throws FairleadError `credentials-invalid` and those of an exchange
 */
export async function gcpToken(session: CloudSession): Promise<Expiring<string>> {
  if (session.account !== undefined) return tokenOfAccount(session, session.account);
  const file = variable(session, "GOOGLE_APPLICATION_CREDENTIALS");
  if (file !== undefined) return tokenOfKeyFile(session, file);
  const object = jsonOf(metadata, {
    body: await readMetadata(session, "instance/service-accounts/default/token"),
  });
  return {
    value: tokenField(metadata, object, "access_token"),
    expiresAtMs: endAfter(metadata, object, session.nowMs()),
  };
}

const providerAnnotation = "gcp.auth.fluxcd.io/workload-identity-provider";
const emailAnnotation = "iam.gke.io/gcp-service-account";
const providerName =
  /^projects\/\d{1,30}\/locations\/global\/workloadIdentityPools\/[\w.-]{1,100}\/providers\/[\w.-]{1,100}$/u;
const emailAddress = /^[a-zA-Z0-9-]{1,100}@[a-zA-Z0-9-]{1,100}\.iam\.gserviceaccount\.com$/u;

/** By the pool that the ServiceAccount names, else by that of the GKE cluster, with Flux's annotations. */
async function tokenOfAccount(session: CloudSession, account: CloudAccount): Promise<Expiring<string>> {
  const email = checked(account, emailAnnotation, emailAddress);
  const provider = checked(account, providerAnnotation, providerName);
  const pool = provider === undefined ? await clusterPool(session) : poolOf(provider);
  return federatedToken(session, {
    tokenUrl: "https://sts.googleapis.com/v1/token",
    audience: pool.audience,
    subjectTokenType: "urn:ietf:params:oauth:token-type:jwt",
    subjectToken: await account.token([pool.tokenAudience]),
    impersonationUrl:
      email === undefined
        ? undefined
        : `https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/${email}:generateAccessToken`,
  });
}

interface IdentityPool {
  /** For Google. */
  readonly audience: string;
  /** For the token of the ServiceAccount. */
  readonly tokenAudience: string;
}

function poolOf(provider: string): IdentityPool {
  const audience = `//iam.googleapis.com/${provider}`;
  return { audience, tokenAudience: audience };
}

async function clusterPool(session: CloudSession): Promise<IdentityPool> {
  const [project = "", location = "", name = ""] = await Promise.all(
    ["project/project-id", "instance/attributes/cluster-location", "instance/attributes/cluster-name"].map(
      async (path) => new TextDecoder().decode(await readMetadata(session, path)).trim(),
    ),
  );
  if (![project, location, name].every((part) => /^[\w.:-]{1,200}$/u.test(part))) {
    throw malformed(metadata, "the project and the name of the cluster");
  }
  const pool = `${project}.svc.id.goog`;
  const cluster = `https://container.googleapis.com/v1/projects/${project}/locations/${location}/clusters/${name}`;
  return { audience: `identitynamespace:${pool}:${cluster}`, tokenAudience: pool };
}

const metadata = "the metadata server";

async function readMetadata(session: CloudSession, path: string): Promise<Uint8Array> {
  const host = variable(session, "GCE_METADATA_HOST") ?? "169.254.169.254";
  if (!/^[\w.:[\]-]{1,255}$/u.test(host)) throw invalidIdentity("GCE_METADATA_HOST is no host");
  const answer = await session.local({
    who: metadata,
    method: "GET",
    url: `http://${host}/computeMetadata/v1/${path}`,
    headers: { "metadata-flavor": "Google" },
  });
  return answer.body;
}

function checked({ annotations }: CloudAccount, key: string, pattern: RegExp): string | undefined {
  const value = annotations[key];
  if (value === undefined || value === "") return undefined;
  if (pattern.test(value)) return value;
  throw invalidIdentity(`the annotation ${key} of the ServiceAccount has a wrong form`);
}
