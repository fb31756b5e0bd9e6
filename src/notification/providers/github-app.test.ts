import { generateKeyPairSync } from "node:crypto";
import { jwtVerify } from "jose";
import { describe, expect, test } from "vitest";
import {
  sampleCommit,
  sampleNowMs,
  useNotificationServer,
} from "../../../test/support/notification-server.ts";
import { failureFrom } from "../../../test/support/registry-case.ts";
import { createTokenCache } from "./token-cache.ts";

const server = useNotificationServer();
const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const app = {
  githubAppID: "17",
  githubAppInstallationOwner: "Org",
  githubAppPrivateKey: privateKey.export({ type: "pkcs1", format: "pem" }).toString(),
};
const repository = "/api/v3/repos/org/repo";

describe("a GitHub App", () => {
  test("gets a token for its installation, once", async () => {
    server.answer("GET /api/v3/app/installations", {
      body: [
        { id: 3, account: { login: "other" } },
        { id: 4, account: { login: "org" } },
      ],
    });
    server.answer("POST /api/v3/app/installations/4/access_tokens", {
      status: 201,
      body: { token: "ghs_installation", expires_at: "2026-05-04T04:02:01Z" },
    });
    server.answer(`GET ${repository}/commits/${sampleCommit}/statuses`, { body: [] });
    const sample = {
      settings: { address: server.url("/org/repo"), secret: app },
      context: { tokens: createTokenCache(() => sampleNowMs) },
    };
    await server.deliver("github", sample);
    const requests = await server.deliver("github", sample);
    const status = [
      `GET ${repository}/commits/${sampleCommit}/statuses?per_page=50`,
      `POST ${repository}/statuses/${sampleCommit}`,
    ];
    expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "GET /api/v3/app/installations?per_page=100&page=1",
      "POST /api/v3/app/installations/4/access_tokens",
      ...status,
      ...status,
    ]);
    expect(requests.slice(2).map(({ headers }) => headers["authorization"])).toEqual(
      Array<string>(4).fill("Bearer ghs_installation"),
    );
    const proof = (requests[0]?.headers["authorization"] ?? "").replace("Bearer ", "");
    const { payload } = await jwtVerify(proof, publicKey, { currentDate: new Date(sampleNowMs) });
    expect(payload).toEqual({ iss: "17", iat: 1_777_863_691, exp: 1_777_863_811 });
  });

  test("writes comments as its bot", async () => {
    server.answer("POST /api/v3/app/installations/4/access_tokens", {
      body: { token: "ghs_installation", expires_at: "2026-05-04T04:02:01Z" },
    });
    server.answer("GET /api/v3/app", { body: { slug: "our-app" } });
    const marker = "<!-- flux-pr-comment-key:uid-1/Kustomization/flux-system/podinfo -->";
    const comments = [
      { id: 1, user: { login: "our-app" }, body: marker },
      { id: 2, user: { login: "our-app[bot]" }, body: marker },
    ];
    server.answer(`GET ${repository}/issues/5/comments`, { body: comments });
    const { githubAppInstallationOwner: _owner, ...rest } = app;
    const secret = { ...rest, githubAppInstallationID: "4", githubAppBaseURL: server.url("/api/v3/") };
    const requests = await server.deliver("githubpullrequestcomment", {
      notification: { metadata: { change_request: "5" } },
      settings: { address: server.url("/org/repo"), uid: "uid-1", secret },
    });
    expect(requests.at(-1)).toMatchObject({ method: "PATCH", path: `${repository}/issues/comments/2` });
  });

  test.each<[string, Readonly<Record<string, string>>, string]>([
    ["no credentials", {}, "neither a token nor a GitHub App"],
    ["two installations", { ...app, githubAppInstallationID: "4" }, "one of"],
    ["a path", { ...app, githubAppInstallationOwner: "", githubAppInstallationID: "4/.." }, "no number"],
    ["no key", { ...app, githubAppPrivateKey: "secret-text" }, "cannot be used"],
  ])("%s is refused", async (_name, secret, message) => {
    const failure = await failureFrom(
      server.deliver("github", { settings: { address: server.url("/org/repo"), secret } }),
    );
    expect(failure).toMatchObject({ code: "delivery-failed", retryable: false });
    expect(failure.message).toContain(message);
    expect(failure.message).not.toContain("secret-text");
  });
});
