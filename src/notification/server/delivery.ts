import { createHash } from "node:crypto";
import { FairleadError } from "../../core/error.ts";
import { createRedactor } from "../../core/redaction.ts";
import { objectKey } from "../../objects/object-meta.ts";
import { createHostLimits } from "../../registry/transport/host-limits.ts";
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
import { secretsOf } from "../providers/secrets.ts";
import type { AddressGuard } from "../transport/address-guard.ts";
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
  const limits = createHostLimits({
    maxConcurrent: options.perHost,
    requestsPerSecond,
    burst: requestsPerSecond,
  });
  const transports = new Map<string, DeliveryTransport>();
  const transportFor = (access: ProviderAccess, timeoutMs: number): DeliveryTransport => {
    const key = createHash("sha256")
      .update(JSON.stringify([access, timeoutMs]))
      .digest("base64");
    const known = transports.get(key);
    if (known !== undefined) return known;
    if (transports.size >= maxTransports) transports.clear();
    const { guard, environment } = options;
    const made = createHttpTransport({ ...access, environment, guard, limits, timeoutMs });
    transports.set(key, made);
    return made;
  };

  return async (delivery, signal) => {
    const { settings, access } = await prepare(delivery, options.objects());
    const redact = createRedactor(secretsOf(settings));
    const { timeoutMs } = settings;
    const timeout = AbortSignal.timeout(timeoutMs);
    try {
      await options.providerFor(settings.type).deliver(delivery, settings, {
        transport: transportFor(access, timeoutMs),
        now: options.nowMs,
        tokens: options.tokens,
        signal: AbortSignal.any([signal, timeout]),
      });
    } catch (error) {
      if (signal.aborted) throw error;
      throw timeout.aborted && error === timeout.reason ? tooSlow(timeoutMs) : redacted(error, redact);
    }
  };
}

interface Prepared {
  readonly settings: ProviderSettings;
  readonly access: ProviderAccess;
}

/** What is wrong with the configuration may be put right: a change of files takes several steps. */
async function prepare(delivery: DueDelivery, objects: NotificationObjects): Promise<Prepared> {
  const { event, metadata, destination } = delivery;
  try {
    const provider = findProvider(destination, objects);
    const alert = objects.alerts.get(objectKey(delivery.alert));
    const commitStatus =
      alert === undefined ? undefined : await commitStatusOf({ event, metadata, alert, provider });
    return {
      settings: providerSettings(provider, objects.secrets, commitStatus),
      access: providerAccess(provider, objects.secrets),
    };
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

function tooSlow(timeoutMs: number): FairleadError {
  return new FairleadError("delivery-failed", `the delivery did not finish within ${timeoutMs / 1000} s`, {
    retryable: true,
  });
}

function redacted(error: unknown, redact: (text: string) => string): unknown {
  if (!(error instanceof FairleadError)) return error;
  const { code, message, hint, retryable, retryAfterMs } = error;
  return new FairleadError(code, redact(message), { hint, retryable, retryAfterMs });
}
