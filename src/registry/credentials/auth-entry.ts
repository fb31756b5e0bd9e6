import { FairleadError, type Where } from "../../core/error.ts";
import { isObject } from "../json-body.ts";
import type { Credentials } from "../registry-api.ts";

const fields = ["auth", "username", "password", "identitytoken", "registrytoken"] as const;

type AuthFields = Partial<Readonly<Record<(typeof fields)[number], string>>>;

/**
 * The credentials of an entry of `auths`. A registry token goes before an identity token, that before a password
 * (go-containerregistry, authn.FromConfig), and `auth` before `username` and `password`.
 * @param where what the entry belongs to, for messages
 * @returns undefined for an entry that holds none
 * @throws FairleadError `credentials-invalid`, without any text of the entry
 */
export function tryReadAuthEntry(entry: unknown, where: Where): Credentials | undefined {
  const { auth = "", username = "", password = "", identitytoken, registrytoken } = fieldsOf(entry, where);
  const basic = auth === "" ? { username, password } : decodeAuth(auth, where);
  if (registrytoken !== undefined) return { kind: "registry-token", token: registrytoken };
  if (identitytoken !== undefined) return { kind: "identity-token", token: identitytoken };
  if (basic.username === "" && basic.password === "") return undefined;
  return { kind: "basic", ...basic };
}

function fieldsOf(entry: unknown, where: Where): AuthFields {
  if (entry === null || entry === undefined) return {};
  if (!isObject(entry)) throw invalid("is no object", where);
  const found: Partial<Record<(typeof fields)[number], string>> = {};
  for (const field of fields) {
    const value = entry[field];
    if (value === undefined || value === null || value === "") continue;
    if (typeof value !== "string") throw invalid(`has a ${field} that is no text`, where);
    found[field] = value;
  }
  return found;
}

/** Padding may be missing, as kubelet takes it; line ends count for nothing, as in Go. */
function decodeAuth(auth: string, where: Where): { readonly username: string; readonly password: string } {
  const base64 = auth.replace(/[\r\n]/gu, "");
  const isBase64 = /^(?:[a-zA-Z0-9+/]{4})*(?:[a-zA-Z0-9+/]{2}(?:==)?|[a-zA-Z0-9+/]{3}=?)?$/u.test(base64);
  const text = isBase64 ? tryDecode(Buffer.from(base64, "base64")) : undefined;
  const colon = text?.indexOf(":") ?? -1;
  if (text === undefined || colon === -1) {
    throw invalid("has an auth that is not base64 of username:password", where);
  }
  // docker itself once wrote NUL bytes behind passwords, and drops them.
  return { username: text.slice(0, colon), password: text.slice(colon + 1).replace(/^\0+|\0+$/gu, "") };
}

function tryDecode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function invalid(problem: string, where: Where): FairleadError {
  return new FairleadError("credentials-invalid", `an entry of the docker config ${problem}`, { where });
}
