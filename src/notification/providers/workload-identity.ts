import { FairleadError } from "../../core/error.ts";
import type { PlatformTokens, TokenUse } from "../../registry/cloud/platform-tokens.ts";
import type { WorkloadIdentity } from "./provider.ts";

/**
 * The identity of this process, or of the ServiceAccount that a Provider names, for its deliveries. What a cloud
 * refuses today it may give tomorrow: each failure is worth another attempt.
 */
export function createWorkloadIdentity(tokens: PlatformTokens, use: TokenUse): WorkloadIdentity {
  return {
    azureToken: (scope) => retryable(tokens.azureToken(scope, use)),
    gcpToken: () => retryable(tokens.gcpToken(use)),
  };
}

async function retryable(token: Promise<string>): Promise<string> {
  try {
    return await token;
  } catch (error) {
    if (!(error instanceof FairleadError)) throw error;
    throw new FairleadError("delivery-failed", error.message, { hint: error.hint, retryable: true });
  }
}
