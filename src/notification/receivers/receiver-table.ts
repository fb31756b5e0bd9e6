import { createHash } from "node:crypto";
import { FairleadError, messageOf } from "../../core/error.ts";
import { objectKey } from "../../objects/object-meta.ts";
import type { Secret } from "../../objects/secret.ts";
import type { NotificationObjects } from "../objects/notification-objects.ts";
import type { Receiver, ReceiverResource } from "../objects/receiver.ts";
import { compileFilter, type FilterExpression } from "./filter-expression.ts";
import { type OidcClaimsCheck, prepareClaimsCheck } from "./oidc-claims.ts";
import { webhookPath } from "./webhook-path.ts";

/** A Receiver made ready, or why it is not; in Flux's terms, its condition `Ready`. */
export interface PreparedReceiver {
  readonly receiver: Receiver;
  /** Undefined where there is no token to make it of. */
  readonly path?: string;
  readonly problem?: {
    readonly reason: "TokenNotFound" | "InvalidCELExpression";
    readonly message: string;
  };
  readonly secret: Readonly<Record<string, string>>;
  readonly oidc: ReadonlyMap<string, OidcClaimsCheck>;
  readonly filter?: FilterExpression;
  readonly resources: readonly PreparedResource[];
}

export interface PreparedResource {
  readonly resource: ReceiverResource;
  readonly filter?: FilterExpression;
}

/** The Receivers of a configuration, by their paths. */
export class ReceiverTable {
  readonly receivers: readonly PreparedReceiver[];
  /** By the digests of the paths, so that the time of a look-up tells nothing of them. */
  readonly #byPath: ReadonlyMap<string, PreparedReceiver>;

  constructor(receivers: readonly PreparedReceiver[]) {
    this.receivers = receivers;
    this.#byPath = new Map(
      receivers.flatMap((receiver) =>
        receiver.path === undefined ? [] : [[digestOf(receiver.path), receiver] as const],
      ),
    );
  }

  /** The Receiver of a path, if there is one. */
  tryFind(path: string): PreparedReceiver | undefined {
    return this.#byPath.get(digestOf(path));
  }
}

/** Prepares every Receiver; one that cannot be is told as such, and does not stop the others. */
export async function prepareReceivers({ receivers, secrets }: NotificationObjects): Promise<ReceiverTable> {
  return new ReceiverTable(
    await Promise.all([...receivers.values()].map((receiver) => prepare(receiver, secrets))),
  );
}

async function prepare(receiver: Receiver, secrets: ReadonlyMap<string, Secret>): Promise<PreparedReceiver> {
  const { spec, meta } = receiver;
  const name = spec.secretRef?.name;
  const found = name === undefined ? undefined : secrets.get(objectKey({ ...meta, name }));
  const secret = textsOf(found);
  const { token = "" } = secret;
  const base: PreparedReceiver = { receiver, secret, oidc: new Map(), resources: [] };
  // An empty token would make the path one that anybody knows.
  if (spec.type !== "generic-oidc" && token === "") {
    const message =
      found === undefined ? `Secret ${String(name)} is not known` : `Secret ${String(name)} has no token`;
    return { ...base, problem: { reason: "TokenNotFound", message } };
  }
  const path = webhookPath(spec.type === "generic-oidc" ? "" : token, meta.name, meta.namespace);
  try {
    return { ...base, path, ...(await prepareExpressions(receiver)) };
  } catch (error) {
    if (!(error instanceof FairleadError)) throw error;
    return { ...base, path, problem: { reason: "InvalidCELExpression", message: messageOf(error) } };
  }
}

async function prepareExpressions({
  spec,
}: Receiver): Promise<Pick<PreparedReceiver, "oidc" | "filter" | "resources">> {
  const variables = ["res", "req", ...(spec.type === "generic-oidc" ? ["claims"] : [])];
  const parse = async (text: string): Promise<FilterExpression> => compileFilter(text, variables);
  const resources: PreparedResource[] = [];
  for (const resource of spec.resources) {
    const { filter } = resource;
    resources.push({ resource, ...(filter === undefined ? {} : { filter: await parse(filter) }) });
  }
  const checks = await Promise.all(spec.oidcProviders.map((provider) => prepareClaimsCheck(provider)));
  return {
    oidc: new Map(checks.map((check) => [check.provider.issuerUrl, check])),
    ...(spec.resourceFilter === undefined ? {} : { filter: await parse(spec.resourceFilter) }),
    resources,
  };
}

function textsOf(secret: Secret | undefined): Readonly<Record<string, string>> {
  const decoder = new TextDecoder();
  return Object.fromEntries(
    Object.entries(secret?.data ?? {}).map(([key, bytes]) => [key, decoder.decode(bytes)]),
  );
}

function digestOf(path: string): string {
  return createHash("sha256").update(path).digest("base64");
}
