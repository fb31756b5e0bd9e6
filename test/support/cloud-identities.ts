import { createVerify, type KeyObject } from "node:crypto";
import { type CloudRequest, type CloudService, fieldsOf } from "./cloud-servers.ts";

/** Entra ID gives a token to who shows this assertion. */
export function entraService(expected: {
  readonly host: string;
  readonly tenant: string;
  readonly client: string;
  readonly scope: string;
  readonly assertion: string;
  readonly token: () => string;
}): CloudService {
  return (request) => {
    if (request.host !== expected.host) return undefined;
    if (request.path !== `/${expected.tenant}/oauth2/v2.0/token`) return { status: 404 };
    const fields = fieldsOf(request);
    const isRight =
      fields["grant_type"] === "client_credentials" &&
      fields["client_id"] === expected.client &&
      fields["scope"] === expected.scope &&
      fields["client_assertion_type"] === "urn:ietf:params:oauth:client-assertion-type:jwt-bearer" &&
      fields["client_assertion"] === expected.assertion;
    if (isRight) return { body: { access_token: expected.token(), expires_in: 3599, token_type: "Bearer" } };
    const description = `AADSTS70021: no match for ${fields["client_assertion"]}`;
    return { status: 401, body: { error: "invalid_client", error_description: description } };
  };
}

/** Azure's instance metadata give a token for this resource. */
export function managedIdentityService(resource: string, token: string, client?: string): CloudService {
  return ({ host, path, headers }) => {
    const url = new URL(path, "http://metadata");
    if (host !== "metadata" || url.pathname !== "/metadata/identity/oauth2/token") return undefined;
    const query = Object.fromEntries(url.searchParams);
    const isRight =
      headers["metadata"] === "true" &&
      query["api-version"] === "2018-02-01" &&
      query["resource"] === resource &&
      query["client_id"] === client;
    if (!isRight)
      return { status: 400, body: { error: "invalid_request", error_description: "Identity not found" } };
    return { body: { access_token: token, expires_in: "3599", expires_on: "1785546000" } };
  };
}

/** A token that says of itself when it ends, and is signed by nobody. */
export function unsignedToken(claims: object): string {
  return `${Buffer.from('{"alg":"none"}').toString("base64url")}.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.c2ln`;
}

/** A registry of Azure exchanges this token. */
export function acrService(
  registry: string,
  accessToken: () => string,
  refreshToken: () => string,
): CloudService {
  return (request) => {
    if (request.host !== registry || request.path !== "/oauth2/exchange") return undefined;
    const fields = fieldsOf(request);
    const isRight =
      fields["grant_type"] === "access_token" &&
      fields["service"] === registry &&
      fields["access_token"] === accessToken();
    if (isRight) return { body: { refresh_token: refreshToken() } };
    return {
      status: 401,
      body: { errors: [{ code: "UNAUTHORIZED", message: `no access with ${fields["access_token"]}` }] },
    };
  };
}

/** Google's metadata server, with these values by path. */
export function googleMetadataService(values: Readonly<Record<string, unknown>>): CloudService {
  return ({ host, path, headers }) => {
    const base = "/computeMetadata/v1/";
    if (host !== "metadata" || !path.startsWith(base)) return undefined;
    if (headers["metadata-flavor"] !== "Google") return { status: 403 };
    const value = values[path.slice(base.length)];
    return value === undefined ? { status: 404 } : { body: value };
  };
}

/** Google's security token service, for this subject. */
export function googleStsService(expected: {
  readonly audience: string;
  readonly subject: string;
  readonly token: string;
}): CloudService {
  return (request) => {
    if (request.host !== "sts.googleapis.com" || request.path !== "/v1/token") return undefined;
    const fields = fieldsOf(request);
    const isRight =
      fields["grant_type"] === "urn:ietf:params:oauth:grant-type:token-exchange" &&
      fields["requested_token_type"] === "urn:ietf:params:oauth:token-type:access_token" &&
      fields["subject_token_type"] === "urn:ietf:params:oauth:token-type:jwt" &&
      fields["audience"] === expected.audience &&
      fields["subject_token"] === expected.subject &&
      (fields["scope"] ?? "").startsWith("https://www.googleapis.com/auth/cloud-platform");
    if (isRight) return { body: { access_token: expected.token, expires_in: 3600, token_type: "Bearer" } };
    return {
      status: 400,
      body: { error: "invalid_grant", error_description: `bad ${fields["subject_token"]}` },
    };
  };
}

/** Google's service for tokens of service accounts. */
export function impersonationService(email: string, bearer: string, token: string): CloudService {
  return ({ host, path, headers }) => {
    if (host !== "iamcredentials.googleapis.com") return undefined;
    if (path !== `/v1/projects/-/serviceAccounts/${email}:generateAccessToken`) return { status: 404 };
    if (headers["authorization"] === `Bearer ${bearer}`) {
      return { body: { accessToken: token, expireTime: "2026-08-01T01:00:00Z" } };
    }
    return { status: 403, body: { error: { code: 403, message: "PERMISSION_DENIED", status: "x" } } };
  };
}

/** Google's token service for assertions that a service account has signed. */
export function assertionService(email: string, key: KeyObject, token: string): CloudService {
  return (request) => {
    if (request.host !== "oauth2.googleapis.com" || request.path !== "/token") return undefined;
    const { grant_type: type, assertion = "" } = fieldsOf(request);
    const claims = verifiedClaims(assertion, key);
    const isRight =
      type === "urn:ietf:params:oauth:grant-type:jwt-bearer" &&
      claims?.["iss"] === email &&
      claims["aud"] === "https://oauth2.googleapis.com/token" &&
      Number(claims["exp"]) - Number(claims["iat"]) === 3600 &&
      String(claims["scope"]).startsWith("https://www.googleapis.com/auth/cloud-platform");
    return isRight
      ? { body: { access_token: token, expires_in: 3599 } }
      : { status: 400, body: { error: "invalid_grant" } };
  };
}

/** GitHub's API for an App with one installation. */
export function githubService(expected: {
  readonly host: string;
  readonly base?: string;
  readonly appId: string;
  readonly key: KeyObject;
  readonly owner: string;
  readonly token: () => string;
  readonly expiresAt: () => string;
}): CloudService {
  const { host, base = "", appId, key, owner, token, expiresAt } = expected;
  return (request: CloudRequest) => {
    if (request.host !== host) return undefined;
    const proof = (request.headers["authorization"] ?? "").replace("Bearer ", "");
    const claims = verifiedClaims(proof, key);
    if (claims?.["iss"] !== appId || Number(claims["exp"]) - Number(claims["iat"]) > 600) {
      return { status: 401, body: { message: `A JSON web token could not be decoded: ${proof}` } };
    }
    if (request.path.startsWith(`${base}/app/installations?`)) {
      return { body: [{ id: 4, account: { login: owner } }] };
    }
    if (request.path !== `${base}/app/installations/4/access_tokens`) return { status: 404 };
    return { status: 201, body: { token: token(), expires_at: expiresAt() } };
  };
}

function verifiedClaims(token: string, key: KeyObject): Readonly<Record<string, unknown>> | undefined {
  const [header = "", payload = "", signature = ""] = token.split(".");
  const isSigned = createVerify("sha256")
    .update(`${header}.${payload}`)
    .verify(key, Buffer.from(signature, "base64url"));
  if (!isSigned) return undefined;
  return JSON.parse(Buffer.from(payload, "base64url").toString()) as Readonly<Record<string, unknown>>;
}
