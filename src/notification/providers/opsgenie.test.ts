import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { jsonOf, useNotificationServer } from "../../../test/support/notification-server.ts";
import { failureFrom } from "../../../test/support/registry-case.ts";

const server = useNotificationServer();

describe("opsgenie", () => {
  test("an alert under the alias of its object and reason", async () => {
    const [request] = await server.deliver("opsgenie", {
      event: { severity: "error", message: "timeout" },
      settings: { address: server.url("/v2/alerts"), secret: { token: "genie" } },
    });
    const key =
      "7d0cdc51-ddcf-4743-b223-83ca5c699632/Kustomization/flux-system/podinfo/ReconciliationSucceeded";
    expect(request?.headers["authorization"]).toBe("GenieKey genie");
    expect(jsonOf(request)).toEqual({
      message: "Kustomization/podinfo",
      alias: createHash("sha256").update(key).digest("hex"),
      description: "timeout",
      details: {
        revision: "main@sha1:5394cb7f48332b2de7c17dd8b8384bbc84b7e738",
        summary: "staging cluster",
        severity: "error",
      },
    });
  });

  test("wants a token", async () => {
    const failure = await failureFrom(server.deliver("opsgenie", { settings: { address: server.url("/") } }));
    expect(failure.message).toContain("no token");
  });
});
