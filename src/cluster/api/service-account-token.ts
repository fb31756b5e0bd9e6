import { FairleadError } from "../../core/error.ts";
import type { ServiceAccountToken } from "../../registry/cloud/cloud-account.ts";
import type { ApiClient } from "./api-client.ts";
import type { ApiObject } from "./api-object.ts";
import { resourceTypes } from "./resource-types.ts";

interface TokenRequest extends ApiObject {
  readonly status?: { readonly token?: string };
}

/** The least that the API server takes. */
const expirationSeconds = 600;

/**
 * Tokens of ServiceAccounts by the TokenRequest API, for ten minutes each. It takes the verb `create` on
 * `serviceaccounts/token`. Each throws a FairleadError: `aborted`, or `credentials-invalid`, which another attempt may
 * not have, as rights may be given at any time.
 */
export function createServiceAccountTokens(
  client: Pick<ApiClient, "createSubresource">,
): ServiceAccountToken {
  return async (namespace, name, audiences) => {
    const request = {
      apiVersion: "authentication.k8s.io/v1",
      kind: "TokenRequest",
      spec: { audiences, expirationSeconds },
    };
    let why = "the answer has none";
    try {
      const { status } = await client.createSubresource<TokenRequest>(
        resourceTypes.ServiceAccount,
        { namespace, name },
        "token",
        request,
      );
      if (typeof status?.token === "string" && status.token !== "") return status.token;
    } catch (cause) {
      if (!(cause instanceof FairleadError) || cause.code === "aborted") throw cause;
      why = cause.message;
    }
    const message = `there is no token of the ServiceAccount ${namespace}/${name}: ${why}`;
    throw new FairleadError("credentials-invalid", message, { retryable: true });
  };
}
