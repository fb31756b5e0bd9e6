import { createHash, createHmac } from "node:crypto";
import { type CloudAnswer, type CloudRequest, type CloudService, fieldsOf } from "./cloud-servers.ts";

/** What AWS's services give and take for one identity. */
export interface AwsKeys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

export const awsKeys: Required<AwsKeys> = {
  accessKeyId: "AKIDEXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
  sessionToken: "session/token+with=signs",
};

/** STS gives the keys to who shows this token for this role. */
export function stsService(
  host: string,
  expected: { readonly role: string; readonly token: string },
): CloudService {
  return (request) => {
    if (request.host !== host || request.method !== "POST") return undefined;
    const fields = fieldsOf(request);
    const isRight =
      fields["Action"] === "AssumeRoleWithWebIdentity" &&
      fields["Version"] === "2011-06-15" &&
      fields["RoleArn"] === expected.role &&
      fields["WebIdentityToken"] === expected.token &&
      /^[\w+=,.@-]{2,64}$/u.test(fields["RoleSessionName"] ?? "");
    if (!isRight) return stsRefusal(fields["WebIdentityToken"] ?? "");
    return {
      headers: { "content-type": "text/xml" },
      body: `<AssumeRoleWithWebIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">
  <AssumeRoleWithWebIdentityResult><Credentials>
    <AccessKeyId>${awsKeys.accessKeyId}</AccessKeyId>
    <SecretAccessKey>${awsKeys.secretAccessKey}</SecretAccessKey>
    <SessionToken>${awsKeys.sessionToken}</SessionToken>
    <Expiration>2026-08-01T01:00:00Z</Expiration>
  </Credentials></AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>`,
    };
  };
}

/** A careless refusal, which repeats what it was shown. */
function stsRefusal(token: string): CloudAnswer {
  return {
    status: 403,
    headers: { "content-type": "text/xml" },
    body: `<ErrorResponse><Error><Type>Sender</Type><Code>AccessDenied</Code>
      <Message>Not authorized to perform sts:AssumeRoleWithWebIdentity with ${token}</Message></Error></ErrorResponse>`,
  };
}

export interface EcrExpectation {
  readonly host: string;
  readonly region: string;
  readonly service?: "ecr" | "ecr-public";
  readonly keys?: AwsKeys;
  readonly password: () => string;
  readonly nowMs: () => number;
}

const lifeSeconds = 12 * 60 * 60;

/** ECR gives a password to who signs with the keys. */
export function ecrService({
  host,
  region,
  service = "ecr",
  keys = awsKeys,
  password,
  nowMs,
}: EcrExpectation): CloudService {
  const target =
    service === "ecr"
      ? "AmazonEC2ContainerRegistry_V20150921.GetAuthorizationToken"
      : "SpencerFrontendService.GetAuthorizationToken";
  return (request) => {
    if (request.host !== host || request.method !== "POST") return undefined;
    const problem =
      request.headers["x-amz-target"] === target
        ? signatureProblem(request, { region, service, keys, nowMs: nowMs() })
        : "UnknownOperationException";
    if (problem !== undefined) {
      return {
        status: 400,
        body: { __type: problem, message: `refused ${request.headers["authorization"]}` },
      };
    }
    const data = {
      authorizationToken: Buffer.from(`AWS:${password()}`).toString("base64"),
      expiresAt: nowMs() / 1000 + lifeSeconds,
    };
    return { body: { authorizationData: service === "ecr" ? [data] : data } };
  };
}

interface Scope {
  readonly region: string;
  readonly service: string;
  readonly keys: AwsKeys;
  readonly nowMs: number;
}

/** Why the signature of a request (Signature Version 4) is none of these keys; undefined: it is one. */
function signatureProblem(
  request: CloudRequest,
  { region, service, keys, nowMs }: Scope,
): string | undefined {
  const { headers } = request;
  const groups =
    /^AWS4-HMAC-SHA256 Credential=(?<id>[^/]+)\/(?<scope>[^,]+), SignedHeaders=(?<names>[^,]+), Signature=(?<signature>[0-9a-f]{64})$/u.exec(
      headers["authorization"] ?? "",
    )?.groups;
  if (groups === undefined) return "MissingAuthenticationTokenException";
  const { id, scope, names = "", signature } = groups;
  const stamp = headers["x-amz-date"] ?? "";
  const day = stamp.slice(0, 8);
  if (id !== keys.accessKeyId || scope !== `${day}/${region}/${service}/aws4_request`) return "WrongScope";
  if (headers["x-amz-security-token"] !== keys.sessionToken) return "ExpiredTokenException";
  const signedAtMs = Date.parse(stamp.replace(/^(....)(..)(..)T(..)(..)(..)Z$/u, "$1-$2-$3T$4:$5:$6Z"));
  if (!(Math.abs(signedAtMs - nowMs) < 5 * 60_000)) return "RequestExpired";
  const signed = names.split(";");
  const needed = ["host", "x-amz-date", "x-amz-target", "content-type"];
  if (!needed.every((name) => signed.includes(name))) return "IncompleteSignatureException";
  const { pathname } = new URL(request.path, "http://x");
  const canonical = [
    request.method,
    pathname,
    "",
    ...signed.map((name) => `${name}:${(headers[name] ?? "").trim()}`),
    "",
    names,
    sha256(request.body),
  ].join("\n");
  const text = ["AWS4-HMAC-SHA256", stamp, scope, sha256(canonical)].join("\n");
  const key = [day, region, service, "aws4_request"].reduce<Buffer>(
    (secret, part) => createHmac("sha256", secret).update(part).digest(),
    Buffer.from(`AWS4${keys.secretAccessKey}`),
  );
  const expected = createHmac("sha256", key).update(text).digest("hex");
  return expected === signature ? undefined : "InvalidSignatureException";
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Instance metadata of version 2, with one role. */
export const instanceMetadataService: CloudService = ({ method, host, path, headers }) => {
  if (host !== "metadata") return undefined;
  if (path === "/latest/api/token" && method === "PUT") {
    return Number(headers["x-aws-ec2-metadata-token-ttl-seconds"]) > 0
      ? { body: "imds-session" }
      : { status: 400 };
  }
  const base = "/latest/meta-data/iam/security-credentials/";
  if (!path.startsWith(base)) return undefined;
  if (method !== "GET" || headers["x-aws-ec2-metadata-token"] !== "imds-session") return { status: 401 };
  if (path === base) return { body: "node-role\n" };
  return path === `${base}node-role` ? { body: credentialsAnswer } : { status: 404 };
};

const credentialsAnswer = {
  Code: "Success",
  AccessKeyId: awsKeys.accessKeyId,
  SecretAccessKey: awsKeys.secretAccessKey,
  Token: awsKeys.sessionToken,
  Expiration: "2026-08-01T06:00:00Z",
};

/** EKS Pod Identity's agent, which takes this token. */
export function containerService(token: string): CloudService {
  return ({ host, path, headers }) => {
    if (host !== "metadata" || path !== "/v1/credentials") return undefined;
    return headers["authorization"] === token
      ? { body: credentialsAnswer }
      : { status: 403, body: `no: ${headers["authorization"]}` };
  };
}
