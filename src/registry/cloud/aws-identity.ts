import { endpointVariable, invalidIdentity, readIdentityFile, variable } from "./cloud-session.ts";
import type { CloudSession } from "./cloud-session.ts";
import type { EcrHost } from "./ecr-host.ts";
import { form, jsonOf, malformed, tokenField } from "./exchange.ts";

/** What signs requests of AWS. */
export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
}

const audience = "sts.amazonaws.com";
const roleAnnotation = "eks.amazonaws.com/role-arn";
/** STS takes a name of so many characters. */
const maxSessionName = 64;

/**
 * The credentials of a ServiceAccount's role, or of this process, in the order of AWS's own libraries: environment,
 * web identity, container (EKS Pod Identity), machine.
 * @throws FairleadError `credentials-invalid` and those of an exchange
 */
export async function awsCredentials(session: CloudSession, host: EcrHost): Promise<AwsCredentials> {
  const { account } = session;
  if (account !== undefined) {
    const role = checkedRole(account.annotations[roleAnnotation], `the annotation ${roleAnnotation}`);
    const name = `${account.name}.${account.namespace}.${host.region}.fluxcd.io`.slice(0, maxSessionName);
    return assumeRole(session, host, { role, name, token: await account.token([audience]) });
  }
  return (
    fromEnvironment(session) ??
    (await fromWebIdentity(session, host)) ??
    (await fromContainer(session)) ??
    fromMachine(session)
  );
}

function fromEnvironment(session: CloudSession): AwsCredentials | undefined {
  const accessKeyId = variable(session, "AWS_ACCESS_KEY_ID");
  const secretAccessKey = variable(session, "AWS_SECRET_ACCESS_KEY");
  if (accessKeyId === undefined || secretAccessKey === undefined) return undefined;
  return { accessKeyId, secretAccessKey, sessionToken: variable(session, "AWS_SESSION_TOKEN") };
}

async function fromWebIdentity(session: CloudSession, host: EcrHost): Promise<AwsCredentials | undefined> {
  const file = variable(session, "AWS_WEB_IDENTITY_TOKEN_FILE");
  if (file === undefined) return undefined;
  const role = checkedRole(variable(session, "AWS_ROLE_ARN"), "AWS_ROLE_ARN");
  const name = variable(session, "AWS_ROLE_SESSION_NAME") ?? "fairlead";
  const token = await readIdentityFile(file, "AWS_WEB_IDENTITY_TOKEN_FILE");
  return assumeRole(session, host, { role, name, token });
}

interface RoleRequest {
  readonly role: string;
  readonly name: string;
  readonly token: string;
}

/** AssumeRoleWithWebIdentity, which needs no signature. */
async function assumeRole(
  session: CloudSession,
  { kind, region, domain }: EcrHost,
  { role, name, token }: RoleRequest,
): Promise<AwsCredentials> {
  // The public registry says nothing of where this workload is.
  const own = kind === "public" ? variable(session, "AWS_REGION") : undefined;
  const endpoint =
    endpointVariable(session, "AWS_ENDPOINT_URL_STS") ??
    endpointVariable(session, "AWS_ENDPOINT_URL") ??
    `https://sts.${checkedRegion(own ?? region)}.${domain}`;
  const { body, headers } = form({
    Action: "AssumeRoleWithWebIdentity",
    Version: "2011-06-15",
    RoleArn: role,
    RoleSessionName: name,
    WebIdentityToken: token,
  });
  const answer = await session.remote({
    who: "STS",
    method: "POST",
    url: `${endpoint}/`,
    headers: { ...headers, accept: "text/xml" },
    body,
    secrets: [token],
  });
  const xml = new TextDecoder().decode(answer.body);
  return {
    accessKeyId: elementOf(xml, "AccessKeyId"),
    secretAccessKey: elementOf(xml, "SecretAccessKey"),
    sessionToken: elementOf(xml, "SessionToken"),
  };
}

function checkedRole(role: string | undefined, name: string): string {
  if (role !== undefined && /^arn:aws[a-z0-9-]*:iam::\d{1,30}:role\/[!-~]{1,500}$/u.test(role)) return role;
  throw invalidIdentity(`${name} is no ARN of a role`, "it is arn:aws:iam::<account>:role/<name>");
}

function checkedRegion(region: string): string {
  if (/^[a-z0-9-]{1,40}$/u.test(region)) return region;
  throw invalidIdentity("AWS_REGION is no region");
}

/** What STS gives holds no character that XML escapes. */
function elementOf(xml: string, name: string): string {
  const text = new RegExp(`<${name}>\\s*([!-~]{1,32768}?)\\s*</${name}>`, "u").exec(xml)?.[1];
  if (text === undefined || /[<&]/u.test(text)) throw malformed("STS", `a usable ${name}`);
  return text;
}

/** Where plain http leads to this machine or this node alone: ECS, EKS Pod Identity, loopback. */
const containerHosts =
  /^(?:169\.254\.170\.2|169\.254\.170\.23|\[fd00:ec2::23\]|localhost|\[::1\]|127(?:\.\d{1,3}){3})$/u;

async function fromContainer(session: CloudSession): Promise<AwsCredentials | undefined> {
  const relative = variable(session, "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI");
  const full = variable(session, "AWS_CONTAINER_CREDENTIALS_FULL_URI");
  if (relative === undefined && full === undefined) return undefined;
  const url = relative === undefined ? URL.parse(full ?? "") : URL.parse(relative, "http://169.254.170.2");
  const isSafe =
    url?.protocol === "https:" || (url?.protocol === "http:" && containerHosts.test(url.hostname));
  if (url === null || !isSafe) {
    throw invalidIdentity("the address of the container's credentials is neither https nor on this machine");
  }
  const file = variable(session, "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE");
  const authorization =
    file === undefined
      ? variable(session, "AWS_CONTAINER_AUTHORIZATION_TOKEN")
      : await readIdentityFile(file, "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE");
  if (authorization !== undefined && !/^[ -~]+$/u.test(authorization)) {
    throw invalidIdentity("the token for the container's credentials cannot stand in a header");
  }
  const who = "the container's credentials service";
  const answer = await session.local({
    who,
    method: "GET",
    url: url.href,
    headers: { accept: "application/json", ...(authorization === undefined ? {} : { authorization }) },
    secrets: authorization === undefined ? [] : [authorization],
  });
  return credentialsIn(who, jsonOf(who, answer));
}

const machine = "the instance metadata service";

/** Instance metadata, version 2: a session first, then the one role of the machine. */
async function fromMachine(session: CloudSession): Promise<AwsCredentials> {
  if (variable(session, "AWS_EC2_METADATA_DISABLED")?.toLowerCase() === "true") {
    throw invalidIdentity("there are no credentials of AWS, and instance metadata is switched off");
  }
  const isSixth = variable(session, "AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE")?.toLowerCase() === "ipv6";
  const base =
    endpointVariable(session, "AWS_EC2_METADATA_SERVICE_ENDPOINT") ??
    (isSixth ? "http://[fd00:ec2::254]" : "http://169.254.169.254");
  const decoder = new TextDecoder();
  const opened = await session.local({
    who: machine,
    method: "PUT",
    url: `${base}/latest/api/token`,
    headers: { "x-aws-ec2-metadata-token-ttl-seconds": "300" },
  });
  const token = tokenField(machine, { token: decoder.decode(opened.body).trim() }, "token");
  const read = async (name: string): Promise<Uint8Array> => {
    const url = `${base}/latest/meta-data/iam/security-credentials/${name}`;
    const headers = { "x-aws-ec2-metadata-token": token };
    return (await session.local({ who: machine, method: "GET", url, headers, secrets: [token] })).body;
  };
  const role =
    decoder
      .decode(await read(""))
      .split("\n", 1)[0]
      ?.trim() ?? "";
  if (!/^[\w+=,.@-]{1,64}$/u.test(role) || /^\.+$/u.test(role)) throw malformed(machine, "a role");
  return credentialsIn(machine, jsonOf(machine, { body: await read(role) }));
}

function credentialsIn(who: string, object: Readonly<Record<string, unknown>>): AwsCredentials {
  return {
    accessKeyId: tokenField(who, object, "AccessKeyId"),
    secretAccessKey: tokenField(who, object, "SecretAccessKey"),
    sessionToken: object["Token"] === undefined ? undefined : tokenField(who, object, "Token"),
  };
}
