import { describe, expect, test } from "vitest";
import { jsonOf, sampleCommit, useNotificationServer } from "../../../test/support/notification-server.ts";
import { failureFrom } from "../../../test/support/registry-case.ts";

const server = useNotificationServer();
const project = "/api/v4/projects/group%2Fsub%2Fre%2Epo";
const list = `${project}/repository/commits/${sampleCommit}/statuses`;

function settings(): { readonly address: string; readonly secret: Readonly<Record<string, string>> } {
  return { address: server.url("/group/sub/re.po.git"), secret: { token: "glpat" } };
}

describe("gitlab", () => {
  test("lists by name, then creates", async () => {
    server.answer(`GET ${list}`, { body: [] });
    const requests = await server.deliver("gitlab", { event: { severity: "error" }, settings: settings() });
    expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      `GET ${list}?name=kustomization%2Fpodinfo%2F0c9c2e41`,
      `POST ${project}/statuses/${sampleCommit}`,
    ]);
    expect(requests[1]?.headers["private-token"]).toBe("glpat");
    expect(jsonOf(requests[1])).toEqual({
      state: "failed",
      name: "kustomization/podinfo/0c9c2e41",
      description: "reconciliation succeeded",
    });
  });

  test("one that is there is not created again", async () => {
    server.answer(`GET ${list}`, {
      body: [
        {
          sha: sampleCommit,
          status: "success",
          name: "kustomization/podinfo/0c9c2e41",
          description: "reconciliation succeeded",
        },
      ],
    });
    expect(await server.deliver("gitlab", { settings: settings() })).toHaveLength(1);
  });

  test("the password takes the place of a token", async () => {
    server.answer(`GET ${list}`, { body: [] });
    const secret = { username: "git", password: "glpat-2" };
    const [request] = await server.deliver("gitlab", { settings: { ...settings(), secret } });
    expect(request?.headers["private-token"]).toBe("glpat-2");
  });

  test("wants a token", async () => {
    const failure = await failureFrom(server.deliver("gitlab", { settings: { ...settings(), secret: {} } }));
    expect(failure.message).toContain("no token");
  });
});
