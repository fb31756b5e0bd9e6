import { createHash } from "node:crypto";
import { FairleadError } from "../../core/error.ts";
import { objectKey } from "../../objects/object-meta.ts";
import type { Secret } from "../../objects/secret.ts";
import type { CloudAccount } from "../../registry/cloud/cloud-session.ts";
import { createPlatformTokens, type PlatformTokens } from "../../registry/cloud/platform-tokens.ts";
import { createHostLimits, type HostLimits } from "../../registry/transport/host-limits.ts";
import type { Environment } from "../../registry/transport/proxy-choice.ts";
import { commitStatusOf } from "../alert/commit-status.ts";
import type { NotificationSnapshot, SecretReader } from "../objects/notification-snapshot.ts";
import type { Provider } from "../objects/provider.ts";
import { readProviderSecrets } from "../objects/provider-secrets.ts";
import { providerSettings } from "../objects/provider-settings.ts";
import type { Deliver } from "../outbox/attempt.ts";
import type { DueDelivery } from "../outbox/entry.ts";
import type {
  DeliveryTransport,
  NotificationProvider,
  ProviderSettings,
  ProviderType,
  TokenCache,
  WorkloadIdentity,
} from "../providers/provider.ts";
import { createWorkloadIdentity } from "../providers/workload-identity.ts";
import type { AddressGuard } from "../../core/address-guard.ts";
import { createHttpTransport } from "../transport/http-transport.ts";
import { providerAccess, type ProviderAccess } from "./provider-access.ts";

export interface DeliveryOptions {
  /** The configuration that is in force. */
  readonly objects: () => NotificationSnapshot;
  readonly providerFor: (type: ProviderType) => NotificationProvider;
  readonly guard: AddressGuard;
  /** Names the proxy where a Provider does not. */
  readonly environment: Environment;
  /** Requests to one host at a time. */
  readonly perHost: number;
  readonly tokens: TokenCache;
  /** The ServiceAccount that a Provider names, as clouds know it; default: there is no cluster that has one. */
  readonly accountOf?: ((namespace: string, name: string) => Promise<CloudAccount>) | undefined;
  readonly nowMs: () => number;
}

/** Requests a second to one host, and at once: far more than people want to read. */
const requestsPerSecond = 5000;
const maxTransports = 1000;

/** Sends deliveries by the Providers of the configuration that is in force when they are due. */
export function createDeliver(options: DeliveryOptions): Deliver {
  const destinations = new DestinationCache(options);
  return async (delivery, signal) => {
    const { settings, transport, workload } = await prepare(delivery, options.objects(), destinations);
    await options.providerFor(settings.type).deliver(delivery, settings, {
      transport,
      now: options.nowMs,
      tokens: options.tokens,
      workload,
      signal,
    });
  };
}

type Secrets = ReadonlyMap<string, Secret>;

interface Destination {
  readonly settings: ProviderSettings;
  readonly transport: DeliveryTransport;
  readonly workload: WorkloadIdentity;
}

/** Destinations as a configuration describes them; connections outlive its changes. */
class DestinationCache {
  readonly #options: DeliveryOptions;
  readonly #limits: HostLimits;
  readonly #platform: PlatformTokens;
  readonly #destinations = new WeakMap<Provider, Destination & { readonly secrets: Secrets }>();
  readonly #transports = new Map<string, DeliveryTransport>();

  constructor(options: DeliveryOptions) {
    this.#options = options;
    this.#limits = createHostLimits({
      maxConcurrent: options.perHost,
      requestsPerSecond,
      burst: requestsPerSecond,
    });
    const { environment, nowMs } = options;
    this.#platform = createPlatformTokens({ environment, nowMs });
  }

  /** @throws FairleadError where the Provider's Secrets do not do */
  async get(provider: Provider, reader: SecretReader): Promise<Destination> {
    const secrets = await readProviderSecrets(provider, reader);
    const known = this.#destinations.get(provider);
    if (known !== undefined && areSame(known.secrets, secrets)) return known;
    const settings = providerSettings(provider, secrets);
    const access = providerAccess(provider, secrets);
    const made = {
      secrets,
      settings,
      transport: this.#transportFor(access, settings.timeoutMs),
      workload: this.#workloadFor(provider, access),
    };
    this.#destinations.set(provider, made);
    return made;
  }

  #workloadFor({ meta, spec }: Provider, { proxy }: ProviderAccess): WorkloadIdentity {
    const { serviceAccountName: name } = spec;
    if (name === undefined) return createWorkloadIdentity(this.#platform, async () => ({ proxy }));
    const { accountOf } = this.#options;
    return createWorkloadIdentity(this.#platform, async () => {
      if (accountOf !== undefined) return { proxy, account: await accountOf(meta.namespace, name) };
      throw new FairleadError("config-invalid", `the ServiceAccount ${name} is to be had in a cluster alone`);
    });
  }

  #transportFor(access: ProviderAccess, timeoutMs: number): DeliveryTransport {
    const key = createHash("sha256")
      .update(JSON.stringify([access, timeoutMs]))
      .digest("base64");
    const known = this.#transports.get(key);
    if (known !== undefined) return known;
    if (this.#transports.size >= maxTransports) this.#transports.clear();
    const { guard, environment } = this.#options;
    const made = createHttpTransport({ ...access, environment, guard, limits: this.#limits, timeoutMs });
    this.#transports.set(key, made);
    return made;
  }
}

function areSame(left: Secrets, right: Secrets): boolean {
  return left.size === right.size && [...left].every(([key, secret]) => right.get(key) === secret);
}

/** What is wrong with the configuration may be put right: a change of files takes several steps. */
async function prepare(
  delivery: DueDelivery,
  objects: NotificationSnapshot,
  destinations: DestinationCache,
): Promise<Destination> {
  const { event, metadata } = delivery;
  try {
    const provider = findProvider(delivery.destination, objects);
    const destination = await destinations.get(provider, objects.secrets);
    const alert = objects.alerts.get(objectKey(delivery.alert));
    if (provider.spec.commitStatusExpr === undefined || alert === undefined) return destination;
    const commitStatus = await commitStatusOf({ event, metadata, alert, provider });
    const settings = { ...destination.settings, ...(commitStatus === undefined ? {} : { commitStatus }) };
    return { ...destination, settings };
  } catch (error) {
    if (!(error instanceof FairleadError)) throw error;
    const { code, message, hint } = error;
    throw new FairleadError(code, message, { hint, retryable: true, cause: error });
  }
}

function findProvider(destination: string, { providers }: NotificationSnapshot): Provider {
  const provider = providers.get(destination);
  if (provider === undefined || provider.spec.suspend) {
    const what = provider === undefined ? "there is no" : "suspended is the";
    throw new FairleadError("delivery-failed", `${what} Provider ${destination}`);
  }
  return provider;
}
