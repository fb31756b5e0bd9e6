import { FairleadError, messageOf } from "../../core/error.ts";
import type { DeliveryTransport } from "../providers/provider.ts";

/** What came of posting an event. */
export type PostOutcome =
  | { readonly kind: "sent" }
  /** The server has had it within its window. */
  | { readonly kind: "duplicate" }
  | { readonly kind: "refused"; readonly reason: string }
  | { readonly kind: "failed"; readonly reason: string };

/**
 * Posts an event as Flux's recorder does: connection errors and answers from 500 on, but for 501, are failures after
 * which another attempt is made; 429 is a duplicate; what else is no success is refused for good.
 * @throws FairleadError `aborted`
 */
export async function postEvent(
  url: string,
  body: string,
  transport: DeliveryTransport,
  signal?: AbortSignal,
): Promise<PostOutcome> {
  let status: number;
  try {
    const headers = { "content-type": "application/json" };
    ({ status } = await transport.send({ method: "POST", url, headers, body, secrets: [] }, signal));
  } catch (error) {
    if (signal?.aborted === true) throw new FairleadError("aborted", "posting was stopped", { cause: error });
    const isFinal = error instanceof FairleadError && !error.retryable;
    return { kind: isFinal ? "refused" : "failed", reason: messageOf(error) };
  }
  if (status >= 200 && status < 300) return { kind: "sent" };
  if (status === 429) return { kind: "duplicate" };
  const reason = `the server answers ${status}`;
  return status >= 500 && status !== 501 ? { kind: "failed", reason } : { kind: "refused", reason };
}
