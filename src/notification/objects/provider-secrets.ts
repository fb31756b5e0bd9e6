import { objectKey } from "../../objects/object-meta.ts";
import type { Secret } from "../../objects/secret.ts";
import type { SecretReader } from "./notification-snapshot.ts";
import type { Provider } from "./provider.ts";

/** The Secrets that a Provider names and that are there, by `namespace/name`. @throws FairleadError as the reader does */
export async function readProviderSecrets(
  { meta: { namespace }, spec }: Provider,
  secrets: SecretReader,
): Promise<ReadonlyMap<string, Secret>> {
  const found = new Map<string, Secret>();
  for (const reference of [spec.secretRef, spec.certSecretRef, spec.proxySecretRef]) {
    if (reference === undefined) continue;
    const name = { namespace, name: reference.name };
    const secret = await secrets.get(name);
    if (secret !== undefined) found.set(objectKey(name), secret);
  }
  return found;
}
