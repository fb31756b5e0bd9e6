import { setTimeout as sleep } from "node:timers/promises";
import { FairleadError, messageOf } from "../core/error.ts";
import { excerpt } from "../core/escape.ts";
import type { Logger } from "../core/log.ts";
import { ApiClient } from "./api/api-client.ts";
import type { ResourceType } from "./api/api-object.ts";
import { openClusterAccess } from "./api/cluster-access.ts";

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

const nodes: ResourceType = { group: "", version: "v1", resource: "nodes", namespaced: false };
const requestTimeoutMs = 10_000;

/**
 * Sets labels on a node, again and again, until it is stopped. It takes the verb `patch` on `nodes`; an API server
 * that does not answer yet, and a node that is not registered yet, are waited for.
 * @throws FairleadError `config-invalid` for a kubeconfig that is none
 */
export async function keepNodeLabels(options: NodeLabelOptions): Promise<NodeLabels> {
  const { labels, node, log, refreshMs = 60_000, retryMs = 5_000 } = options;
  const client = new ApiClient(await openClusterAccess({ kubeconfig: options.kubeconfig }));
  const ending = new AbortController();
  const state = { areSet: false };
  const patch = async (
    changes: NodeLabelOptions["labels"],
    timeoutMs: number,
    signal?: AbortSignal,
  ): Promise<void> => {
    const body = { metadata: { labels: changes } };
    await client.patch(nodes, { name: node }, { type: "merge", body }, { timeoutMs, signal });
  };
  const set = async (): Promise<void> => {
    try {
      await patch(labels, requestTimeoutMs, ending.signal);
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
      await patch(none, timeoutMs).catch((error: unknown) => {
        log.warn("the node keeps its labels", { node, error: describe(error) });
      });
      await client.close();
    },
  };
}

function describe(error: unknown): string {
  if (error instanceof FairleadError) {
    if (error.code === "access-denied") return "access is denied: patch on nodes is needed";
    if (error.code === "object-missing") return "there is no such node";
  }
  return excerpt(messageOf(error));
}
