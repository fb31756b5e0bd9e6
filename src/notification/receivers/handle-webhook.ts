import { FairleadError } from "../../core/error.ts";
import type { Logger } from "../../core/log.ts";
import { mapConcurrent } from "../../core/pool.ts";
import { objectKey, type ObjectMeta } from "../../objects/object-meta.ts";
import type { SourceObject } from "../objects/notification-objects.ts";
import type { SourceReader } from "../objects/notification-snapshot.ts";
import type { FilterExpression } from "./filter-expression.ts";
import type { IdTokenVerifier } from "./id-token.ts";
import { isJson, parseBody } from "./payload.ts";
import { checkRequest } from "./receiver-check.ts";
import type { PreparedReceiver, PreparedResource } from "./prepare-receiver.ts";
import type { WebhookRequest } from "./webhook-request.ts";

/** An object that is to be looked at anew. */
export interface TriggeredObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  /** The value of the annotation `reconcile.fluxcd.io/requestedAt`. */
  readonly requestedAt: string;
}

/** Has an object looked at anew. @throws FairleadError */
export type Trigger = (object: TriggeredObject) => Promise<void>;

export interface WebhookContext {
  readonly sources: SourceReader;
  readonly idTokens: IdTokenVerifier;
  readonly trigger: Trigger;
  readonly noCrossNamespaceRefs: boolean;
  readonly now: () => Date;
  readonly log: Logger;
}

const triggersAtATime = 8;

/**
 * Does what a request to a Receiver asks for.
 * @returns 503 where the Receiver is suspended or not ready, 400 where the request is not let through, 500 where an
 *   object could not be looked at, else 200
 */
export async function handleWebhook(
  prepared: PreparedReceiver,
  request: WebhookRequest,
  context: WebhookContext,
): Promise<200 | 400 | 500 | 503> {
  const { receiver, problem } = prepared;
  const { log } = context;
  const name = objectKey(receiver.meta);
  if (receiver.spec.suspend || problem !== undefined) {
    log.warn("a request to a Receiver is turned away", {
      receiver: name,
      reason: problem?.message ?? "it is suspended",
    });
    return 503;
  }
  let checked;
  try {
    checked = await checkRequest(request, { ...prepared, idTokens: context.idTokens });
  } catch (error) {
    if (!(error instanceof FairleadError)) throw error;
    log.warn("a request to a Receiver is refused", { receiver: name, reason: error.message });
    return 400;
  }
  try {
    const variables = { req: checked.payload ?? payloadOf(request), claims: checked.claims ?? {} };
    return (await triggerAll(prepared, variables, context)) ? 200 : 500;
  } catch (error) {
    if (!(error instanceof FairleadError)) throw error;
    log.error("the body of a request to a Receiver cannot be read", {
      receiver: name,
      reason: error.message,
    });
    return 500;
  }
}

/** What filters see of the request: its JSON, else nothing. */
function payloadOf({ headers, body }: WebhookRequest): unknown {
  return isJson(headers["content-type"]) && body.length > 0 ? parseBody(body) : {};
}

async function triggerAll(
  prepared: PreparedReceiver,
  variables: Readonly<Record<string, unknown>>,
  context: WebhookContext,
): Promise<boolean> {
  const { log, trigger, now } = context;
  const receiver = objectKey(prepared.receiver.meta);
  const requestedAt = now().toISOString();
  let isWhole = true;
  let count = 0;
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof FairleadError)) throw error;
      log.error("a Receiver cannot trigger what it names", { receiver, reason: error.message });
      isWhole = false;
    }
  };
  const triggerOne = async ({ kind, apiVersion, meta }: SourceObject): Promise<void> => {
    await trigger({ apiVersion, kind, namespace: meta.namespace, name: meta.name, requestedAt });
    log.info("an object is to be looked at anew", { receiver, object: `${kind}/${objectKey(meta)}` });
  };
  for (const resource of prepared.resources) {
    await attempt(async () => {
      const objects = await selectObjects(resource, prepared, variables, context);
      count += objects.length;
      // One that cannot be reached does not stop the others.
      await mapConcurrent(objects, triggersAtATime, async (object) =>
        attempt(async () => triggerOne(object)),
      );
    });
  }
  if (isWhole && count === 0) log.info("a request to a Receiver concerns no object", { receiver });
  return isWhole;
}

async function selectObjects(
  { resource, filter }: PreparedResource,
  prepared: PreparedReceiver,
  variables: Readonly<Record<string, unknown>>,
  { sources, noCrossNamespaceRefs }: WebhookContext,
): Promise<readonly SourceObject[]> {
  const own = prepared.receiver.meta.namespace;
  const { kind, name, namespace = own } = resource;
  if (noCrossNamespaceRefs && namespace !== own) {
    throw new FairleadError("access-denied", `${kind} ${namespace}/${name} is in another namespace`);
  }
  const filters = [prepared.filter, filter].filter((known) => known !== undefined);
  const selected = await sources.select({ ...resource, namespace });
  return selected.filter((object) => passes(filters, object, variables));
}

function passes(
  filters: readonly FilterExpression[],
  object: SourceObject,
  variables: Readonly<Record<string, unknown>>,
): boolean {
  if (filters.length === 0) return true;
  const res = { kind: object.kind, apiVersion: object.apiVersion, metadata: metadataOf(object.meta) };
  return filters.every((filter) => filter.holds({ ...variables, res }));
}

/** As a PartialObjectMetadata has it. */
function metadataOf({ namespace, name, uid, labels, annotations, generation }: ObjectMeta): object {
  return { namespace, name, ...(uid === undefined ? {} : { uid }), labels, annotations, generation };
}
