import { type IncomingMessage, type OutgoingHttpHeaders, request } from "node:http";
import type { Duplex } from "node:stream";
import type { HeaderFields } from "../api-exchange.ts";
import type { ApiServer } from "./api-server.ts";
import { aborted, lost } from "./connect.ts";

const answerTimeoutMs = 60_000;

export interface UpgradeRequest {
  readonly method: string;
  readonly target: string;
  /** With the fields that ask for the upgrade. */
  readonly headers: HeaderFields;
  readonly signal: AbortSignal;
}

/** What upstream says to an upgrade. */
export interface UpgradeAnswer {
  readonly answer: IncomingMessage;
  /** Undefined where upstream does not upgrade and its answer is an ordinary one. */
  readonly upgraded?: { readonly socket: Duplex; readonly head: Buffer };
}

/**
 * Asks upstream for an upgrade, on a connection of its own.
 * @throws FairleadError `upstream-unreachable`, `aborted`
 */
export async function requestUpgrade(
  upstream: ApiServer,
  { method, target, headers, signal }: UpgradeRequest,
): Promise<UpgradeAnswer> {
  const { authority, basePath } = upstream.address;
  const socket = await upstream.connect();
  return new Promise((resolve, reject) => {
    const give = (answer: UpgradeAnswer): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", cancel);
      resolve(answer);
    };
    const sent = request({
      createConnection: () => socket,
      method,
      path: basePath + target,
      headers: { ...(headers as OutgoingHttpHeaders), host: authority },
    });
    const timer = setTimeout(() => sent.destroy(), answerTimeoutMs);
    const cancel = (): void => void sent.destroy();
    if (signal.aborted) cancel();
    else signal.addEventListener("abort", cancel, { once: true });
    sent.on("error", (cause) => reject(signal.aborted ? aborted(cause) : lost(cause)));
    sent.once("close", () => {
      clearTimeout(timer);
      reject(lost(undefined));
    });
    sent.once("upgrade", (answer, _socket, head) => give({ answer, upgraded: { socket, head } }));
    sent.once("response", (answer) => give({ answer }));
    sent.end();
  });
}

/** Carries bytes both ways until both sides have ended; either may end its half alone. */
export async function joinSockets(client: Duplex, upstream: Duplex): Promise<void> {
  await new Promise<void>((resolve) => {
    let open = 2;
    const closed = (): void => {
      open -= 1;
      if (open === 0) resolve();
    };
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      from.on("error", () => to.destroy());
      from.once("close", () => {
        // Without an end before it, the other side must not take what came for all.
        if (!from.readableEnded) to.destroy();
        closed();
      });
      from.pipe(to);
    }
  });
}
