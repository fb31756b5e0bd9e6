import { FairleadError, messageOf } from "../../core/error.ts";
import type { Secret } from "../../objects/secret.ts";
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
  /** What it was made of. */
  readonly source: Secret | undefined;
  /** Every key of its Secret, as text. */
  readonly secret: Readonly<Record<string, string>>;
  readonly oidc: ReadonlyMap<string, OidcClaimsCheck>;
  readonly filter?: FilterExpression;
  readonly resources: readonly PreparedResource[];
}

export interface PreparedResource {
  readonly resource: ReceiverResource;
  readonly filter?: FilterExpression;
}

/** Makes a Receiver ready. @param source the Secret that it names, if there is one */
export async function prepareReceiver(
  receiver: Receiver,
  source: Secret | undefined,
): Promise<PreparedReceiver> {
  const { spec, meta } = receiver;
  const secret = textsOf(source);
  const { token = "" } = secret;
  const base: PreparedReceiver = { receiver, source, secret, oidc: new Map(), resources: [] };
  // An empty token would make the path one that anybody knows.
  if (spec.type !== "generic-oidc" && token === "") {
    const name = `Secret ${String(spec.secretRef?.name)}`;
    const message = source === undefined ? `${name} is not known` : `${name} has no token`;
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
