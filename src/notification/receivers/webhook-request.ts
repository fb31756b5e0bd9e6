/** A request to a webhook, read whole. */
export interface WebhookRequest {
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
}

/** What a check lets through. */
export interface CheckedRequest {
  /** Of a token. */
  readonly claims?: Readonly<Record<string, unknown>>;
  /** What the resource filters see instead of the body. */
  readonly payload?: unknown;
}
