import type { IncomingMessage } from "node:http";
import type { Http2ServerRequest } from "node:http2";
import type { HeaderFields } from "../api-exchange.ts";
import { requestHeaders } from "../header-fields.ts";
import type { ClientConnection } from "./client-connection.ts";
import { identityHeaders } from "./client-identity.ts";

/** The fields of a client's request as they go upstream, with who asks and from where. */
export function forwardedHeaders(
  request: IncomingMessage | Http2ServerRequest,
  { remoteAddress, isSecure, identity }: ClientConnection,
): HeaderFields {
  const headers = requestHeaders(request.rawHeaders);
  const host = "stream" in request ? request.authority : request.headers.host;
  headers["x-forwarded-for"] = remoteAddress;
  headers["x-forwarded-proto"] = isSecure ? "https" : "http";
  if (host !== undefined && host !== "") headers["x-forwarded-host"] = host;
  if (identity === undefined) return headers;
  // The API server asks certificates first and then looks at no token; a token that went along could only replace
  // the certificate's user by another where the front proxy is not trusted.
  delete headers["authorization"];
  return Object.assign(headers, identityHeaders(identity));
}
