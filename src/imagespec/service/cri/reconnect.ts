import { setTimeout as sleep } from "node:timers/promises";
import { FairleadError } from "../../../core/error.ts";
import type { CriConnection } from "./cri-connection.ts";

/** Waits before a call is made again; a runtime is mostly back within a second. */
const waitsMs: readonly number[] = [200, 400, 800, 1_600, 3_000];

/**
 * A connection that calls again while a runtime that answered before does not answer, as when it is restarted. Every
 * call of its image service may be repeated. A runtime that never answered is not waited for.
 */
export function withReconnects(connection: CriConnection): CriConnection {
  let hasAnswered = false;
  return {
    call: async (method, request, signal) => {
      for (let attempt = 0; ; attempt += 1) {
        try {
          const response = await connection.call(method, request, signal);
          hasAnswered = true;
          return response;
        } catch (error) {
          const isGone = error instanceof FairleadError && error.code === "runtime-unreachable";
          if (!isGone) hasAnswered ||= error instanceof FairleadError && error.code !== "aborted";
          const waitMs = waitsMs[attempt];
          if (!isGone || !hasAnswered || waitMs === undefined) throw error;
          await pause(waitMs, signal);
        }
      }
    },
    close: () => connection.close(),
  };
}

async function pause(waitMs: number, signal: AbortSignal | undefined): Promise<void> {
  await sleep(waitMs, undefined, signal === undefined ? {} : { signal }).catch(() => undefined);
  if (signal?.aborted === true) throw signal.reason;
}
