import { FairleadError } from "../../core/error.ts";

/** Headers that say where a message ends or goes: those who could set them could add a message of their own. */
const framingHeaders: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "expect",
  "host",
  "keep-alive",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/**
 * Checks that headers are tokens and values of one line (RFC 9110, 5.1 and 5.5) and leave the framing alone.
 * @throws FairleadError `delivery-failed`, without the value
 */
export function checkHeaders(headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,256}$/u.test(name)) {
      throw new FairleadError("delivery-failed", "a header has a name that is none");
    }
    if (framingHeaders.has(name.toLowerCase())) {
      throw new FairleadError("delivery-failed", `the header ${name} is not to be set`, {
        hint: "remove it from the headers of the Secret",
      });
    }
    if (!/^[\t\u0020-\u007e\u0080-\u00ff]*$/u.test(value) || value.length > 16_384) {
      throw new FairleadError("delivery-failed", `the header ${name} has a value that no header can have`, {
        hint: "it must be one line, without control characters",
      });
    }
  }
}
