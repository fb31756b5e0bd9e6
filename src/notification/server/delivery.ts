import { createHash } from "node:crypto";
import { FairleadError } from "../../core/error.ts";
import { objectKey } from "../../objects/object-meta.ts";
import { createHostLimits, type HostLimits } from "../../registry/transport/host-limits.ts";
import type { Environment } from "../../registry/transport/proxy-choice.ts";
import { commitStatusOf } from "../alert/commit-status.ts";
import type { NotificationObjects } from "../objects/notification-objects.ts";
import type { Provider } from "../objects/provider.ts";
import { providerSettings } from "../objects/provider-settings.ts";
import type { Deliver } from "../outbox/attempt.ts";
import type { DueDelivery } from "../outbox/entry.ts";
import type {
  DeliveryTransport,
  NotificationProvider,
  ProviderSettings,
  ProviderType,
  TokenCache,
} from "../providers/provider.ts";
import type { AddressGuard } from "../../core/address-guard.ts";
import { createHttpTransport } from "../transport/http-transport.ts";
import { providerAccess, type ProviderAccess } from "./provider-access.ts";

export interface DeliveryOptions {
  /** The configuration that is in force. */
  readonly objects: () => NotificationObjects;
  readonly providerFor: (type: ProviderType) => NotificationProvider;
  readonly guard: AddressGuard;
  /** Names the proxy where a Provider does not. */
  readonly environment: Environment;
  /** Requests to one host at a time. */
  readonly perHost: number;
  readonly tokens: TokenCache;
  readonly nowMs: () => number;
}

/** Requests a second to one host, and at once: far more than people want to read. */
const requestsPerSecond = 5000;
const maxTransports = 1000;

/** Sends deliveries by the Providers of the configuration that is in force when they are due. */
export function createDeliver(options: DeliveryOptions): Deliver {
  const destinations = new DestinationCache(options);
  return async (delivery, signal) => {
    const { settings, transport } = await prepare(delivery, options.objects(), destinations);
    await options.providerFor(settings.type).deliver(delivery, settings, {
      transport,
      now: options.nowMs,
      tokens: options.tokens,
      signal,
    });
  };
}

interface Destination {
  readonly settings: ProviderSettings;
  readonly transport: DeliveryTransport;
}

/** Destinations as a configuration describes them; connections outlive its changes. */
class DestinationCache {
  readonly #options: DeliveryOptions;
  readonly #limits: HostLimits;
  readonly #destinations = new WeakMap<NotificationObjects, Map<string, Destination>>();
  readonly #transports = new Map<string, DeliveryTransport>();

  constructor(options: DeliveryOptions) {
    this.#options = options;
    this.#limits = createHostLimits({
      maxConcurrent: options.perHost,
      requestsPerSecond,
      burst: requestsPerSecond,
    });
  }

  /** @throws FairleadError where the Provider's Secrets do not do */
  get(provider: Provider, objects: NotificationObjects): Destination {
    const known = this.#destinations.get(objects) ?? new Map<string, Destination>();
    this.#destinations.set(objects, known);
    const key = objectKey(provider.meta);
    const destination = known.get(key) ?? this.#make(provider, objects);
    known.set(key, destination);
    return destination;
  }

  #make(provider: Provider, objects: NotificationObjects): Destination {
    const settings = providerSettings(provider, objects.secrets);
    const access = providerAccess(provider, objects.secrets);
    return { settings, transport: this.#transportFor(access, settings.timeoutMs) };
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

/** What is wrong with the configuration may be put right: a change of files takes several steps. */
async function prepare(
  delivery: DueDelivery,
  objects: NotificationObjects,
  destinations: DestinationCache,
): Promise<Destination> {
  const { event, metadata } = delivery;
  try {
    const provider = findProvider(delivery.destination, objects);
    const destination = destinations.get(provider, objects);
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

function findProvider(destination: string, { providers }: NotificationObjects): Provider {
  const provider = providers.get(destination);
  if (provider === undefined || provider.spec.suspend) {
    const what = provider === undefined ? "there is no" : "suspended is the";
    throw new FairleadError("delivery-failed", `${what} Provider ${destination}`);
  }
  return provider;
}
