import { join } from "node:path";
import type { ControllerEnvironment } from "../../../cluster/controllers/controller-environment.ts";
import { NotificationControllers } from "../../../cluster/controllers/notification.ts";
import type { ServiceAccountToken } from "../../../registry/cloud/cloud-account.ts";
import type { AddressGuard } from "../../../core/address-guard.ts";
import { FairleadError } from "../../../core/error.ts";
import type { Logger } from "../../../core/log.ts";
import { defaultRetryPolicy } from "../../../notification/outbox/back-off.ts";
import { defaultRetentionPolicy } from "../../../notification/outbox/retention.ts";
import type { KubernetesEvents } from "../../../notification/recorder/kubernetes-event.ts";
import { NotificationServer } from "../../../notification/server/notification-server.ts";
import type { ServerAddresses } from "../../../notification/server/server-options.ts";
import type { CliIo } from "../../io.ts";
import type { ControllerOptions } from "./controller-options.ts";
import { namingFlags } from "./naming-flags.ts";

export interface NotificationServiceOptions {
  readonly options: ControllerOptions;
  readonly environment: ControllerEnvironment;
  /** Undefined: there is no cluster that gives tokens of ServiceAccounts. */
  readonly serviceAccountToken: ServiceAccountToken | undefined;
  /** Over the addresses that are delivered to. */
  readonly guard: AddressGuard;
  readonly kubernetesEvents: KubernetesEvents;
  readonly log: Logger;
  readonly io: CliIo;
}

const perDestination = 4;

/** The notification controllers with the server of events and webhooks, which serves whoever leads. */
export class NotificationService {
  readonly controllers: NotificationControllers;
  readonly #options: NotificationServiceOptions;
  #server: NotificationServer | undefined;
  #isStopping = false;

  constructor(options: NotificationServiceOptions) {
    this.#options = options;
    const { environment, serviceAccountToken } = options;
    this.controllers = new NotificationControllers(environment, serviceAccountToken);
  }

  /** Why requests to the server would go wrong; undefined: they do not. */
  get unreadyReason(): string | undefined {
    return this.#server === undefined
      ? "the objects of notification are not known yet"
      : this.#server.unreadyReason();
  }

  /** What Prometheus is told of the server. @throws FairleadError `state-invalid` */
  formatMetrics(): string {
    return this.#server?.metrics.format() ?? "";
  }

  /**
   * Serves as soon as the objects are known, which somebody else begins to watch.
   * @throws FairleadError `state-invalid`, `config-invalid` for an address, `aborted` where it is stopped before
   */
  async serve(): Promise<ServerAddresses> {
    const { options, guard, kubernetesEvents, log, io } = this.#options;
    const { storagePath } = options;
    const starting = NotificationServer.start({
      ...this.controllers.serverPorts,
      stateFile: storagePath === undefined ? undefined : join(storagePath, "notification.db"),
      listen: { events: options.eventsListen, receivers: options.receiverAddr },
      adminToken: undefined,
      dedupe: { windowMs: options.rateLimitInterval, ignoresVolatileParts: false },
      noCrossNamespaceRefs: !options.crossNamespaceRefs,
      retry: { ...defaultRetryPolicy, maxAttempts: options.maxAttempts },
      retention: defaultRetentionPolicy,
      perDestination,
      guard,
      environment: io.env,
      kubernetesEvents,
      log,
    });
    const server = await namingFlags("--events-listen or --receiver-addr", starting);
    if (this.#isStopping) {
      await server.stop(0);
      throw new FairleadError("aborted", "stopped before the server of notification began");
    }
    this.#server = server;
    return server.addresses;
  }

  /** @param graceMs how long what is being answered and delivered may take */
  async stop(graceMs: number): Promise<void> {
    this.#isStopping = true;
    await this.controllers.serverPorts.config.stop();
    await this.#server?.stop(graceMs);
  }
}
