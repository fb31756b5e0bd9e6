import { describe, expect, test } from "vitest";
import { jsonOf, sampleCommit, useNotificationServer } from "../../../test/support/notification-server.ts";
import { failureFrom } from "../../../test/support/registry-case.ts";

const server = useNotificationServer();
const statuses = `/api/v3/repos/org/repo/commits/${sampleCommit}/statuses`;
const status = {
  state: "success",
  description: "reconciliation succeeded",
  context: "kustomization/podinfo/0c9c2e41",
};

function settings(): { readonly address: string; readonly secret: Readonly<Record<string, string>> } {
  return { address: server.url("/org/repo.git"), secret: { token: "ghp_token" } };
}

describe("github", () => {
  test("lists, then creates", async () => {
    server.answer(`GET ${statuses}`, { body: [] });
    const requests = await server.deliver("github", { settings: settings() });
    expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      `GET ${statuses}?per_page=50`,
      `POST /api/v3/repos/org/repo/statuses/${sampleCommit}`,
    ]);
    expect(requests[1]?.headers).toEqual({
      accept: "application/vnd.github+json",
      authorization: "Bearer ghp_token",
      "content-type": "application/json",
      "x-github-api-version": "2022-11-28",
    });
    expect(jsonOf(requests[1])).toEqual(status);
  });

  test.each([
    ["the newest is the same", [status], 1],
    ["the newest is another", [{ ...status, state: "failure" }, status], 2],
    ["another context is the same", [{ ...status, context: "other" }], 2],
    ["one without description stands before", [{ ...status, description: null }, status], 1],
  ])("when %s", async (_name, body, count) => {
    server.answer(`GET ${statuses}`, { body });
    expect(await server.deliver("github", { settings: settings() })).toHaveLength(count);
  });

  test("a list of more than 64 KiB is read whole", async () => {
    const other = { ...status, context: "other", avatar_url: "x".repeat(4_000) };
    server.answer(`GET ${statuses}`, { body: [...Array.from({ length: 49 }, () => other), status] });
    expect(await server.deliver("github", { settings: settings() })).toHaveLength(1);
  });

  test.each([
    "git@github.com:org/repo.git",
    "https://github.com/org/repo",
    "ssh://git@github.com:22/org/repo.git",
  ])("%s is github.com", async (address) => {
    server.answer(`GET /repos/org/repo/commits/${sampleCommit}/statuses`, { body: [] });
    const [list] = await server.deliver("github", { settings: { ...settings(), address } });
    expect(list?.origin).toBe("https://api.github.com");
  });

  test("an error fails, under the name that an expression gave", async () => {
    server.answer(`GET ${statuses}`, { body: [] });
    const [, created] = await server.deliver("github", {
      event: { severity: "error", reason: "HealthCheckFailed" },
      settings: { ...settings(), commitStatus: "prod/Podinfo" },
    });
    expect(jsonOf(created)).toEqual({
      state: "failure",
      description: "health check failed",
      context: "prod/Podinfo",
    });
  });

  test("what goes on is no status", async () => {
    const sample = { event: { reason: "Progressing" }, settings: settings() };
    expect(await server.deliver("github", sample)).toEqual([]);
  });

  const [commit, origin, revision] = ["a".repeat(40), "b".repeat(40), "c".repeat(40)];
  test.each<[string, Readonly<Record<string, string>>, string]>([
    ["the commit", { commit, originRevision: origin, revision }, commit],
    [
      "the origin's",
      { originRevision: `main@sha1:${origin}`, revision: `1@sha256:${"d".repeat(64)}` },
      origin,
    ],
    ["the revision's", { revision: `main/${revision}` }, revision],
    ["one of SHA-256", { revision: `main@sha256:${"e".repeat(64)}` }, "e".repeat(64)],
  ])("the SHA is %s", async (_name, metadata, sha) => {
    server.answer(`GET /api/v3/repos/org/repo/commits/${sha}/statuses`, { body: [] });
    const requests = await server.deliver("github", { notification: { metadata }, settings: settings() });
    expect(requests.at(-1)?.path).toBe(`/api/v3/repos/org/repo/statuses/${sha}`);
  });

  test.each<[string, Readonly<Record<string, string>>]>([
    ["no revision", {}],
    ["a version", { revision: "6.5.0" }],
    ["a path", { revision: `main@sha1:${"../".repeat(13)}a` }],
  ])("%s is no commit", async (_name, metadata) => {
    const failure = await failureFrom(
      server.deliver("github", { notification: { metadata }, settings: settings() }),
    );
    expect(failure).toMatchObject({ code: "delivery-failed", retryable: false });
    expect(server.seen).toEqual([]);
  });

  test("GitHub's limits are waited for", async () => {
    const reset = String(1_777_863_721 + 90);
    server.answer(`GET ${statuses}`, {
      status: 403,
      headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset": reset },
    });
    const failure = await failureFrom(server.deliver("github", { settings: settings() }));
    expect(failure).toMatchObject({ retryable: true, retryAfterMs: 90_000 });
  });
});
