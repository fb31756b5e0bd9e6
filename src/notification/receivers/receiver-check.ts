import { FairleadError } from "../../core/error.ts";
import type { Receiver, ReceiverType } from "../objects/receiver.ts";
import { checkGoogleToken } from "./google-token.ts";
import type { IdTokenVerifier } from "./id-token.ts";
import { checkOidcToken, type OidcClaimsCheck } from "./oidc-claims.ts";
import { parseBody } from "./payload.ts";
import { checkHmacHeader, checkNexusSignature, denied, equalsSecret } from "./signature.ts";
import type { CheckedRequest, WebhookRequest } from "./webhook-request.ts";

/** What the check of a Receiver works with. */
export interface CheckContext {
  readonly receiver: Receiver;
  /** Every key of its Secret. */
  readonly secret: Readonly<Record<string, string>>;
  readonly idTokens: IdTokenVerifier;
  /** Of a generic-oidc Receiver, by issuer. */
  readonly oidc: ReadonlyMap<string, OidcClaimsCheck>;
}

type Check = (request: WebhookRequest, context: CheckContext) => Promise<CheckedRequest> | CheckedRequest;

const nothing: CheckedRequest = {};

/** How each type of Receiver tells its requests from others. */
const checks: Readonly<Record<ReceiverType, Check>> = {
  generic: () => nothing,
  "generic-hmac": ({ headers, body }, { secret }) => {
    checkHmacHeader(headers["x-signature"], body, secret["token"] ?? "");
    return nothing;
  },
  "generic-oidc": async (request, context) => ({ claims: await checkOidcToken(request, context) }),
  github: (request, context) => {
    checkHubSignature(request, context);
    return allowEvent(request.headers["x-github-event"], context);
  },
  gitlab: ({ headers }, context) => {
    if (!equalsSecret(headers["x-gitlab-token"] ?? "", context.secret["token"] ?? "")) {
      throw denied("X-Gitlab-Token is not the token");
    }
    return allowEvent(headers["x-gitlab-event"], context);
  },
  bitbucket: (request, context) => {
    checkHubSignature(request, context);
    return allowEvent(request.headers["x-event-key"], context);
  },
  harbor: ({ headers }, { secret }) => {
    if (!equalsSecret(headers["authorization"] ?? "", secret["token"] ?? "")) {
      throw denied("Authorization is not the token");
    }
    return nothing;
  },
  dockerhub: readable,
  quay: readable,
  acr: readable,
  gcr: async (request, context) => {
    await checkGoogleToken(request, context);
    return { payload: unwrapPubSub(request) };
  },
  nexus: (request, { secret }) => {
    checkNexusSignature(request.headers["x-nexus-webhook-signature"], request.body, secret["token"] ?? "");
    parseBody(request.body);
    return nothing;
  },
  cdevents: (request, context) => {
    checkCdEvent(parseBody(request.body));
    return allowEvent(request.headers["ce-type"], context);
  },
};

/**
 * Checks that a request comes from whom its Receiver is for, and that its event is one of those that count.
 * @throws FairleadError `access-denied`, or `event-invalid` for a body that is none
 */
export async function checkRequest(request: WebhookRequest, context: CheckContext): Promise<CheckedRequest> {
  return checks[context.receiver.spec.type](request, context);
}

function readable({ body }: WebhookRequest): CheckedRequest {
  parseBody(body);
  return nothing;
}

/** GitHub's newer header goes before its older one; a form or JSON holds the payload. */
function checkHubSignature({ headers, body }: WebhookRequest, { secret }: CheckContext): void {
  const type = headers["content-type"]?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json" && type !== "application/x-www-form-urlencoded") {
    throw new FairleadError("event-invalid", "the body is neither JSON nor a form");
  }
  const signature = headers["x-hub-signature-256"] || headers["x-hub-signature"];
  checkHmacHeader(signature, body, secret["token"] ?? "");
}

function allowEvent(event: string | undefined, { receiver }: CheckContext): CheckedRequest {
  const { events } = receiver.spec;
  const name = (event ?? "").toLowerCase();
  if (events.length > 0 && !events.some((allowed) => allowed.toLowerCase() === name)) {
    throw denied("the event is none of those that count");
  }
  return nothing;
}

/** Of Pub/Sub's envelope, what Google's registry says: `action`, `digest` and `tag`. */
function unwrapPubSub({ body }: WebhookRequest): unknown {
  const data = memberOf(memberOf(parseBody(body), "message"), "data");
  if (typeof data !== "string") throw new FairleadError("event-invalid", "the body is no Pub/Sub message");
  const event = parseBody(Buffer.from(data, "base64"));
  const [action, digest, tag] = ["action", "digest", "tag"].map((key) => memberOf(event, key) ?? "");
  return { action, digest, tag };
}

/** CloudEvents' context and subject, which every CDEvent has. */
function checkCdEvent(body: unknown): void {
  const context = memberOf(body, "context");
  const isWhole =
    ["version", "id", "source", "type", "timestamp"].every(
      (key) => typeof memberOf(context, key) === "string",
    ) && typeof memberOf(memberOf(body, "subject"), "id") === "string";
  if (!isWhole) throw new FairleadError("event-invalid", "the body is no CDEvent");
}

function memberOf(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key)
    ? (value as Readonly<Record<string, unknown>>)[key]
    : undefined;
}
