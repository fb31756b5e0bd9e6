import { setTimeout as sleep } from "node:timers/promises";
import { FairleadError, messageOf } from "../core/error.ts";
import { excerpt } from "../core/escape.ts";
import type { Logger } from "../core/log.ts";

export interface NodeLabelOptions {
  readonly node: string;
  /** A label that is null is taken away. */
  readonly labels: Readonly<Record<string, string | null>>;
  /** Default: the service account of the pod that this runs in. */
  readonly kubeconfig?: string | undefined;
  /** How often labels are set again that somebody may have removed; default: 60,000. */
  readonly refreshMs?: number | undefined;
  /** How long after a failure they are tried again; default: 5,000. */
  readonly retryMs?: number | undefined;
  readonly log: Logger;
}

/** Labels that a node has while this program runs. */
export interface NodeLabels {
  /** Whether they were set, and not refused since. */
  readonly areSet: boolean;
  /** Takes them away, if that is done within so long. */
  stop(timeoutMs: number): Promise<void>;
}

type PatchLabels = (labels: NodeLabelOptions["labels"], signal: AbortSignal) => Promise<void>;

const requestTimeoutMs = 10_000;

/**
 * Sets labels on a node, again and again, until it is stopped. It takes the verb `patch` on `nodes`; an API server
 * that does not answer yet, and a node that is not registered yet, are waited for.
 * @throws FairleadError `config-invalid` for a kubeconfig that is none
 */
export async function keepNodeLabels(options: NodeLabelOptions): Promise<NodeLabels> {
  const { labels, node, log, refreshMs = 60_000, retryMs = 5_000 } = options;
  const patch = await nodePatcher(options);
  const ending = new AbortController();
  const state = { areSet: false };
  const set = async (): Promise<void> => {
    try {
      await patch(labels, AbortSignal.any([ending.signal, AbortSignal.timeout(requestTimeoutMs)]));
      if (!state.areSet) log.info("the node has its labels", { node });
      state.areSet = true;
    } catch (error) {
      if (ending.signal.aborted) return;
      state.areSet = false;
      log.warn("the node's labels cannot be set", { node, error: describe(error) });
    }
  };
  const keep = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      await set();
      const waitMs = state.areSet ? refreshMs : retryMs;
      await sleep(waitMs, undefined, { signal: ending.signal }).catch(() => undefined);
    }
  };
  const kept = keep();
  return {
    get areSet(): boolean {
      return state.areSet;
    },
    stop: async (timeoutMs) => {
      ending.abort();
      await kept;
      const none = Object.fromEntries(Object.keys(labels).map((name) => [name, null]));
      await patch(none, AbortSignal.timeout(timeoutMs)).catch((error: unknown) => {
        log.warn("the node keeps its labels", { node, error: describe(error) });
      });
    },
  };
}

async function nodePatcher({ node, kubeconfig }: NodeLabelOptions): Promise<PatchLabels> {
  const { CoreV1Api, KubeConfig, PatchStrategy, setHeaderOptions } = await import("@kubernetes/client-node");
  const config = new KubeConfig();
  try {
    if (kubeconfig === undefined) config.loadFromCluster();
    else config.loadFromFile(kubeconfig);
    // Outside of a pod the client makes up an address that is none.
    const { server } = { ...config.getCurrentCluster() };
    if (!URL.canParse(server ?? "")) throw new TypeError("it names no API server");
    const api = config.makeApiClient(CoreV1Api);
    return async (labels, signal) => {
      const body = { metadata: { labels } };
      const merge = setHeaderOptions("Content-Type", PatchStrategy.MergePatch);
      await untilAborted(api.patchNode({ name: node, body }, merge), signal);
    };
  } catch (cause) {
    const place = kubeconfig ?? "the pod's service account";
    throw new FairleadError("config-invalid", `cannot use ${place}: ${excerpt(messageOf(cause))}`, {
      hint: "Name a kubeconfig, or run it in a pod with a service account.",
      cause,
    });
  }
}

/** The client takes no signal for its requests. */
async function untilAborted(work: Promise<unknown>, signal: AbortSignal): Promise<void> {
  const aborted = Promise.withResolvers<never>();
  const onAbort = (): void => aborted.reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    signal.throwIfAborted();
    await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
    aborted.promise.catch(() => undefined);
  }
}

/** The client's own message has every header of the answer. */
function describe(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === 403) return "access is denied: patch on nodes is needed";
  if (code === 404) return "there is no such node";
  return typeof code === "number" ? `the API server answered ${code}` : excerpt(messageOf(error));
}
