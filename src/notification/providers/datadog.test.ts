import { describe, expect, test } from "vitest";
import { jsonOf, useNotificationServer } from "../../../test/support/notification-server.ts";

const server = useNotificationServer();

describe("datadog", () => {
  test("an event with tags in lower case", async () => {
    const [request] = await server.deliver("datadog", {
      event: { severity: "error", message: "Timeout" },
      settings: { address: server.url("/ignored"), secret: { token: "api-key" } },
    });
    expect(request).toMatchObject({ path: "/api/v1/events", headers: { "dd-api-key": "api-key" } });
    expect(jsonOf(request)).toEqual({
      alert_type: "error",
      date_happened: 1_777_863_720,
      source_type_name: "fluxcd",
      tags: [
        "flux_reporting_controller:kustomize-controller",
        "flux_reason:reconciliationsucceeded",
        "kube_kind:kustomization",
        "kube_name:podinfo",
        "kube_namespace:flux-system",
        "revision:main@sha1:5394cb7f48332b2de7c17dd8b8384bbc84b7e738",
        "summary:staging cluster",
      ],
      text: "Timeout",
      title: "Events from the Kustomization podinfo/flux-system",
    });
  });
});
