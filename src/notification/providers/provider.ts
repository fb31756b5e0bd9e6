import type { ExpiringCache } from "../../core/expiring-cache.ts";
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
  /** How much of the answer is read; default: 64 KiB. */
  readonly maxResponseBytes?: number;
  /** An answer with which the delivery goes on, for a transport that sends nothing; default: an empty object. */
  readonly sampleResponse?: string;
}

export interface IncomingResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** No more than the request asks for. */
  readonly body: string;
}

/** A message for a NATS server. */
export interface OutgoingPublication {
  /** `nats://` or `tls://`, host and port; several are divided by commas. */
  readonly server: string;
  readonly subject: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly credentials: NatsCredentials;
  readonly secrets: readonly string[];
}

export type NatsCredentials =
  | { readonly kind: "none" }
  | { readonly kind: "creds"; readonly creds: string }
  | { readonly kind: "nkey"; readonly seed: string }
  | { readonly kind: "password"; readonly username: string; readonly password: string };

/** A mail for an SMTP server. */
export interface OutgoingMail {
  /** `smtp://` or `smtps://`, host and port. */
  readonly server: string;
  readonly login?: { readonly username: string; readonly password: string };
  readonly from: string;
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** With its angle brackets. */
  readonly messageId: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly date: Date;
  readonly secrets: readonly string[];
}

/** Sends what providers have made: over the network, or into a list that `notify explain` prints. */
export interface DeliveryTransport {
  /** @throws FairleadError `delivery-failed` or `address-refused`, and the reason of the signal */
  send(request: OutgoingRequest, signal?: AbortSignal): Promise<IncomingResponse>;
  /** As {@link send}. */
  publish(publication: OutgoingPublication, signal?: AbortSignal): Promise<void>;
  /** As {@link send}. */
  mail(mail: OutgoingMail, signal?: AbortSignal): Promise<void>;
}

/** Keeps tokens that were given for a while, so that not every delivery asks for one. */
export type TokenCache = ExpiringCache<string>;

/** Delivers notifications to systems of one type. */
export interface NotificationProvider {
  /**
   * @throws FairleadError `delivery-failed`, retryable or not, with the time that a `Retry-After` asks for;
   *   `address-refused`; and the reason of the context's signal
   */
  deliver(notification: Notification, settings: ProviderSettings, context: DeliveryContext): Promise<void>;
}

export interface DeliveryContext {
  readonly transport: DeliveryTransport;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly signal?: AbortSignal | undefined;
  /** Default: tokens are not kept. */
  readonly tokens?: TokenCache | undefined;
  /** Default: there is no identity, and providers want a token in their Secret. */
  readonly workload?: WorkloadIdentity | undefined;
}

/** Tokens that a cloud gives this workload, or the ServiceAccount that the Provider names, in place of a Secret. */
export interface WorkloadIdentity {
  /** @param scope what the token is for, such as `https://eventhubs.azure.net//.default` @throws FairleadError */
  azureToken(scope: string): Promise<string>;
  /** For Google Cloud as a whole. @throws FairleadError */
  gcpToken(): Promise<string>;
}
