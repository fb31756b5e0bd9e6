/** The closed set of reasons for which fairlead refuses or gives up. */
export type ErrorCode =
  | "internal"
  | "aborted"
  | "timeout"
  | "limit-exceeded"
  | "tool-missing"
  | "tool-failed"
  | "input-invalid"
  | "input-unreadable"
  | "config-invalid"
  | "output-refused"
  | "chart-invalid"
  | "chart-unreadable"
  | "dependency-missing"
  | "values-invalid"
  | "reference-invalid"
  | "digest-invalid"
  | "target-invalid"
  | "target-collision"
  | "value-path-invalid"
  | "render-failed"
  | "residual-drift"
  | "registry-unreachable"
  | "registry-failed"
  | "registry-unauthorized"
  | "image-not-found"
  | "credentials-invalid"
  | "object-invalid"
  | "object-missing"
  | "object-conflict"
  | "version-expired"
  | "access-denied"
  | "policy-invalid"
  | "policy-unresolved"
  | "git-failed"
  | "git-rejected"
  | "state-invalid"
  | "event-invalid"
  | "delivery-failed"
  | "address-refused"
  | "image-spec-invalid"
  | "upstream-unreachable"
  | "upstream-failed"
  | "image-format-unsupported"
  | "runtime-unreachable"
  | "runtime-failed"
  | "image-in-use"
  | "aci-invalid"
  | "aci-not-found"
  | "signature-invalid";

/** Where something was found: any part may be unknown. Lines and columns count from 1. */
export interface Where {
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  /** A value path in the parent chart's terms, such as `redis.image.tag` or `extra[0].image`. */
  readonly valuePath?: string;
}

export interface FairleadErrorOptions {
  readonly where?: Where | undefined;
  readonly hint?: string | undefined;
  readonly retryable?: boolean;
  /** How long a remote asks to wait before the next attempt. */
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
}

/**
 * The one error type. `message` says what is wrong in one sentence without the location;
 * {@link formatWhere} renders the location, `hint` what to do next.
 */
export class FairleadError extends Error {
  override readonly name = "FairleadError";
  readonly code: ErrorCode;
  readonly where: Where;
  readonly hint: string | undefined;
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;

  constructor(code: ErrorCode, message: string, options: FairleadErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.where = options.where ?? {};
    this.hint = options.hint;
    this.retryable = options.retryable ?? false;
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** The location as `file:line:column (value path)`, or an empty string when nothing is known. */
export function formatWhere(where: Where): string {
  const position = [where.file, where.line, where.line === undefined ? undefined : where.column]
    .filter((part) => part !== undefined)
    .join(":");
  if (where.valuePath === undefined) return position;
  return position === "" ? where.valuePath : `${position} (${where.valuePath})`;
}

/** The text of anything thrown, for a cause that may not be an Error. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
