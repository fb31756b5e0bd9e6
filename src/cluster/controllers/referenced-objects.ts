import { FairleadError } from "../../core/error.ts";
import { serviceAccountKind } from "../../automation/objects/object-kinds.ts";
import { type KubernetesObject, secretKind } from "../../objects/object-kind.ts";
import { objectKey } from "../../objects/object-meta.ts";
import type { Secret } from "../../objects/secret.ts";
import type { ServiceAccount } from "../../objects/service-account.ts";
import type { ApiObject } from "../api/api-object.ts";
import type { ObjectApi } from "../api/object-api.ts";
import { resourceTypes } from "../api/resource-types.ts";
import { ObjectReader } from "./object-reader.ts";

type ReadApi = Pick<ObjectApi, "get">;

/**
 * Secrets of a namespace, read now; those that are not there are left out.
 * @returns by `namespace/name`
 * @throws FairleadError as the API does, `object-invalid` for a Secret that is none
 */
export async function readSecrets(
  api: ReadApi,
  namespace: string,
  names: Iterable<string | undefined>,
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, Secret>> {
  const reader = new ObjectReader<Secret>("Secret", secretKind);
  const wanted = [...new Set(names)].filter((name) => name !== undefined);
  const found = await Promise.all(
    wanted.map(async (name) => tryRead(api, "Secret", reader, { namespace, name }, signal)),
  );
  return new Map(found.flatMap((secret) => (secret === undefined ? [] : [[objectKey(secret.meta), secret]])));
}

/** A ServiceAccount, read now; undefined where there is none. @throws as {@link readSecrets} */
export async function tryReadServiceAccount(
  api: ReadApi,
  name: { readonly namespace: string; readonly name: string },
  signal?: AbortSignal,
): Promise<ServiceAccount | undefined> {
  const reader = new ObjectReader<ServiceAccount>("ServiceAccount", serviceAccountKind);
  return tryRead(api, "ServiceAccount", reader, name, signal);
}

/** The labels of a namespace, read now; undefined where there is none. @throws FairleadError as the API does */
export async function tryReadNamespaceLabels(
  api: ReadApi,
  name: string,
  signal?: AbortSignal,
): Promise<Readonly<Record<string, string>> | undefined> {
  const namespace = await unlessMissing(async () => api.get(resourceTypes.Namespace, { name }, { signal }));
  return namespace === undefined
    ? undefined
    : { ...namespace.metadata.labels, "kubernetes.io/metadata.name": name };
}

async function tryRead<Read extends KubernetesObject>(
  api: ReadApi,
  kind: "Secret" | "ServiceAccount",
  reader: ObjectReader<Read>,
  name: { readonly namespace: string; readonly name: string },
  signal: AbortSignal | undefined,
): Promise<Read | undefined> {
  const raw = await unlessMissing(async () => api.get(resourceTypes[kind], name, { signal }));
  if (raw === undefined) return undefined;
  const { object, problems } = reader.read({ ...raw, apiVersion: "v1", kind });
  if (object !== undefined) return object;
  const why = problems.map(({ message }) => message).join("; ");
  throw new FairleadError("object-invalid", `${kind} ${objectKey(name)}: ${why}`);
}

async function unlessMissing(get: () => Promise<ApiObject>): Promise<ApiObject | undefined> {
  try {
    return await get();
  } catch (error) {
    if (error instanceof FairleadError && error.code === "object-missing") return undefined;
    throw error;
  }
}
