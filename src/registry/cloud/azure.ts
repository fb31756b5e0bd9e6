import type { Expiring } from "../../core/expiring-cache.ts";
import { tryParseJsonObject } from "../json-body.ts";
import type { Credentials } from "../registry-api.ts";
import {
  type CloudSession,
  endpointVariable,
  invalidIdentity,
  readIdentityFile,
  variable,
} from "./cloud-session.ts";
import { endAfter, endAt, form, jsonOf, tokenField } from "./exchange.ts";

/** One of Azure's clouds: who gives tokens in it, and what a registry takes them for. */
interface AzureCloud {
  readonly authority: string;
  readonly registryScope: string;
}

const publicCloud: AzureCloud = {
  authority: "https://login.microsoftonline.com",
  registryScope: "https://management.azure.com/.default",
};

const clouds: Readonly<Record<string, AzureCloud>> = {
  io: publicCloud,
  de: publicCloud,
  cn: {
    authority: "https://login.chinacloudapi.cn",
    registryScope: "https://management.chinacloudapi.cn/.default",
  },
  us: {
    authority: "https://login.microsoftonline.us",
    registryScope: "https://management.usgovcloudapi.net/.default",
  },
};

const registryHost = /^(?:[a-z0-9][a-z0-9-]{0,62}\.){1,4}azurecr\.(?<top>io|cn|de|us)$/u;

/** Whether a host is a registry of Azure. */
export function isAcrHost(registry: string): boolean {
  return registryHost.test(registry);
}

/**
 * The refresh token of a registry of Azure.
 * @throws FairleadError `credentials-invalid` and those of an exchange
 */
export async function acrCredentials(
  session: CloudSession,
  registry: string,
): Promise<Expiring<Credentials>> {
  const cloud = clouds[registryHost.exec(registry)?.groups?.["top"] ?? ""] ?? publicCloud;
  const { value: accessToken } = await azureToken(session, cloud.registryScope, cloud.authority);
  const who = "the registry's token exchange";
  const answer = await session.remote({
    who,
    method: "POST",
    url: `https://${registry}/oauth2/exchange`,
    ...form({ grant_type: "access_token", service: registry, access_token: accessToken }),
    secrets: [accessToken],
  });
  const token = tokenField(who, jsonOf(who, answer), "refresh_token");
  return { value: { kind: "identity-token", token }, expiresAtMs: endAt(who, expiryOf(token)) };
}

/** The claim `exp` of a JSON Web Token, which is read and not checked. */
function expiryOf(token: string): unknown {
  const claims = tryParseJsonObject(Buffer.from(token.split(".")[1] ?? "", "base64url"));
  return claims?.["exp"];
}

/**
 * A token of Entra ID for a ServiceAccount, or for this process: by workload identity, else as the managed identity
 * of the machine.
 * @param scope such as `https://management.azure.com/.default`
 * @param authority who gives tokens where `AZURE_AUTHORITY_HOST` does not say it
 * @throws FairleadError `credentials-invalid` and those of an exchange
 */
export async function azureToken(
  session: CloudSession,
  scope: string,
  authority: string = publicCloud.authority,
): Promise<Expiring<string>> {
  const { account } = session;
  if (account !== undefined) {
    const [tenant, client] = ["tenant-id", "client-id"].map((name) =>
      checkedId(
        account.annotations[`azure.workload.identity/${name}`],
        `the annotation azure.workload.identity/${name}`,
      ),
    );
    const assertion = await account.token(["api://AzureADTokenExchange"]);
    return exchangeAssertion(session, { scope, authority, tenant, client, assertion });
  }
  const file = variable(session, "AZURE_FEDERATED_TOKEN_FILE");
  if (file === undefined) return fromMachine(session, scope);
  const tenant = checkedId(variable(session, "AZURE_TENANT_ID"), "AZURE_TENANT_ID");
  const client = checkedId(variable(session, "AZURE_CLIENT_ID"), "AZURE_CLIENT_ID");
  const assertion = await readIdentityFile(file, "AZURE_FEDERATED_TOKEN_FILE");
  return exchangeAssertion(session, { scope, authority, tenant, client, assertion });
}

interface AssertionRequest {
  readonly scope: string;
  readonly authority: string;
  readonly tenant: string | undefined;
  readonly client: string | undefined;
  readonly assertion: string;
}

async function exchangeAssertion(
  session: CloudSession,
  { scope, authority, tenant = "", client = "", assertion }: AssertionRequest,
): Promise<Expiring<string>> {
  const who = "Entra ID";
  const base = endpointVariable(session, "AZURE_AUTHORITY_HOST") ?? authority;
  const answer = await session.remote({
    who,
    method: "POST",
    url: `${base}/${tenant}/oauth2/v2.0/token`,
    ...form({
      grant_type: "client_credentials",
      client_id: client,
      scope,
      client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
      client_assertion: assertion,
    }),
    secrets: [assertion],
  });
  const object = jsonOf(who, answer);
  return {
    value: tokenField(who, object, "access_token"),
    expiresAtMs: endAfter(who, object, session.nowMs()),
  };
}

function checkedId(id: string | undefined, name: string): string {
  if (id !== undefined && /^[A-Za-z0-9.-]{1,100}$/u.test(id) && !/^\.+$/u.test(id)) return id;
  throw invalidIdentity(`${name} is ${id === undefined ? "missing" : "no ID"}`);
}

/** The identity that the platform gives the machine, or the one of its identities that is chosen by its client ID. */
async function fromMachine(session: CloudSession, scope: string): Promise<Expiring<string>> {
  const who = "the managed identity service";
  const own = endpointVariable(session, "IDENTITY_ENDPOINT");
  const secret = variable(session, "IDENTITY_HEADER");
  const client = variable(session, "AZURE_CLIENT_ID");
  const isService = own !== undefined && secret !== undefined;
  const base = endpointVariable(session, "AZURE_POD_IDENTITY_AUTHORITY_HOST") ?? "http://169.254.169.254";
  const query = new URLSearchParams({
    "api-version": isService ? "2019-08-01" : "2018-02-01",
    resource: scope.replace(/\/\.default$/u, ""),
    ...(client === undefined ? {} : { client_id: checkedId(client, "AZURE_CLIENT_ID") }),
  });
  const answer = await session.local({
    who,
    method: "GET",
    url: `${isService ? own : `${base}/metadata/identity/oauth2/token`}?${query.toString()}`,
    headers: isService ? { "x-identity-header": secret } : { metadata: "true" },
    secrets: isService ? [secret] : [],
  });
  const object = jsonOf(who, answer);
  const { expires_on: end } = object;
  const isDigits = typeof end === "string" && /^\d{1,12}$/u.test(end);
  return {
    value: tokenField(who, object, "access_token"),
    expiresAtMs:
      end === undefined ? endAfter(who, object, session.nowMs()) : endAt(who, isDigits ? Number(end) : end),
  };
}
