import { isIP } from "node:net";
import { FairleadError } from "../../../core/error.ts";

/** Where the API server is. */
export interface UpstreamAddress {
  readonly isSecure: boolean;
  /** A name or an IP address, the latter without brackets. */
  readonly host: string;
  readonly port: number;
  /** Host and port as they stand in a request. */
  readonly authority: string;
  /** What stands before each path, such as `/clusters/a`; mostly empty. */
  readonly basePath: string;
}

/**
 * Reads the URL of an API server, such as `https://10.0.0.1:6443` or `http://127.0.0.1:8001`.
 * @throws FairleadError `config-invalid`
 */
export function parseUpstreamAddress(text: string): UpstreamAddress {
  const url = URL.parse(text);
  const isSecure = url?.protocol === "https:";
  if (url === null || !(isSecure || url.protocol === "http:") || url.search !== "" || url.hash !== "") {
    throw new FairleadError("config-invalid", "the upstream is no http or https URL", {
      hint: "name the API server as in https://10.0.0.1:6443",
    });
  }
  if (url.username !== "" || url.password !== "") {
    throw new FairleadError("config-invalid", "the upstream's URL has credentials in it", {
      hint: "clients bring credentials of their own; the gateway's is a front-proxy certificate",
    });
  }
  const bare = url.hostname.replace(/^\[|\]$/gu, "");
  return {
    isSecure,
    host: isIP(bare) === 6 ? bare : url.hostname,
    port: Number(url.port) || (isSecure ? 443 : 80),
    authority: url.host,
    basePath: url.pathname.replace(/\/+$/u, ""),
  };
}
