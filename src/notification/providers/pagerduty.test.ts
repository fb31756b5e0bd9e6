import { describe, expect, test } from "vitest";
import { jsonOf, useNotificationServer } from "../../../test/support/notification-server.ts";

const server = useNotificationServer();
const metadata = {
  revision: "main@sha1:5394cb7f48332b2de7c17dd8b8384bbc84b7e738",
  summary: "staging cluster",
};

describe("pagerduty", () => {
  test("an error triggers the incident of its object", async () => {
    const requests = await server.deliver("pagerduty", {
      event: { severity: "error", reason: "HealthCheckFailed", message: "timeout" },
      settings: { address: server.url("/ignored"), channel: "routing-key" },
    });
    expect(requests.map(({ path }) => path)).toEqual(["/v2/enqueue"]);
    expect(jsonOf(requests[0])).toEqual({
      routing_key: "routing-key",
      event_action: "trigger",
      dedup_key: "7d0cdc51-ddcf-4743-b223-83ca5c699632",
      payload: {
        summary: "health check failed: kustomization/podinfo",
        source: "Flux kustomize-controller",
        severity: "error",
        timestamp: "2026-05-04T03:02:00Z",
        component: "podinfo",
        group: "Kustomization",
        custom_details: { message: "timeout", metadata },
      },
    });
  });

  test("information resolves it, and is a change", async () => {
    const requests = await server.deliver("pagerduty", {
      event: { message: "applied" },
      settings: { address: server.url(""), channel: "routing-key" },
    });
    expect(requests.map(({ path }) => path)).toEqual(["/v2/enqueue", "/v2/change/enqueue"]);
    expect(requests.map(jsonOf)).toEqual([
      {
        routing_key: "routing-key",
        event_action: "resolve",
        dedup_key: "7d0cdc51-ddcf-4743-b223-83ca5c699632",
      },
      {
        routing_key: "routing-key",
        payload: {
          summary: "reconciliation succeeded: kustomization/podinfo",
          source: "Flux kustomize-controller",
          timestamp: "2026-05-04T03:02:00Z",
          custom_details: { message: "applied", metadata },
        },
      },
    ]);
  });

  test("what goes on is no news", async () => {
    const settings = { address: server.url(""), channel: "routing-key" };
    expect(await server.deliver("pagerduty", { event: { reason: "Progressing" }, settings })).toEqual([]);
  });
});
