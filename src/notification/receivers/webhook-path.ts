import { createHash } from "node:crypto";

/** Under which notification-controller serves Receivers. */
const webhookPrefix = "/hook/";

/** The path of a Receiver, which is a secret as its token is. @param token empty for generic-oidc */
export function webhookPath(token: string, name: string, namespace: string): string {
  return `${webhookPrefix}${createHash("sha256").update(`${token}${name}${namespace}`).digest("hex")}`;
}
