import type { NotificationEvent } from "../event.ts";
import type { KubernetesEvent } from "../recorder/kubernetes-event.ts";
import type { OutboxFile } from "./outbox-file.ts";

/** `ready` and `waiting` are queued: the first of its object's lane, and those behind it. */
export type DeliveryState = "ready" | "waiting" | "delivered" | "dead" | "dropped";

export const deliveryStates: readonly DeliveryState[] = ["ready", "waiting", "delivered", "dead", "dropped"];

export interface EventSummary {
  readonly id: number;
  /** RFC 3339. */
  readonly received: string;
  /** `Kind/namespace/name`. */
  readonly object: string;
  readonly severity: string;
  readonly reason: string;
  readonly message: string;
  /** How many deliveries are in each state. */
  readonly deliveries: Readonly<Partial<Record<DeliveryState, number>>>;
}

export interface DeliveryRecord {
  readonly id: number;
  readonly event: number;
  readonly state: DeliveryState;
  readonly object: string;
  /** `namespace/name` of the Alert, and of the Provider. */
  readonly alert: string;
  readonly provider: string;
  readonly attempts: number;
  readonly replays: number;
  /** When the next attempt is due, where one is. */
  readonly due?: string;
  readonly changed: string;
  /** Why the last failed attempt failed. */
  readonly error?: string;
  readonly metadata: Readonly<Record<string, string>>;
}

export interface EventRecord {
  readonly id: number;
  readonly received: string;
  readonly event: NotificationEvent;
  readonly deliveries: readonly DeliveryRecord[];
}

export interface KubernetesEventRecord extends KubernetesEvent {
  readonly id: number;
  readonly time: string;
}

/** A part of a list, the last first; `next` asks for what comes after it. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly next?: number;
}

export interface PageQuery {
  readonly limit: number;
  /** Only what has a smaller number. */
  readonly before?: number | undefined;
}

export interface DeliveryQuery extends PageQuery {
  readonly state?: DeliveryState | undefined;
  /** `namespace/name` of the Provider. */
  readonly provider?: string | undefined;
  readonly event?: number | undefined;
}

export interface QueueStatus {
  /** Deliveries that are queued. */
  readonly depth: number;
  readonly dead: number;
  /** When the event of the oldest queued delivery was accepted. */
  readonly oldestMs?: number;
}

/** What stands in an outbox, for people and programs; works on one that is only read as well. */
export class OutboxRecords {
  readonly #file: OutboxFile;

  constructor(file: OutboxFile) {
    this.#file = file;
  }

  /** Events, the last first. @throws FairleadError `state-invalid` */
  events({ limit, before = Number.MAX_SAFE_INTEGER }: PageQuery): Page<EventSummary> {
    const select =
      "SELECT id, received_ms, object, body ->> 'severity' AS severity, body ->> 'reason' AS reason, " +
      "substr(body ->> 'message', 1, 1000) AS message FROM event WHERE id < ? ORDER BY id DESC LIMIT ?";
    return this.#file.read(() =>
      toPage(this.#file.prepare(select).all(before, limit + 1), limit, (row) => ({
        id: Number(row["id"]),
        received: timeText(row["received_ms"]),
        object: String(row["object"]),
        severity: String(row["severity"]),
        reason: String(row["reason"]),
        message: String(row["message"]),
        deliveries: this.#deliveryCounts(Number(row["id"])),
      })),
    );
  }

  /** An event with its deliveries, if there is one of this number. @throws FairleadError `state-invalid` */
  tryEvent(id: number): EventRecord | undefined {
    return this.#file.read(() => {
      const row = this.#file.prepare("SELECT received_ms, body FROM event WHERE id = ?").get(id);
      if (row === undefined) return undefined;
      const event = JSON.parse(String(row["body"])) as NotificationEvent;
      const { items } = this.deliveries({ event: id, limit: maxDeliveriesOfEvent });
      return { id, received: timeText(row["received_ms"]), event, deliveries: items };
    });
  }

  /** Deliveries, the last first. @throws FairleadError `state-invalid` */
  deliveries({
    limit,
    before = Number.MAX_SAFE_INTEGER,
    state,
    provider,
    event,
  }: DeliveryQuery): Page<DeliveryRecord> {
    const conditions = ["id < ?"];
    const values: (string | number)[] = [before];
    const narrow = (condition: string, value: string | number | undefined): void => {
      if (value === undefined) return;
      conditions.push(condition);
      values.push(value);
    };
    narrow("state = ?", state);
    narrow("destination = ?", provider);
    narrow("event = ?", event);
    const select = `SELECT * FROM delivery WHERE ${conditions.join(" AND ")} ORDER BY id DESC LIMIT ?`;
    return this.#file.read(() =>
      toPage(this.#file.prepare(select).all(...values, limit + 1), limit, toDeliveryRecord),
    );
  }

  /** A delivery, if there is one of this number. @throws FairleadError `state-invalid` */
  tryDelivery(id: number): DeliveryRecord | undefined {
    return this.#file.read(() => {
      const row = this.#file.prepare("SELECT * FROM delivery WHERE id = ?").get(id);
      return row === undefined ? undefined : toDeliveryRecord(row);
    });
  }

  /** The Kubernetes Events that a cluster would have been given, the last first. @throws FairleadError `state-invalid` */
  kubernetesEvents({ limit, before = Number.MAX_SAFE_INTEGER }: PageQuery): Page<KubernetesEventRecord> {
    const select = "SELECT id, time_ms, body FROM kubernetes_event WHERE id < ? ORDER BY id DESC LIMIT ?";
    return this.#file.read(() =>
      toPage(this.#file.prepare(select).all(before, limit + 1), limit, (row) => ({
        id: Number(row["id"]),
        time: timeText(row["time_ms"]),
        ...(JSON.parse(String(row["body"])) as KubernetesEvent),
      })),
    );
  }

  /** How much is queued and dead. @throws FairleadError `state-invalid` */
  queueStatus(): QueueStatus {
    return this.#file.read(() => {
      const queued = this.#file
        .prepare(
          "SELECT count(*) AS depth, min(id) AS first FROM delivery WHERE state IN ('ready', 'waiting')",
        )
        .get();
      const dead = this.#file.prepare("SELECT count(*) AS count FROM delivery WHERE state = 'dead'").get();
      const first = queued?.["first"] ?? null;
      const oldest = "SELECT received_ms FROM event WHERE id = (SELECT event FROM delivery WHERE id = ?)";
      const row = first === null ? undefined : this.#file.prepare(oldest).get(first);
      return {
        depth: Number(queued?.["depth"]),
        dead: Number(dead?.["count"]),
        ...(row === undefined ? {} : { oldestMs: Number(row["received_ms"]) }),
      };
    });
  }

  #deliveryCounts(event: number): Readonly<Partial<Record<DeliveryState, number>>> {
    const select = "SELECT state, count(*) AS count FROM delivery WHERE event = ? GROUP BY state";
    const rows = this.#file.prepare(select).all(event);
    return Object.fromEntries(rows.map((row) => [String(row["state"]), Number(row["count"])]));
  }
}

const maxDeliveriesOfEvent = 10_000;

type Row = Readonly<Record<string, unknown>>;

function toPage<Item extends { readonly id: number }>(
  rows: readonly Row[],
  limit: number,
  toItem: (row: Row) => Item,
): Page<Item> {
  const items = rows.slice(0, limit).map((row) => toItem(row));
  const last = items.at(-1);
  return rows.length > limit && last !== undefined ? { items, next: last.id } : { items };
}

function toDeliveryRecord(row: Row): DeliveryRecord {
  const state = String(row["state"]) as DeliveryState;
  return {
    id: Number(row["id"]),
    event: Number(row["event"]),
    state,
    object: String(row["object"]),
    alert: String(row["alert"]),
    provider: String(row["destination"]),
    attempts: Number(row["attempts"]),
    replays: Number(row["replays"]),
    ...(state === "ready" ? { due: timeText(row["due_ms"]) } : {}),
    changed: timeText(row["changed_ms"]),
    ...(typeof row["error"] === "string" ? { error: row["error"] } : {}),
    metadata: JSON.parse(String(row["metadata"])) as Readonly<Record<string, string>>,
  };
}

function timeText(ms: unknown): string {
  return new Date(Number(ms)).toISOString();
}
