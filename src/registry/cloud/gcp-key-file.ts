import { createPrivateKey } from "node:crypto";
import type { Expiring } from "../../core/expiring-cache.ts";
import { isObject, tryParseJsonObject } from "../json-body.ts";
import { type CloudSession, invalidIdentity, readIdentityFile } from "./cloud-session.ts";
import { endAfter, form, jsonOf, tokenField } from "./exchange.ts";
import { federatedToken, gcpScopes } from "./gcp-federation.ts";

const variableName = "GOOGLE_APPLICATION_CREDENTIALS";
const assertionLifeSeconds = 60 * 60;

type Fields = Readonly<Record<string, unknown>>;

/**
 * A token of Google Cloud for what the file of `GOOGLE_APPLICATION_CREDENTIALS` describes: the key of a service
 * account, or an identity of another platform.
 * @throws FairleadError `credentials-invalid` and those of an exchange
 */
export async function tokenOfKeyFile(session: CloudSession, file: string): Promise<Expiring<string>> {
  const fields = tryParseJsonObject(Buffer.from(await readIdentityFile(file, variableName)));
  if (fields === undefined) throw invalidIdentity(`the file of ${variableName} holds no JSON object`);
  if (fields["type"] === "service_account") return tokenOfKey(session, fields);
  if (fields["type"] === "external_account") return tokenOfExternalAccount(session, fields);
  throw invalidIdentity(
    `the file of ${variableName} describes neither a service account nor an external account`,
  );
}

async function tokenOfKey(session: CloudSession, fields: Fields): Promise<Expiring<string>> {
  const who = "Google's token service";
  const url = googleUrl(textIn(fields, "token_uri"), "token_uri");
  const assertion = await signAssertion(fields, url, session.nowMs());
  const answer = await session.remote({
    who,
    method: "POST",
    url,
    ...form({ grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer", assertion }),
    secrets: [assertion],
  });
  const object = jsonOf(who, answer);
  return {
    value: tokenField(who, object, "access_token"),
    expiresAtMs: endAfter(who, object, session.nowMs()),
  };
}

async function signAssertion(fields: Fields, audience: string, nowMs: number): Promise<string> {
  const { SignJWT } = await import("jose");
  const email = textIn(fields, "client_email");
  const keyId = textIn(fields, "private_key_id");
  const seconds = Math.floor(nowMs / 1000);
  try {
    return await new SignJWT({ scope: gcpScopes.join(" ") })
      .setProtectedHeader({ alg: "RS256", typ: "JWT", kid: keyId })
      .setIssuer(email)
      .setAudience(audience)
      .setIssuedAt(seconds)
      .setExpirationTime(seconds + assertionLifeSeconds)
      .sign(createPrivateKey(textIn(fields, "private_key")));
  } catch {
    // The cause may quote the key.
    throw invalidIdentity(`the private key in the file of ${variableName} cannot be used`);
  }
}

async function tokenOfExternalAccount(session: CloudSession, fields: Fields): Promise<Expiring<string>> {
  const source = isObject(fields["credential_source"]) ? fields["credential_source"] : {};
  const { file } = source;
  if (typeof file !== "string") {
    throw invalidIdentity(
      `the file of ${variableName} takes its token from no file`,
      "give credential_source.file",
    );
  }
  const impersonation = fields["service_account_impersonation_url"];
  return federatedToken(session, {
    tokenUrl: googleUrl(textIn(fields, "token_url"), "token_url"),
    audience: textIn(fields, "audience"),
    subjectTokenType: textIn(fields, "subject_token_type"),
    subjectToken: subjectIn(await readIdentityFile(file, "credential_source"), source["format"]),
    impersonationUrl:
      typeof impersonation === "string"
        ? googleUrl(impersonation, "service_account_impersonation_url")
        : undefined,
  });
}

function subjectIn(text: string, format: unknown): string {
  if (!isObject(format) || format["type"] !== "json") return text;
  const key = textIn(format, "subject_token_field_name");
  return textIn(tryParseJsonObject(Buffer.from(text)) ?? {}, key);
}

/** Tokens go to Google alone, whatever the file says. */
function googleUrl(text: string, key: string): string {
  const url = URL.parse(text);
  if (url?.protocol === "https:" && url.port === "" && url.hostname.endsWith(".googleapis.com"))
    return url.href;
  throw invalidIdentity(`the ${key} in the file of ${variableName} is no address of Google`);
}

function textIn(fields: Fields, key: string): string {
  const text = fields[key];
  if (typeof text === "string" && text !== "") return text;
  throw invalidIdentity(`the file of ${variableName} has no ${key}`);
}
