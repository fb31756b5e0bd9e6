import type { Expiring } from "../../core/expiring-cache.ts";
import { isObject } from "../json-body.ts";
import type { Credentials } from "../registry-api.ts";
import { type AwsCredentials, awsCredentials } from "./aws-identity.ts";
import { type CloudSession, endpointVariable } from "./cloud-session.ts";
import type { EcrHost } from "./ecr-host.ts";
import { endAt, jsonOf, malformed, tokenField } from "./exchange.ts";

/** How the two registries of AWS are asked for a password. */
const services = {
  private: {
    who: "ECR",
    name: "ecr",
    target: "AmazonEC2ContainerRegistry_V20150921.GetAuthorizationToken",
    endpoint: "AWS_ENDPOINT_URL_ECR",
  },
  public: {
    who: "public ECR",
    name: "ecr-public",
    target: "SpencerFrontendService.GetAuthorizationToken",
    endpoint: "AWS_ENDPOINT_URL_ECR_PUBLIC",
  },
};

/**
 * The password of a registry of AWS, good for all registries of the region.
 * @throws FairleadError `credentials-invalid` and those of an exchange
 */
export async function ecrCredentials(session: CloudSession, host: EcrHost): Promise<Expiring<Credentials>> {
  const credentials = await awsCredentials(session, host);
  const { who, name, target, endpoint } = services[host.kind];
  const url = new URL(
    endpointVariable(session, endpoint) ??
      endpointVariable(session, "AWS_ENDPOINT_URL") ??
      `https://${apiHost(host)}`,
  );
  const body = "{}";
  const headers = await signedHeaders({
    url,
    service: name,
    region: host.region,
    credentials,
    body,
    target,
    date: new Date(session.nowMs()),
  });
  const { secretAccessKey, sessionToken } = credentials;
  const answer = await session.remote({
    who,
    method: "POST",
    url: url.href,
    headers,
    body,
    secrets: [secretAccessKey, ...(sessionToken === undefined ? [] : [sessionToken])],
  });
  const listed = jsonOf(who, answer)["authorizationData"];
  const data: unknown = Array.isArray(listed) ? listed[0] : listed;
  const token = tokenField(who, data, "authorizationToken");
  const [username = "", ...rest] = Buffer.from(token, "base64").toString("utf8").split(":");
  const password = rest.join(":");
  if (username === "" || password === "") throw malformed(who, "a user and a password");
  const expiresAtMs = endAt(who, isObject(data) ? data["expiresAt"] : undefined);
  return { value: { kind: "basic", username, password }, expiresAtMs };
}

function apiHost({ kind, region, domain, fips }: EcrHost): string {
  if (kind === "public") return `api.ecr-public.${region}.${domain}`;
  return fips ? `ecr-fips.${region}.${domain}` : `api.ecr.${region}.${domain}`;
}

interface SignedRequest {
  readonly url: URL;
  readonly service: string;
  readonly region: string;
  readonly credentials: AwsCredentials;
  readonly body: string;
  readonly target: string;
  readonly date: Date;
}

/** The headers of a request of AWS's JSON protocol, signed by version 4. */
async function signedHeaders(request: SignedRequest): Promise<Readonly<Record<string, string>>> {
  const { url, service, region, credentials, body, target, date } = request;
  const { accessKeyId, secretAccessKey, sessionToken } = credentials;
  const aws4 = (await import("aws4")).default;
  const signed = aws4.sign(
    {
      method: "POST",
      path: url.pathname,
      service,
      region,
      body,
      headers: {
        Host: url.host,
        "Content-Type": "application/x-amz-json-1.1",
        "X-Amz-Date": date.toISOString().replaceAll(/[-:]|\.\d{3}/gu, ""),
        "X-Amz-Target": target,
      },
    },
    { accessKeyId, secretAccessKey, ...(sessionToken === undefined ? {} : { sessionToken }) },
  );
  const headers = Object.entries(signed.headers ?? {})
    .map(([name, value]) => [name.toLowerCase(), String(value)] as const)
    // The transport sends these two itself, as they are signed.
    .filter(([name]) => name !== "host" && name !== "content-length");
  return Object.fromEntries(headers);
}
