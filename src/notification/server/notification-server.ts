import { FairleadError, messageOf } from "../../core/error.ts";
import { EventRouter } from "../alert/event-router.ts";
import { ServerMetrics } from "../metrics/server-metrics.ts";
import type { NotificationSnapshot } from "../objects/notification-snapshot.ts";
import { systemClock, type Clock } from "../../core/clock.ts";
import { Dispatcher } from "../outbox/dispatcher.ts";
import { openOutboxFile } from "../outbox/outbox-file.ts";
import { Outbox } from "../outbox/outbox.ts";
import { OutboxRecords } from "../outbox/records.ts";
import { Retention } from "../outbox/retention.ts";
import { providerFor } from "../providers/provider-for.ts";
import { createTokenCache } from "../providers/token-cache.ts";
import { IdTokenVerifier } from "../receivers/id-token.ts";
import { ReceiverTable } from "../receivers/receiver-table.ts";
import { createHttpTransport } from "../transport/http-transport.ts";
import { createAdminHandler } from "./admin-endpoint.ts";
import { deadLetterEvent } from "./dead-letter-event.ts";
import { createDeliver } from "./delivery.ts";
import { createEventHandler } from "./event-endpoint.ts";
import { EventIntake } from "./event-intake.ts";
import { createHealthHandler, type MetricsSource } from "../../serving/health-endpoint.ts";
import { instrument } from "./instrument.ts";
import { type Handler, isLoopbackAddress, type Listener, startListener } from "../../serving/listener.ts";
import { createReceiverHandler } from "./receiver-endpoint.ts";
import { BodyBudget } from "../../serving/request-body.ts";
import type { NotificationServerOptions, ServerAddresses } from "./server-options.ts";

const pruneEveryMs = 60_000;
/** Rests between batches of pruning, so that events are taken meanwhile. */
const pruneRestMs = 20;

/** What is made of a configuration. */
interface Configured {
  readonly objects: NotificationSnapshot;
  readonly router: EventRouter;
}

/** The notification server: takes events, delivers what Alerts want of them, and serves webhooks. */
export class NotificationServer {
  readonly outbox: Outbox;
  readonly #options: NotificationServerOptions;
  readonly #clock: Clock;
  readonly #records: OutboxRecords;
  readonly #metrics: ServerMetrics;
  readonly #dispatcher: Dispatcher;
  readonly #retention: Retention;
  readonly #idTokens: IdTokenVerifier;
  readonly #budget = new BodyBudget();
  readonly #receivers: ReceiverTable;
  readonly #listeners: Partial<Record<keyof ServerAddresses, Listener>> = {};
  #configured: Configured | undefined;
  #cancelPrune: (() => void) | undefined;
  #isStopping = false;

  private constructor(options: NotificationServerOptions, outbox: Outbox) {
    const { clock = systemClock, guard, environment, log, retry, perDestination, kubernetesEvents } = options;
    const nowMs = (): number => clock.nowMs();
    this.#options = options;
    this.#clock = clock;
    this.outbox = outbox;
    this.#records = new OutboxRecords(outbox.file);
    this.#metrics = new ServerMetrics(this.#records, nowMs);
    this.#retention = new Retention(outbox.file, clock, options.retention);
    const transport = createHttpTransport({ environment, guard });
    this.#receivers = new ReceiverTable(nowMs);
    this.#idTokens = new IdTokenVerifier({ transport, nowMs });
    const deliver = createDeliver({
      objects: () => this.#current().objects,
      providerFor,
      guard,
      environment,
      perHost: perDestination,
      tokens: createTokenCache(nowMs),
      accountOf: options.accountOf,
      nowMs,
    });
    this.#dispatcher = new Dispatcher({
      outbox,
      deliver,
      clock,
      retry,
      perDestination,
      log,
      onAttempt: (report) => {
        const { delivery, result, durationMs, error } = report;
        options.onAttempt?.(report);
        const labels = { provider: delivery.destination, result };
        this.#metrics.attempts.increment(labels);
        this.#metrics.attemptDuration.observe(durationMs / 1000, labels);
        if (error === undefined) return;
        const { id, destination, attempts } = delivery;
        const told = { delivery: id, provider: destination, attempt: attempts + 1, error: error.message };
        if (result === "dead") log.error("a delivery is given up", told);
        else log.warn("a delivery is tried again later", told);
      },
      onDead: (delivery, error) => {
        const told = deadLetterEvent(delivery, error, this.#current().objects);
        kubernetesEvents?.record(told);
        return told;
      },
    });
  }

  /**
   * Starts a server.
   * @throws FairleadError `state-invalid`, `config-invalid` for an address, what loading the configuration throws
   */
  static async start(options: NotificationServerOptions): Promise<NotificationServer> {
    const { admin } = options.listen;
    if (admin !== undefined && !isLoopbackAddress(admin) && options.adminToken === undefined) {
      throw new FairleadError("config-invalid", "beyond loopback the admin API needs a token", {
        hint: "give it one with --admin-token-file, or listen on 127.0.0.1",
      });
    }
    const clock = options.clock ?? systemClock;
    const outbox = new Outbox(await openOutboxFile(options.stateFile), clock);
    const server = new NotificationServer(options, outbox);
    try {
      await server.#start();
      return server;
    } catch (error) {
      await server.stop(0);
      throw error;
    }
  }

  /** Where the listeners listen. */
  get addresses(): ServerAddresses {
    return Object.fromEntries(Object.entries(this.#listeners).map(([name, { address }]) => [name, address]));
  }

  /** What Prometheus is told, for a process that has its own listener. */
  get metrics(): MetricsSource {
    return this.#metrics;
  }

  /** What stands in the outbox. */
  get records(): OutboxRecords {
    return this.#records;
  }

  /** Why it cannot do its work for now; undefined: it can. */
  unreadyReason(): string | undefined {
    if (this.#isStopping) return "the server is stopping";
    if (this.#configured === undefined) return "the configuration is not loaded";
    return this.#retention.isFull() ? "the outbox has reached its size" : undefined;
  }

  /**
   * Takes nothing more, waits for what is being answered and delivered, and closes the outbox; what is queued stays
   * in it.
   * @param graceMs how long to wait
   */
  async stop(graceMs: number): Promise<void> {
    this.#isStopping = true;
    this.#cancelPrune?.();
    await this.#options.config.stop();
    const { events, receivers, admin, metrics } = this.#listeners;
    await Promise.all([events, receivers].map(async (listener) => listener?.close(graceMs)));
    await this.#dispatcher.stop(graceMs);
    await Promise.all([admin, metrics].map(async (listener) => listener?.close(graceMs)));
    this.outbox.close();
  }

  async #start(): Promise<void> {
    const { config, log } = this.#options;
    await config.start({
      loaded: async (snapshot) => this.#configure(snapshot),
      failed: (error) => {
        this.#metrics.reloads.increment({ result: "failed" });
        log.error("the configuration cannot be read; the one before stays in force", {
          error: messageOf(error),
        });
      },
    });
    await this.#listen();
    this.#dispatcher.start();
    this.#prune();
  }

  async #configure(objects: NotificationSnapshot): Promise<void> {
    const { noCrossNamespaceRefs, dedupe, log } = this.#options;
    const { ignoresVolatileParts } = dedupe;
    const router = new EventRouter({ objects, noCrossNamespaceRefs, ignoresVolatileParts, logger: log });
    // Alerts do not wait until the Secrets of Receivers are read.
    this.#configured = { objects, router };
    for (const { receiver, problem } of await this.#receivers.load(objects)) {
      const name = `${receiver.meta.namespace}/${receiver.meta.name}`;
      if (problem !== undefined) log.error("a Receiver is not ready", { receiver: name, ...problem });
    }
    this.#metrics.reloads.increment({ result: "loaded" });
    log.info("the configuration is loaded", {
      alerts: objects.alerts.size,
      providers: objects.providers.size,
      receivers: objects.receivers.size,
    });
  }

  async #listen(): Promise<void> {
    const { listen, log, dedupe, adminToken, trigger, noCrossNamespaceRefs, kubernetesEvents } =
      this.#options;
    const wake = (destinations: readonly string[]): void => this.#dispatcher.wake(destinations);
    const intake = new EventIntake({
      outbox: this.outbox,
      router: () => this.#current().router,
      dedupeWindowMs: dedupe.windowMs,
      isFull: () => this.#retention.isFull(),
      kubernetesEvents,
      wake,
      metrics: this.#metrics,
      log,
    });
    const receivers = createReceiverHandler({
      table: this.#receivers,
      context: () => ({
        sources: this.#current().objects.sources,
        idTokens: this.#idTokens,
        trigger,
        noCrossNamespaceRefs,
        now: () => new Date(this.#clock.nowMs()),
        log,
      }),
      budget: this.#budget,
    });
    const { outbox } = this;
    const records = this.#records;
    const handlers: Readonly<Record<keyof ServerAddresses, Handler>> = {
      events: instrument(this.#metrics.events, "/", createEventHandler(intake, this.#budget, log)),
      receivers: instrument(this.#metrics.receivers, "/hook/", receivers),
      metrics: createHealthHandler(this.#metrics, this),
      admin: createAdminHandler({ token: adminToken, outbox, records, budget: this.#budget, wake }),
    };
    for (const name of ["admin", "metrics", "receivers", "events"] as const) {
      const address = listen[name];
      if (address !== undefined) this.#listeners[name] = await startListener(address, handlers[name]);
    }
  }

  #current(): Configured {
    if (this.#configured === undefined) {
      throw new FairleadError("config-invalid", "the configuration is not loaded", { retryable: true });
    }
    return this.#configured;
  }

  /** What is queued beyond the outbox's size is for people to look at; the rest makes room by itself. */
  #prune(): void {
    if (this.#isStopping) return;
    let hasMore = false;
    try {
      hasMore = this.#retention.prune();
    } catch (error) {
      this.#options.log.error("what is old cannot be removed", { error: messageOf(error) });
    }
    this.#cancelPrune = this.#clock.after(hasMore ? pruneRestMs : pruneEveryMs, () => this.#prune());
  }
}
