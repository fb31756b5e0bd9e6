import { describe, expect, test } from "vitest";
import { jsonOf, useNotificationServer } from "../../../test/support/notification-server.ts";

const server = useNotificationServer();

describe("alertmanager", () => {
  test("an alert that fires, labelled by the metadata", async () => {
    const [request] = await server.deliver("alertmanager", {
      event: { severity: "error", reason: "HealthCheckFailed", message: "timeout" },
      settings: { address: server.url("/api/v2/alerts"), secret: { token: "token-1" } },
    });
    expect(request?.headers["authorization"]).toBe("Bearer token-1");
    expect(jsonOf(request)).toEqual([
      {
        status: "firing",
        labels: {
          alertname: "FluxKustomizationHealthcheckfailed",
          kind: "Kustomization",
          name: "podinfo",
          namespace: "flux-system",
          reason: "HealthCheckFailed",
          reportingcontroller: "kustomize-controller",
          revision: "main@sha1:5394cb7f48332b2de7c17dd8b8384bbc84b7e738",
          severity: "error",
        },
        annotations: { message: "timeout", summary: "staging cluster" },
        startsAt: "2026-05-04T03:02:00Z",
        endsAt: "0001-01-01T00:00:00Z",
      },
    ]);
  });

  test("metadata cannot take the place of what the event is about", async () => {
    const metadata = { severity: "none", alertname: "Watchdog" };
    const settings = { address: server.url("/api/v2/alerts"), secret: { username: "me", password: "pass" } };
    const [request] = await server.deliver("alertmanager", { notification: { metadata }, settings });
    expect(request?.headers["authorization"]).toMatch(/^Basic /u);
    expect(jsonOf(request)).toMatchObject([
      { labels: { severity: "info", alertname: "FluxKustomizationReconciliationsucceeded" } },
    ]);
  });
});
