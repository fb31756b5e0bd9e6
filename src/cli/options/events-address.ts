import { FairleadError } from "../../core/error.ts";
import type { DeliveryTransport } from "../../notification/providers/provider.ts";
import { createAddressGuard } from "../../core/address-guard.ts";
import { createHttpTransport } from "../../notification/transport/http-transport.ts";

/** So long an attempt takes in Flux's recorder. */
const timeoutMs = 5000;

/**
 * Reads where events are posted. The value may hold a password and is not told.
 * @param flag the one that names it, for the message
 * @throws FairleadError `input-invalid`
 */
export function parseEventsAddress(flag: string, text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/u.test(url.protocol)) {
    throw new FairleadError("input-invalid", `${flag} must be a URL with http or https`, {
      hint: "such as http://notification-controller.flux-system/",
    });
  }
  return url.href;
}

/** What posts events to an address that the user has named, which may be this machine. */
export function createEventTransport(
  environment: Readonly<Record<string, string | undefined>>,
): DeliveryTransport {
  const guard = createAddressGuard({ allowLoopback: true });
  return createHttpTransport({ guard, environment, timeoutMs });
}
