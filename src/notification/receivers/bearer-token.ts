import { denied } from "./signature.ts";
import type { WebhookRequest } from "./webhook-request.ts";

/** The token of an Authorization header. @throws FairleadError `access-denied` */
export function bearerToken({ headers }: WebhookRequest): string {
  const token = /^Bearer +(?<token>\S+) *$/u.exec(headers["authorization"] ?? "")?.groups?.["token"];
  if (token === undefined) throw denied("the Authorization header is missing or malformed");
  return token;
}
