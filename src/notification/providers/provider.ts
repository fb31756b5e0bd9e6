import type { Notification } from "../event.ts";

/** The types of notification.toolkit.fluxcd.io/v1beta3 Providers, and `smtp`. */
export type ProviderType =
  | "generic"
  | "generic-hmac"
  | "slack"
  | "discord"
  | "rocket"
  | "msteams"
  | "googlechat"
  | "webex"
  | "telegram"
  | "lark"
  | "matrix"
  | "zoom"
  | "zulip"
  | "grafana"
  | "alertmanager"
  | "opsgenie"
  | "pagerduty"
  | "incident.io"
  | "sentry"
  | "datadog"
  | "azureeventhub"
  | "googlepubsub"
  | "nats"
  | "otel"
  | "smtp"
  | "github"
  | "gitlab"
  | "gitea"
  | "bitbucket"
  | "bitbucketserver"
  | "azuredevops"
  | "githubdispatch"
  | "githubpullrequestcomment"
  | "giteapullrequestcomment"
  | "gitlabmergerequestcomment";

/** What a Provider object and its Secrets say, put together. */
export interface ProviderSettings {
  readonly type: ProviderType;
  readonly namespace: string;
  readonly name: string;
  readonly uid?: string;
  /** A Secret's `address` goes before the spec's. */
  readonly address: string;
  readonly channel: string;
  readonly username: string;
  /** For the whole delivery; default: 15,000 ms. */
  readonly timeoutMs: number;
  /** Every key of the Secret, as text; a Secret with bytes that are no text is refused before. */
  readonly secret: Readonly<Record<string, string>>;
  /** `headers` of the Secret. */
  readonly headers: Readonly<Record<string, string>>;
  /** The context of a commit status, where `commitStatusExpr` gave one. */
  readonly commitStatus?: string;
}

/** A request over HTTP; what is secret in it is told apart, so that it can be shown masked. */
export interface OutgoingRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly secrets: readonly string[];
}

export interface IncomingResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** At most 64 KiB of it. */
  readonly body: string;
}

/** Sends requests: over the network, or into a list that `notify explain` prints. */
export interface DeliveryTransport {
  send(request: OutgoingRequest): Promise<IncomingResponse>;
}

/** Delivers notifications to systems of one type. */
export interface NotificationProvider {
  /**
   * @throws FairleadError `delivery-failed`, retryable or not, with the time that a `Retry-After` asks for
   */
  deliver(notification: Notification, settings: ProviderSettings, context: DeliveryContext): Promise<void>;
}

export interface DeliveryContext {
  readonly transport: DeliveryTransport;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly signal?: AbortSignal | undefined;
}
