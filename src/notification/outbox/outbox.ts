import { createHash, randomUUID } from "node:crypto";
import type { NotificationEvent } from "../event.ts";
import type { KubernetesEvent } from "../recorder/kubernetes-event.ts";
import type { Clock } from "../../core/clock.ts";
import {
  objectKeyOf,
  type Acceptance,
  type DedupeWindow,
  type DueDelivery,
  type OutboxEntry,
  type PlannedDelivery,
} from "./entry.ts";
import { GroupCommit } from "./group-commit.ts";
import type { OutboxFile } from "./outbox-file.ts";

/** How a delivery ends, or goes on. */
export type DeliveryResult =
  | { readonly kind: "delivered" }
  | { readonly kind: "retry"; readonly error: string; readonly dueMs: number }
  | { readonly kind: "dead"; readonly error: string; readonly kubernetesEvent?: KubernetesEvent };

/** What was changed by hand. */
export interface Changed {
  readonly count: number;
  /** Those that may have work. */
  readonly destinations: readonly string[];
}

interface DeliveryRow {
  readonly id: number;
  readonly destination: string;
  readonly alert: string;
  readonly alert_uid: string | null;
  readonly metadata: string;
  readonly text: string | null;
  readonly attempts: number;
  readonly replays: number;
  readonly uid: string;
  readonly body: string;
}

/**
 * Events and their deliveries on disk. Deliveries of one object to one destination form a lane: its first is `ready`,
 * those behind it are `waiting`, so that order is kept. Writes that come together are committed together.
 */
export class Outbox {
  readonly file: OutboxFile;
  readonly #clock: Clock;
  readonly #commit: GroupCommit;

  constructor(file: OutboxFile, clock: Clock) {
    this.file = file;
    this.#clock = clock;
    this.#commit = new GroupCommit(file, clock);
  }

  /**
   * Writes an event with its deliveries, unless it is a duplicate; it is on disk when this resolves.
   * @throws FairleadError `state-invalid`; then nothing of it is written
   */
  async accept(entry: OutboxEntry): Promise<Acceptance> {
    const body = JSON.stringify(entry.event);
    return this.#commit.run(() => {
      const nowMs = this.#clock.nowMs();
      const { window } = entry;
      let resetMs: number | undefined;
      if (window !== undefined) {
        const open = this.openWindow(window);
        if (open !== undefined) return { kind: "duplicate", resetMs: open.resetMs };
        resetMs = this.#openNext(window, nowMs);
      }
      const object = objectKeyOf(entry.event.involvedObject);
      const insert = "INSERT INTO event (uid, received_ms, object, body) VALUES (?, ?, ?, ?)";
      const id = Number(this.#run(insert, randomUUID(), nowMs, object, body).lastInsertRowid);
      for (const delivery of entry.deliveries) this.#insertDelivery(id, object, delivery, nowMs);
      for (const event of entry.kubernetesEvents) this.#insertKubernetesEvent(event);
      const destinations = entry.deliveries.map(({ destination }) => destination);
      return { kind: "accepted", id, destinations, ...(resetMs === undefined ? {} : { resetMs }) };
    });
  }

  /** The window in which events of this key are duplicates, if one is open. @throws FairleadError `state-invalid` */
  openWindow({ key, durationMs }: NonNullable<OutboxEntry["window"]>): DedupeWindow | undefined {
    return this.file.read(() => {
      const row = this.file.prepare("SELECT reset_ms FROM dedupe WHERE key = ?").get(key);
      const resetMs = Number(row?.["reset_ms"] ?? 0);
      const leftMs = resetMs - this.#clock.nowMs();
      // Where more is left than there ever was, the clock was set back.
      return leftMs > 0 && leftMs <= durationMs ? { resetMs } : undefined;
    });
  }

  /** Writes a Kubernetes Event. @throws FairleadError `state-invalid` */
  async record(event: KubernetesEvent): Promise<void> {
    return this.#commit.run(() => this.#insertKubernetesEvent(event));
  }

  /** The destinations that something is to be delivered to. @throws FairleadError `state-invalid` */
  destinations(): readonly string[] {
    const select = "SELECT DISTINCT destination FROM delivery WHERE state = 'ready'";
    return this.file.read(() =>
      this.file
        .prepare(select)
        .all()
        .map((row) => String(row["destination"])),
    );
  }

  /**
   * The first deliveries that are due, the longest due first.
   * @param nowMs when; default: now
   * @throws FairleadError `state-invalid`
   */
  dueIds(destination: string, limit: number, nowMs: number = this.#clock.nowMs()): readonly number[] {
    const select =
      "SELECT id FROM delivery WHERE state = 'ready' AND destination = ? AND due_ms <= ? ORDER BY due_ms, id LIMIT ?";
    return this.file.read(() =>
      this.file
        .prepare(select)
        .all(destination, nowMs, limit)
        .map((row) => Number(row["id"])),
    );
  }

  /** When the first delivery is due after a time. @throws FairleadError `state-invalid` */
  nextDueMs(destination: string, afterMs: number): number | undefined {
    const select =
      "SELECT due_ms FROM delivery WHERE state = 'ready' AND destination = ? AND due_ms > ? ORDER BY due_ms LIMIT 1";
    const row = this.file.read(() => this.file.prepare(select).get(destination, afterMs));
    return row === undefined ? undefined : Number(row["due_ms"]);
  }

  /** A delivery that is ready, with all that sending it takes. @throws FairleadError `state-invalid` */
  tryLoad(id: number): DueDelivery | undefined {
    const select =
      "SELECT delivery.*, uid, body FROM delivery JOIN event ON event.id = delivery.event " +
      "WHERE delivery.id = ? AND state = 'ready'";
    return this.file.read(() => {
      const row = this.file.prepare(select).get(id) as DeliveryRow | undefined;
      return row === undefined ? undefined : toDueDelivery(row);
    });
  }

  /**
   * Writes how an attempt went; where it was the last, the next of the lane becomes ready.
   * @throws FairleadError `state-invalid`
   */
  async finish(id: number, result: DeliveryResult): Promise<void> {
    return this.#commit.run(() => this.#finish(id, result), "lazy");
  }

  #finish(id: number, result: DeliveryResult): void {
    const nowMs = this.#clock.nowMs();
    if (result.kind === "retry") {
      const retry =
        "UPDATE delivery SET attempts = attempts + 1, error = ?, due_ms = ?, changed_ms = ? " +
        "WHERE id = ? AND state = 'ready'";
      this.#run(retry, result.error, result.dueMs, nowMs, id);
      return;
    }
    const error = result.kind === "dead" ? result.error : null;
    const end =
      "UPDATE delivery SET state = ?, attempts = attempts + 1, error = coalesce(?, error), changed_ms = ? " +
      "WHERE id = ? AND state = 'ready' RETURNING destination, object";
    const lane = this.file.prepare(end).get(result.kind, error, nowMs, id);
    if (lane === undefined) return;
    this.#promote(String(lane["destination"]), String(lane["object"]));
    if (result.kind === "dead" && result.kubernetesEvent !== undefined) {
      this.#insertKubernetesEvent(result.kubernetesEvent);
    }
  }

  /**
   * Puts ended deliveries back at their places in the queue; one that was delivered goes out under another key.
   * @throws FairleadError `state-invalid`
   */
  async replay(ids: readonly number[]): Promise<Changed> {
    const back =
      "UPDATE delivery SET replays = replays + (state = 'delivered'), state = 'waiting', attempts = 0, " +
      "due_ms = 0, changed_ms = ? WHERE id = ? AND state IN ('dead', 'dropped', 'delivered') " +
      "RETURNING destination, object";
    return this.#change(back, ids);
  }

  /**
   * Gives up deliveries that are queued or dead; one that is being sent may arrive nevertheless.
   * @throws FairleadError `state-invalid`
   */
  async drop(ids: readonly number[]): Promise<Changed> {
    const drop =
      "UPDATE delivery SET state = 'dropped', changed_ms = ? WHERE id = ? " +
      "AND state IN ('ready', 'waiting', 'dead') RETURNING destination, object";
    return this.#change(drop, ids);
  }

  /** Changes deliveries one by one; then the first of each lane that they are of becomes ready. */
  async #change(update: string, ids: readonly number[]): Promise<Changed> {
    return this.#commit.run(() => {
      const nowMs = this.#clock.nowMs();
      const lanes = ids.flatMap((id) => {
        const lane = this.file.prepare(update).get(nowMs, id);
        return lane === undefined
          ? []
          : [{ destination: String(lane["destination"]), object: String(lane["object"]) }];
      });
      for (const { destination, object } of lanes) this.#promote(destination, object);
      return { count: lanes.length, destinations: [...new Set(lanes.map(({ destination }) => destination))] };
    });
  }

  /** Writes what waits, and closes the file. */
  close(): void {
    this.#commit.flush();
    this.file.close();
  }

  /** The windows of a key follow one another from when it was seen first, as notification-controller's do. */
  #openNext(
    { key, durationMs }: { readonly key: string; readonly durationMs: number },
    nowMs: number,
  ): number {
    const row = this.file.prepare("SELECT start_ms FROM dedupe WHERE key = ?").get(key);
    const startMs = Math.min(nowMs, Number(row?.["start_ms"] ?? nowMs));
    const resetMs = startMs + (Math.floor((nowMs - startMs) / durationMs) + 1) * durationMs;
    const upsert =
      "INSERT INTO dedupe VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET reset_ms = excluded.reset_ms";
    this.#run(upsert, key, startMs, resetMs);
    return resetMs;
  }

  #insertDelivery(event: number, object: string, delivery: PlannedDelivery, nowMs: number): void {
    const { destination, alert, metadata, text } = delivery;
    const state = this.#firstOfLane(destination, object) === undefined ? "ready" : "waiting";
    const insert =
      "INSERT INTO delivery (event, destination, object, alert, alert_uid, metadata, text, state, due_ms, changed_ms) " +
      "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
    const name = `${alert.namespace}/${alert.name}`;
    const told = [name, alert.uid ?? null, JSON.stringify(metadata), text ?? null];
    this.#run(insert, event, destination, object, ...told, state, nowMs, nowMs);
  }

  #insertKubernetesEvent(event: KubernetesEvent): void {
    const insert = "INSERT INTO kubernetes_event (time_ms, body) VALUES (?, ?)";
    this.#run(insert, this.#clock.nowMs(), JSON.stringify(event));
  }

  /** Makes the first of a lane ready, whatever has become of the others. */
  #promote(destination: string, object: string): void {
    const first = this.#firstOfLane(destination, object);
    if (first === undefined || first.state === "ready") return;
    this.#run("UPDATE delivery SET state = 'ready' WHERE id = ?", first.id);
  }

  /** One that is ready and may be on its way stays the first, also before a replayed one. */
  #firstOfLane(destination: string, object: string): { id: number; state: string } | undefined {
    const select =
      "SELECT id, state FROM delivery WHERE destination = ? AND object = ? AND state IN ('ready', 'waiting') " +
      "ORDER BY state, id LIMIT 1";
    const row = this.file.prepare(select).get(destination, object);
    return row === undefined ? undefined : { id: Number(row["id"]), state: String(row["state"]) };
  }

  #run(sql: string, ...values: (string | number | null)[]): { lastInsertRowid: number | bigint } {
    return this.file.prepare(sql).run(...values);
  }
}

function toDueDelivery(row: DeliveryRow): DueDelivery {
  const [namespace = "", name = ""] = row.alert.split("/");
  const { uid, alert, replays } = row;
  return {
    id: row.id,
    destination: row.destination,
    event: JSON.parse(row.body) as NotificationEvent,
    alert: { namespace, name, ...(row.alert_uid === null ? {} : { uid: row.alert_uid }) },
    metadata: JSON.parse(row.metadata) as Readonly<Record<string, string>>,
    ...(row.text === null ? {} : { text: row.text }),
    idempotencyKey: createHash("sha256").update(`${uid}/${alert}/${replays}`).digest("hex"),
    attempts: row.attempts,
  };
}
