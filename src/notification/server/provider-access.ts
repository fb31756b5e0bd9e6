import { FairleadError } from "../../core/error.ts";
import { objectKey } from "../../objects/object-meta.ts";
import type { Secret } from "../../objects/secret.ts";
import type { RegistryAccess } from "../../registry/registry-api.ts";
import type { Provider } from "../objects/provider.ts";

/** How a provider's destination is reached. */
export type ProviderAccess = Pick<RegistryAccess, "ca" | "clientCertificate" | "proxy">;

/**
 * The certificates and the proxy that a Provider's Secrets name.
 * @param secrets by `namespace/name`
 * @throws FairleadError `object-missing`, `object-invalid`
 */
export function providerAccess(provider: Provider, secrets: ReadonlyMap<string, Secret>): ProviderAccess {
  const { certSecretRef, proxySecretRef, proxy } = provider.spec;
  const textsOf = (name: string): Readonly<Record<string, string>> => readTexts(provider, name, secrets);
  return {
    ...(certSecretRef === undefined ? {} : certificatesOf(textsOf(certSecretRef.name))),
    ...(proxySecretRef === undefined
      ? proxy !== undefined && { proxy: { address: proxy } }
      : { proxy: proxyOf(textsOf(proxySecretRef.name)) }),
  };
}

function certificatesOf(secret: Readonly<Record<string, string>>): ProviderAccess {
  const ca = secret["ca.crt"] ?? secret["caFile"];
  const cert = secret["tls.crt"] ?? secret["certFile"];
  const key = secret["tls.key"] ?? secret["keyFile"];
  if (ca === undefined && cert === undefined) {
    throw new FairleadError("object-invalid", "the Secret of certSecretRef has neither ca.crt nor tls.crt");
  }
  if ((cert === undefined) !== (key === undefined)) {
    throw new FairleadError("object-invalid", "the Secret of certSecretRef has one of tls.crt and tls.key");
  }
  return {
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined || key === undefined ? {} : { clientCertificate: { cert, key } }),
  };
}

function proxyOf(secret: Readonly<Record<string, string>>): NonNullable<ProviderAccess["proxy"]> {
  const { address, username, password } = secret;
  if (address === undefined) {
    throw new FairleadError("object-invalid", "the Secret of proxySecretRef has no address");
  }
  return {
    address: address.trim(),
    ...(username === undefined ? {} : { username: username.trim() }),
    ...(password === undefined ? {} : { password: password.trim() }),
  };
}

function readTexts(
  { meta }: Provider,
  name: string,
  secrets: ReadonlyMap<string, Secret>,
): Readonly<Record<string, string>> {
  const key = objectKey({ namespace: meta.namespace, name });
  const secret = secrets.get(key);
  if (secret === undefined) throw new FairleadError("object-missing", `there is no Secret ${key}`);
  const decoder = new TextDecoder();
  return Object.fromEntries(
    Object.entries(secret.data).map(([field, bytes]) => [field, decoder.decode(bytes)]),
  );
}
