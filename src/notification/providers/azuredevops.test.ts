import { describe, expect, test } from "vitest";
import {
  jsonOf,
  sampleCommit,
  sampleWorkload,
  useNotificationServer,
} from "../../../test/support/notification-server.ts";
import { failureFrom } from "../../../test/support/registry-case.ts";

const server = useNotificationServer();
const path = `/org/my%20project/_apis/git/repositories/repo/commits/${sampleCommit}/statuses`;
const settings = {
  address: "https://dev.azure.com/org/my%20project/_git/repo",
  secret: { token: "azure-token" },
};
const status = {
  context: { genre: "fluxcd:staging cluster", name: "kustomization/podinfo/0c9c2e41" },
  description: "reconciliation succeeded",
  state: "succeeded",
};

describe("azuredevops", () => {
  test.each([settings.address, "git@ssh.dev.azure.com:v3/org/my%20project/repo"])("%s", async (address) => {
    server.answer(`GET ${path}`, { body: { count: 0, value: [] } });
    const requests = await server.deliver("azuredevops", { settings: { ...settings, address } });
    expect(requests.map(({ method, path: seen }) => `${method} ${seen}`)).toEqual([
      `GET ${path}?api-version=7.1-preview.1`,
      `POST ${path}?api-version=7.1-preview.1`,
    ]);
    expect(requests[1]).toMatchObject({
      origin: "https://dev.azure.com",
      headers: { authorization: `Basic ${Buffer.from(":azure-token").toString("base64")}` },
    });
    expect(jsonOf(requests[1])).toEqual(status);
  });

  test("the identity of the workload, which is told to Azure alone", async () => {
    const context = { workload: sampleWorkload };
    const requests = await server.deliver("azuredevops", { settings: { ...settings, secret: {} }, context });
    const authorization = "Bearer azure-token-for-499b84ac-1321-427f-aa17-267ca6975798/.default";
    expect(requests).toMatchObject([{ headers: { authorization } }, { headers: { authorization } }]);
    const address = server.url("/org/my%20project/_git/repo");
    const elsewhere = server.deliver("azuredevops", { settings: { address, secret: {} }, context });
    expect((await failureFrom(elsewhere)).message).toContain("is no host of Azure DevOps");
    expect(server.seen).toHaveLength(2);
  });

  test("one that is there is not created again", async () => {
    server.answer(`GET ${path}`, { body: { count: 1, value: [status] } });
    expect(await server.deliver("azuredevops", { settings })).toHaveLength(1);
  });

  test("without a summary the genre is Flux's alone, and errors are errors", async () => {
    const metadata = { commit: sampleCommit };
    server.answer(`GET ${path}`, { body: { value: [] } });
    const [, created] = await server.deliver("azuredevops", {
      event: { severity: "error" },
      notification: { metadata },
      settings,
    });
    expect(jsonOf(created)).toMatchObject({ context: { genre: "fluxcd" }, state: "error" });
  });

  test("a page for people, which a wrong token leads to, is an error", async () => {
    server.answer(`GET ${path}`, { status: 203, body: "<html>Sign in</html>" });
    const failure = await failureFrom(server.deliver("azuredevops", { settings }));
    expect(failure).toMatchObject({ code: "delivery-failed", retryable: false });
  });
});
