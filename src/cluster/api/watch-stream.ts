import { FairleadError } from "../../core/error.ts";
import { unreachable } from "./api-failure.ts";
import type { ApiObject, WatchEvent } from "./api-object.ts";
import type { ApiTransport } from "./api-transport.ts";
import { queryText } from "./resource-path.ts";
import { LineReader, parseWatchEvent } from "./watch-frames.ts";

export interface WatchOptions {
  /** Default: all. */
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  /** Begins after it: that of a list, or of the last event. */
  readonly resourceVersion: string;
  /** After so long the server ends the watch. */
  readonly timeoutSeconds: number;
  /** Longer than so no connection is silent that is alive: bookmarks come about each minute. */
  readonly idleMs: number;
  readonly signal: AbortSignal;
}

/** How long the server may take to begin. */
const maxBeginMs = 30_000;

/** The events of one watch request, bookmarks included. See ApiClient.watch. */
export async function* watchCollection<Item extends ApiObject>(
  transport: ApiTransport,
  path: string,
  options: WatchOptions,
  maxEventBytes: number,
): AsyncGenerator<WatchEvent<Item>> {
  const { labelSelector, fieldSelector, resourceVersion, timeoutSeconds, idleMs, signal } = options;
  const subject = `the watch of ${path}`;
  const query = { labelSelector, fieldSelector, resourceVersion, timeoutSeconds };
  const target = path + queryText({ ...query, watch: true, allowWatchBookmarks: true });
  const ending = new AbortController();
  const onAbort = (): void => ending.abort(new FairleadError("aborted", `${subject} was stopped`));
  const onSilence = (): void =>
    ending.abort(new FairleadError("timeout", `${subject} was silent for too long`, { retryable: true }));
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort, { once: true });
  let timer = setTimeout(onSilence, Math.min(idleMs, maxBeginMs));
  try {
    const body = await transport.open({ subject, method: "GET", target }, ending.signal);
    clearTimeout(timer);
    timer = setTimeout(onSilence, idleMs);
    const lines = new LineReader(maxEventBytes);
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      timer.refresh();
      for (const line of lines.read(chunk)) yield parseWatchEvent<Item>(line, subject);
    }
    // A server ends a watch after a whole event.
    if (lines.hasRest) throw unreachable(new Error("the watch ended within an event"));
  } catch (error) {
    throw transport.reasonOf(error, ending.signal);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
    // Ends the request of a watch that its reader left.
    ending.abort();
  }
}
