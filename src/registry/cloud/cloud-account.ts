import { FairleadError } from "../../core/error.ts";
import type { CloudAccount } from "./cloud-session.ts";

/** Gives a token of a ServiceAccount for these audiences, by the cluster's TokenRequest. @throws FairleadError */
export type ServiceAccountToken = (
  namespace: string,
  name: string,
  audiences: readonly string[],
) => Promise<string>;

/**
 * A ServiceAccount as clouds know it.
 * @param serviceAccountToken undefined: there is no cluster
 * @throws FairleadError `config-invalid` without a cluster
 */
export function cloudAccount(
  { namespace, name, annotations }: Omit<CloudAccount, "token">,
  serviceAccountToken: ServiceAccountToken | undefined,
): CloudAccount {
  if (serviceAccountToken !== undefined) {
    return {
      namespace,
      name,
      annotations,
      token: (audiences) => serviceAccountToken(namespace, name, audiences),
    };
  }
  throw new FairleadError(
    "config-invalid",
    `tokens of the ServiceAccount ${namespace}/${name} are to be had in a cluster alone`,
    { hint: "leave spec.serviceAccountName out, and the identity of this process is used" },
  );
}
