import type { Logger } from "../../core/log.ts";
import type { CloudAccount } from "../../registry/cloud/cloud-session.ts";
import type { Environment } from "../../registry/transport/proxy-choice.ts";
import type { RetryPolicy } from "../outbox/back-off.ts";
import type { Clock } from "../../core/clock.ts";
import type { AttemptReport } from "../outbox/attempt.ts";
import type { RetentionPolicy } from "../outbox/retention.ts";
import type { KubernetesEvents } from "../recorder/kubernetes-event.ts";
import type { Trigger } from "../receivers/handle-webhook.ts";
import type { AddressGuard } from "../../core/address-guard.ts";
import type { NotificationConfig } from "./notification-config.ts";
import type { ListenAddress } from "../../serving/listener.ts";

export interface NotificationServerOptions {
  readonly config: NotificationConfig;
  /** Undefined: the outbox lives in memory, and what is queued ends with the process. */
  readonly stateFile: string | undefined;
  /** Undefined: there is no such listener. */
  readonly listen: {
    readonly events?: ListenAddress | undefined;
    readonly receivers?: ListenAddress | undefined;
    readonly metrics?: ListenAddress | undefined;
    readonly admin?: ListenAddress | undefined;
  };
  /** What the admin API asks for; it must be there where its listener is not on loopback. */
  readonly adminToken: string | undefined;
  readonly dedupe: { readonly windowMs: number; readonly ignoresVolatileParts: boolean };
  readonly noCrossNamespaceRefs: boolean;
  readonly retry: RetryPolicy;
  readonly retention: RetentionPolicy;
  readonly perDestination: number;
  readonly guard: AddressGuard;
  readonly environment: Environment;
  readonly trigger: Trigger;
  /** Where Kubernetes Events go besides the outbox, such as a cluster. */
  readonly kubernetesEvents?: KubernetesEvents;
  /** A ServiceAccount that a Provider names, as clouds know it; default: there is no cluster that has one. */
  readonly accountOf?: (namespace: string, name: string) => Promise<CloudAccount>;
  /** Told of each attempt to deliver. */
  readonly onAttempt?: (report: AttemptReport) => void;
  readonly log: Logger;
  readonly clock?: Clock;
}

/** Where a server can be reached: `127.0.0.1:9090`. */
export interface ServerAddresses {
  readonly events?: string;
  readonly receivers?: string;
  readonly metrics?: string;
  readonly admin?: string;
}
