import { describe, expect, test } from "vitest";
import { jsonOf, sampleCommit, useNotificationServer } from "../../../test/support/notification-server.ts";

const server = useNotificationServer();
const list = `/api/v1/repos/org/repo/commits/${sampleCommit}/statuses`;

describe("gitea", () => {
  test.each([
    [{ severity: "info" as const }, "success", "reconciliation succeeded"],
    [{ severity: "error" as const }, "failure", "reconciliation succeeded"],
    [{ reason: "Progressing" }, "pending", "progressing"],
  ])("%j is %s", async (event, state, description) => {
    server.answer(`GET ${list}`, { body: [] });
    const settings = { address: server.url("/org/repo"), secret: { token: "token-1" } };
    const requests = await server.deliver("gitea", { event, settings });
    expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      `GET ${list}?page=1&limit=50`,
      `POST /api/v1/repos/org/repo/statuses/${sampleCommit}`,
    ]);
    expect(requests[1]?.headers["authorization"]).toBe("token token-1");
    expect(jsonOf(requests[1])).toEqual({
      state,
      target_url: "",
      description,
      context: "kustomization/podinfo/0c9c2e41",
    });
  });

  test("one that is there is not created again", async () => {
    const status = {
      status: "success",
      description: "reconciliation succeeded",
      context: "kustomization/podinfo/0c9c2e41",
    };
    server.answer(`GET ${list}`, { body: [status] });
    const settings = { address: server.url("/org/repo"), secret: { token: "token-1" } };
    expect(await server.deliver("gitea", { settings })).toHaveLength(1);
  });
});
