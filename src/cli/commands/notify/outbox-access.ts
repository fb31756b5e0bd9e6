import { FairleadError, messageOf } from "../../../core/error.ts";
import { systemClock } from "../../../core/clock.ts";
import { openOutboxFile } from "../../../notification/outbox/outbox-file.ts";
import { Outbox } from "../../../notification/outbox/outbox.ts";
import {
  type DeliveryQuery,
  type DeliveryRecord,
  type EventRecord,
  type EventSummary,
  type KubernetesEventRecord,
  OutboxRecords,
  type Page,
  type PageQuery,
} from "../../../notification/outbox/records.ts";
import { type AdminOptions, defaultAdminAddress, readTokenFile } from "./admin-options.ts";

/** What commands do with an outbox, whoever holds it. */
export interface OutboxAccess {
  events(query: PageQuery): Promise<Page<EventSummary>>;
  tryEvent(id: number): Promise<EventRecord | undefined>;
  deliveries(query: DeliveryQuery): Promise<Page<DeliveryRecord>>;
  tryDelivery(id: number): Promise<DeliveryRecord | undefined>;
  kubernetesEvents(query: PageQuery): Promise<Page<KubernetesEventRecord>>;
  /** @returns how many were put back or given up */
  act(action: "replay" | "drop", ids: readonly number[]): Promise<number>;
}

/**
 * Works with an outbox: through the API of its server, or with `state` in its file.
 * @throws FairleadError `state-invalid`, `input-invalid`, and what the work throws
 */
export async function withOutbox<Result>(
  options: AdminOptions,
  { writes }: { readonly writes: boolean },
  work: (access: OutboxAccess) => Promise<Result>,
): Promise<Result> {
  const { state, server, tokenFile } = options;
  if (state === undefined) {
    const token = tokenFile === undefined ? undefined : await readTokenFile(tokenFile);
    return work(new RemoteOutbox(server ?? `http://${defaultAdminAddress}`, token));
  }
  if (server !== undefined) {
    throw new FairleadError("input-invalid", "--server and --state exclude each other");
  }
  const file = await openOutboxFile(state, { readOnly: !writes });
  try {
    return await work(localAccess(new Outbox(file, systemClock), new OutboxRecords(file)));
  } finally {
    file.close();
  }
}

function localAccess(outbox: Outbox, records: OutboxRecords): OutboxAccess {
  return {
    events: async (query) => records.events(query),
    tryEvent: async (id) => records.tryEvent(id),
    deliveries: async (query) => records.deliveries(query),
    tryDelivery: async (id) => records.tryDelivery(id),
    kubernetesEvents: async (query) => records.kubernetesEvents(query),
    act: async (action, ids) => (await outbox[action](ids)).count,
  };
}

const timeoutMs = 30_000;

class RemoteOutbox implements OutboxAccess {
  readonly #base: string;
  readonly #token: string | undefined;

  constructor(server: string, token: string | undefined) {
    const url = URL.parse(server);
    if (url === null || !/^https?:$/u.test(url.protocol)) {
      throw new FairleadError("input-invalid", "--server is no http or https URL");
    }
    this.#base = url.origin;
    this.#token = token;
  }

  async events(query: PageQuery): Promise<Page<EventSummary>> {
    return this.#get("/v1/events", query);
  }

  async tryEvent(id: number): Promise<EventRecord | undefined> {
    return this.#tryGet(`/v1/events/${id}`);
  }

  async deliveries(query: DeliveryQuery): Promise<Page<DeliveryRecord>> {
    return this.#get("/v1/deliveries", query);
  }

  async tryDelivery(id: number): Promise<DeliveryRecord | undefined> {
    return this.#tryGet(`/v1/deliveries/${id}`);
  }

  async kubernetesEvents(query: PageQuery): Promise<Page<KubernetesEventRecord>> {
    return this.#get("/v1/kubernetes-events", query);
  }

  async act(action: "replay" | "drop", ids: readonly number[]): Promise<number> {
    const { body } = await this.#send(`/v1/${action}`, { ids });
    return (body as { readonly count: number }).count;
  }

  async #get<Item>(path: string, query: object): Promise<Page<Item>> {
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) search.set(name, String(value));
    }
    const { body } = await this.#send(`${path}?${search.toString()}`);
    return body as Page<Item>;
  }

  async #tryGet<Item>(path: string): Promise<Item | undefined> {
    const { status, body } = await this.#send(path, undefined, 404);
    return status === 404 ? undefined : (body as Item);
  }

  async #send(
    path: string,
    content?: object,
    allowed?: number,
  ): Promise<{ readonly status: number; readonly body: unknown }> {
    const headers = {
      ...(this.#token === undefined ? {} : { authorization: `Bearer ${this.#token}` }),
      ...(content === undefined ? {} : { "content-type": "application/json" }),
    };
    let status: number;
    let body: unknown;
    try {
      const response = await fetch(new URL(path, this.#base), {
        method: content === undefined ? "GET" : "POST",
        headers,
        ...(content === undefined ? {} : { body: JSON.stringify(content) }),
        redirect: "error",
        signal: AbortSignal.timeout(timeoutMs),
      });
      ({ status } = response);
      body = await response.json();
    } catch (cause) {
      throw new FairleadError("tool-failed", `the server at ${this.#base} does not answer`, {
        hint: "name it with --server URL, or the file of one that does not run with --state FILE",
        cause,
      });
    }
    if (status === 200 || status === allowed) return { status, body };
    const { error = "" } = body as { readonly error?: string };
    throw new FairleadError("tool-failed", `the server answers ${status}: ${messageOf(error)}`);
  }
}
