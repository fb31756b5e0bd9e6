import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { jsonOf, sampleCommit, useNotificationServer } from "../../../test/support/notification-server.ts";
import { failureFrom } from "../../../test/support/registry-case.ts";

const server = useNotificationServer();
const path = `/2.0/repositories/org/repo/commit/${sampleCommit}/statuses/build`;
const key = createHash("sha1").update("kustomization/podinfo/0c9c2e41").digest("hex");
const settings = { address: "https://bitbucket.org/org/repo", secret: { token: "me:pass" } };
const status = {
  key,
  url: "https://bitbucket.org",
  state: "SUCCESSFUL",
  name: "kustomization/podinfo",
  description: "reconciliation succeeded",
};

describe("bitbucket", () => {
  test("looks for the key, then creates", async () => {
    server.answer(`GET ${path}/${key}`, { status: 404, body: { error: { message: "Not found" } } });
    const requests = await server.deliver("bitbucket", { settings });
    expect(requests.map(({ method, path: seen }) => `${method} ${seen}`)).toEqual([
      `GET ${path}/${key}`,
      `POST ${path}`,
    ]);
    expect(requests[1]?.origin).toBe("https://api.bitbucket.org");
    expect(requests[1]?.headers["authorization"]).toBe(`Basic ${Buffer.from("me:pass").toString("base64")}`);
    expect(jsonOf(requests[1])).toEqual(status);
  });

  test("one that is there is not created again", async () => {
    server.answer(`GET ${path}/${key}`, { body: status });
    expect(await server.deliver("bitbucket", { settings })).toHaveLength(1);
  });

  test("another state is created", async () => {
    server.answer(`GET ${path}/${key}`, { body: status });
    const [, created] = await server.deliver("bitbucket", { event: { severity: "error" }, settings });
    expect(jsonOf(created)).toEqual({ ...status, state: "FAILED" });
  });

  test.each(["token", ":token", ""])("the token %j is refused", async (token) => {
    const failure = await failureFrom(
      server.deliver("bitbucket", { settings: { ...settings, secret: { token } } }),
    );
    expect(failure).toMatchObject({ code: "delivery-failed", retryable: false });
  });
});
