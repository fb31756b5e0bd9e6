import { FairleadError } from "../../core/error.ts";
import type { PlatformTokens, TokenUse } from "../../registry/cloud/platform-tokens.ts";
import type { WorkloadIdentity } from "./provider.ts";

/**
 * The identity of this process, or of the ServiceAccount that a Provider names, for its deliveries. What a cloud
 * refuses today it may give tomorrow: each failure is worth another attempt.
 * @param use found when a token is asked for
 */
export function createWorkloadIdentity(
  tokens: PlatformTokens,
  use: () => Promise<TokenUse>,
): WorkloadIdentity {
  return {
    azureToken: (scope) => retryable(async () => tokens.azureToken(scope, await use())),
    gcpToken: () => retryable(async () => tokens.gcpToken(await use())),
  };
}

async function retryable(ask: () => Promise<string>): Promise<string> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof FairleadError)) throw error;
    throw new FairleadError("delivery-failed", error.message, { hint: error.hint, retryable: true });
  }
}
