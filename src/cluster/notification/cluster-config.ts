import { type Clock, steadyClock } from "../../core/clock.ts";
import { FairleadError } from "../../core/error.ts";
import type { Alert } from "../../notification/objects/alert.ts";
import type { NotificationSnapshot } from "../../notification/objects/notification-snapshot.ts";
import type { Provider } from "../../notification/objects/provider.ts";
import type { Receiver } from "../../notification/objects/receiver.ts";
import type { ConfigListener, NotificationConfig } from "../../notification/server/notification-config.ts";
import { FollowedObjects, type ObjectFeed } from "./followed-objects.ts";

export interface ClusterConfigOptions extends Pick<NotificationSnapshot, "secrets" | "sources"> {
  /** Somebody else begins to watch them; the namespace and the labels that they are limited to count here as well. */
  readonly alerts: ObjectFeed<Alert>;
  readonly providers: ObjectFeed<Provider>;
  readonly receivers: ObjectFeed<Receiver>;
  readonly clock?: Clock;
}

/** Changes within it are told as one: shorter than it takes to write that an Alert is Ready, which is to be in force then. */
const settleMs = 10;

/** The Alerts, Providers and Receivers of a cluster. */
export class ClusterConfig implements NotificationConfig {
  readonly #options: ClusterConfigOptions;
  readonly #alerts: FollowedObjects<Alert>;
  readonly #providers: FollowedObjects<Provider>;
  readonly #receivers: FollowedObjects<Receiver>;
  readonly #stopped = Promise.withResolvers<"stopped">();
  #listener: ConfigListener | undefined;
  #cancelTimer: (() => void) | undefined;
  #telling: Promise<void> = Promise.resolve();

  constructor(options: ClusterConfigOptions) {
    const { alerts, providers, receivers } = options;
    const changed = (): void => this.#schedule();
    this.#options = options;
    this.#alerts = new FollowedObjects({ feed: alerts, changed });
    this.#providers = new FollowedObjects({ feed: providers, changed });
    // Another path in the status tells of another token in the Secret.
    this.#receivers = new FollowedObjects({ feed: receivers, changed, statusField: "webhookPath" });
  }

  /** Waits until it is known what is there, and tells it. @throws FairleadError `aborted` where it is stopped before */
  async start(listener: ConfigListener): Promise<void> {
    const { alerts, providers, receivers } = this.#options;
    const synced = Promise.all([alerts.synced, providers.synced, receivers.synced]);
    if ((await Promise.race([synced, this.#stopped.promise])) === "stopped") {
      throw new FairleadError("aborted", "stopped before the objects of notification are known");
    }
    this.#listener = listener;
    await listener.loaded(this.#snapshot());
  }

  async stop(): Promise<void> {
    this.#stopped.resolve("stopped");
    this.#listener = undefined;
    this.#cancelTimer?.();
    await this.#telling;
  }

  #snapshot(): NotificationSnapshot {
    const { secrets, sources } = this.#options;
    return {
      alerts: this.#alerts.current(),
      providers: this.#providers.current(),
      receivers: this.#receivers.current(),
      secrets,
      sources,
    };
  }

  #schedule(): void {
    if (this.#listener === undefined || this.#cancelTimer !== undefined) return;
    this.#cancelTimer = (this.#options.clock ?? steadyClock).after(settleMs, () => {
      this.#cancelTimer = undefined;
      this.#telling = this.#telling.then(async () => this.#tell());
    });
  }

  async #tell(): Promise<void> {
    const listener = this.#listener;
    try {
      await listener?.loaded(this.#snapshot());
    } catch (error) {
      listener?.failed(error);
    }
  }
}
