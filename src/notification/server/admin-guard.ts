import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

export interface AdminGuardOptions {
  /** What a request must show; undefined: the listener is on loopback and asks for none. */
  readonly token: string | undefined;
}

/** Why a request is not let in. */
export interface Refusal {
  readonly status: 401 | 403 | 415;
  readonly reason: string;
}

/**
 * Who may look and act: on loopback whoever names it by a loopback name, so that no page of a browser that has a name
 * resolve to this machine gets in; elsewhere who shows the token. Changes are taken as JSON alone, which a page of
 * another origin cannot send unasked.
 */
export function tryRefuse(request: IncomingMessage, { token }: AdminGuardOptions): Refusal | undefined {
  if (token === undefined) {
    if (!isLoopbackName(request.headers.host ?? "")) {
      return { status: 403, reason: "the Host must be localhost, 127.0.0.1 or [::1]" };
    }
  } else if (!showsToken(request.headers.authorization, token)) {
    return { status: 401, reason: "a bearer token is needed" };
  }
  if (request.headers.origin !== undefined) {
    return { status: 403, reason: "pages of browsers are not served" };
  }
  const type = request.headers["content-type"]?.split(";")[0]?.trim().toLowerCase();
  if (request.method === "POST" && type !== "application/json") {
    return { status: 415, reason: "the body must be application/json" };
  }
  return undefined;
}

function isLoopbackName(host: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/iu.test(host);
}

/** Compared in the same time whatever is shown. */
function showsToken(header: string | undefined, token: string): boolean {
  const shown = /^Bearer +(?<token>\S+)$/iu.exec(header ?? "")?.groups?.["token"] ?? "";
  return timingSafeEqual(sha256(shown), sha256(token));
}

function sha256(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
