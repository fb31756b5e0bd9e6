import { describe, expect, test } from "vitest";
import { jsonOf, sampleCommit, useNotificationServer } from "../../../test/support/notification-server.ts";

const server = useNotificationServer();

describe("githubdispatch", () => {
  test("starts workflows with the event", async () => {
    server.answer("POST /repos/org/repo/dispatches", { status: 204, body: "" });
    const [request] = await server.deliver("githubdispatch", {
      settings: { address: "https://github.com/org/repo", secret: { token: "ghp_token" } },
    });
    expect(request).toMatchObject({ origin: "https://api.github.com", path: "/repos/org/repo/dispatches" });
    expect(jsonOf(request)).toMatchObject({
      event_type: "Kustomization/podinfo.flux-system",
      client_payload: {
        involvedObject: { kind: "Kustomization" },
        severity: "info",
        timestamp: "2026-05-04T03:02:00Z",
        metadata: { revision: `main@sha1:${sampleCommit}` },
      },
    });
  });
});
