import { describe, expect, test } from "vitest";
import { jsonOf, useNotificationServer } from "../../../test/support/notification-server.ts";

const server = useNotificationServer();

describe("grafana", () => {
  test.each([
    ["a token", { token: "glsa_1" }, "Bearer glsa_1"],
    ["a login", { username: "me", password: "pass" }, `Basic ${Buffer.from("me:pass").toString("base64")}`],
    ["a token before a login", { token: "glsa_1", username: "me", password: "pass" }, "Bearer glsa_1"],
  ])("an annotation by %s", async (_name, secret, authorization) => {
    const settings = { address: server.url("/api/annotations/graphite"), secret };
    const [request] = await server.deliver("grafana", { settings });
    expect(request?.headers["authorization"]).toBe(authorization);
    expect(jsonOf(request)).toEqual({
      when: 1_777_863_720,
      text: "kustomization/podinfo.flux-system",
      tags: [
        "flux",
        "kustomize-controller",
        "revision: main@sha1|5394cb7f48332b2de7c17dd8b8384bbc84b7e738",
        "summary: staging cluster",
        "kind: Kustomization",
        "name: podinfo",
        "namespace: flux-system",
      ],
    });
  });
});
