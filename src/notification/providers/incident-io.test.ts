import { describe, expect, test } from "vitest";
import { jsonOf, useNotificationServer } from "../../../test/support/notification-server.ts";

const server = useNotificationServer();
const settings = {
  address: "https://api.incident.io/v2/alert_events/http/01ABC",
  secret: { token: "token-1" },
};

describe("incident.io", () => {
  test.each([
    ["error", "firing"],
    ["info", "resolved"],
  ] as const)("%s is %s", async (severity, status) => {
    const [request] = await server.deliver("incident.io", { event: { severity, message: "text" }, settings });
    expect(request).toMatchObject({
      origin: "https://api.incident.io",
      path: "/v2/alert_events/http/01ABC",
      headers: { authorization: "Bearer token-1" },
    });
    expect(jsonOf(request)).toEqual({
      title: "kustomization/podinfo.flux-system: ReconciliationSucceeded",
      status,
      deduplication_key: "7d0cdc51-ddcf-4743-b223-83ca5c699632",
      description: "text",
      metadata: {
        revision: "main@sha1:5394cb7f48332b2de7c17dd8b8384bbc84b7e738",
        summary: "staging cluster",
        severity,
        reason: "ReconciliationSucceeded",
        reportingController: "kustomize-controller",
      },
    });
  });

  test("what goes on is no news", async () => {
    expect(await server.deliver("incident.io", { event: { reason: "Progressing" }, settings })).toEqual([]);
  });
});
