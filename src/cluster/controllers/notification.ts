import type { Alert } from "../../notification/objects/alert.ts";
import type { Provider } from "../../notification/objects/provider.ts";
import type { Receiver } from "../../notification/objects/receiver.ts";
import type { NotificationServerOptions } from "../../notification/server/server-options.ts";
import { FairleadError } from "../../core/error.ts";
import { cloudAccount, type ServiceAccountToken } from "../../registry/cloud/cloud-account.ts";
import { ClusterConfig } from "../notification/cluster-config.ts";
import { ClusterSecrets } from "../notification/cluster-secrets.ts";
import { ClusterSources } from "../notification/cluster-sources.ts";
import { createClusterTrigger } from "../notification/cluster-trigger.ts";
import { DeliveryLog } from "../notification/delivery-log.ts";
import { createAlertReconciler } from "./alert.ts";
import type { ControllerGroup } from "./controller-group.ts";
import type { ControllerEnvironment } from "./controller-environment.ts";
import { KindController } from "./kind-controller.ts";
import { referenceKey, type StatusObject } from "./kind-reconciler.ts";
import { createProviderReconciler, deliveriesKey } from "./provider.ts";
import type { ReadObjects } from "./read-objects.ts";
import { tryReadServiceAccount } from "./referenced-objects.ts";
import { createReceiverReconciler } from "./receiver.ts";

/** What controllers of different kinds have in common. */
type AnyController = Pick<KindController<Alert>, "watch" | "start" | "stop"> & {
  readonly objects: Pick<ReadObjects<Alert>, "synced" | "hasSynced">;
};

/** The controllers of Alerts, Providers and Receivers, and what a notification server works from them with. */
export class NotificationControllers implements ControllerGroup {
  readonly name = "notification";
  /** For a server of this process; it has to be stopped before these controllers. */
  readonly serverPorts: Pick<NotificationServerOptions, "config" | "trigger"> &
    Required<Pick<NotificationServerOptions, "onAttempt" | "accountOf">>;
  readonly #alerts: KindController<Alert>;
  readonly #providers: KindController<Provider>;
  readonly #receivers: KindController<Receiver>;
  readonly #deliveries: DeliveryLog;

  /** @param serviceAccountToken undefined: there is no cluster that gives tokens of ServiceAccounts */
  constructor(environment: ControllerEnvironment, serviceAccountToken?: ServiceAccountToken) {
    const { api, clock } = environment;
    const secrets = new ClusterSecrets(api);
    this.#deliveries = new DeliveryLog({
      changed: (provider) => this.#providers.referenceChanged(deliveriesKey(provider)),
      ...(clock === undefined ? {} : { clock }),
    });
    this.#providers = new KindController(
      createProviderReconciler({ secrets, deliveries: this.#deliveries }),
      environment,
    );
    const hasProvider = (namespace: string, name: string): boolean =>
      this.#providers.objects.tryGet(namespace, name) !== undefined;
    this.#alerts = new KindController(createAlertReconciler({ hasProvider }), environment);
    this.#receivers = new KindController(createReceiverReconciler({ secrets }), environment);
    this.serverPorts = {
      config: new ClusterConfig({
        alerts: this.#alerts.objects,
        providers: this.#providers.objects,
        receivers: this.#receivers.objects,
        secrets,
        sources: new ClusterSources(api),
      }),
      trigger: createClusterTrigger(api),
      accountOf: async (namespace, name) => {
        const account = await tryReadServiceAccount(api, { namespace, name });
        if (account !== undefined) return cloudAccount(account.meta, serviceAccountToken);
        throw new FairleadError("object-missing", `there is no ServiceAccount ${namespace}/${name}`);
      },
      onAttempt: (report) => this.#deliveries.note(report),
    };
  }

  get synced(): Promise<void> {
    return Promise.all(this.#all.map(async ({ objects }) => objects.synced)).then(() => undefined);
  }

  get hasSynced(): boolean {
    return this.#all.every(({ objects }) => objects.hasSynced);
  }

  watch(): void {
    const tell = ({ metadata: { namespace = "", name } }: StatusObject): void =>
      this.#alerts.referenceChanged(referenceKey("Provider", { namespace, name }));
    for (const controller of this.#all) controller.watch();
    this.#providers.objects.subscribe({
      added: tell,
      updated: (object, old) => {
        if (object.metadata.generation !== old.metadata.generation) tell(object);
      },
      deleted: tell,
    });
  }

  start(): void {
    for (const controller of this.#all) controller.start();
  }

  async stop(graceMs: number): Promise<void> {
    this.#deliveries.stop();
    await Promise.all(this.#all.map(async (controller) => controller.stop(graceMs)));
  }

  get #all(): readonly AnyController[] {
    return [this.#alerts, this.#providers, this.#receivers];
  }
}
