import { expect, test } from "vitest";
import { failureFrom } from "../../../test/support/registry-case.ts";
import { createPlatformTokens } from "../../registry/cloud/platform-tokens.ts";
import { createWorkloadIdentity } from "./workload-identity.ts";

test("a refusal is worth another attempt", async () => {
  const tokens = createPlatformTokens({ environment: { AZURE_FEDERATED_TOKEN_FILE: "/nowhere" } });
  const failure = await failureFrom(createWorkloadIdentity(tokens, async () => ({})).azureToken("scope"));
  expect(failure).toMatchObject({
    code: "delivery-failed",
    message: "AZURE_TENANT_ID is missing",
    retryable: true,
  });
});
