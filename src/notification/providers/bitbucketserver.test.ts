import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { jsonOf, sampleCommit, useNotificationServer } from "../../../test/support/notification-server.ts";
import { failureFrom } from "../../../test/support/registry-case.ts";

const server = useNotificationServer();
const path = `/git/rest/api/latest/projects/PROJ/repos/repo/commits/${sampleCommit}/builds`;
const key = createHash("sha1").update("kustomization/podinfo/0c9c2e41").digest("hex");

describe("bitbucketserver", () => {
  test.each([
    ["a token", { token: "bb-token" }, "Bearer bb-token"],
    ["a login", { username: "me", password: "pass" }, `Basic ${Buffer.from("me:pass").toString("base64")}`],
  ])("looks, then sets the build, by %s", async (_name, secret, authorization) => {
    server.answer(`GET ${path}`, { status: 404 });
    const address = server.url("/git/scm/PROJ/repo.git");
    const requests = await server.deliver("bitbucketserver", { settings: { address, secret } });
    expect(requests.map(({ method, path: seen }) => `${method} ${seen}`)).toEqual([
      `GET ${path}?key=${key}`,
      `POST ${path}`,
    ]);
    expect(requests[1]?.headers).toMatchObject({
      authorization,
      "x-atlassian-token": "no-check",
      "x-requested-with": "XMLHttpRequest",
    });
    const json = {
      description: "reconciliation succeeded",
      key,
      name: "kustomization/podinfo [reconciliation succeeded]",
      state: "SUCCESSFUL",
      url: address,
    };
    expect(jsonOf(requests[1])).toEqual(json);
    server.answer(`GET ${path}`, { body: json });
    expect(await server.deliver("bitbucketserver", { settings: { address, secret } })).toHaveLength(3);
  });

  test.each(["/git/PROJ/repo.git", "/scm/PROJ", "/scm/a/b/c"])("%s is refused", async (address) => {
    const settings = { address: server.url(address), secret: { token: "bb-token" } };
    const failure = await failureFrom(server.deliver("bitbucketserver", { settings }));
    expect(failure).toMatchObject({ code: "delivery-failed", retryable: false });
  });
});
