import { describe, expect, test } from "vitest";
import {
  jsonOf,
  sampleCommit,
  sampleNotification,
  sampleSettings,
  useNotificationServer,
} from "../../../test/support/notification-server.ts";
import { failureFrom } from "../../../test/support/registry-case.ts";
import { commentOf } from "./change-request-comment.ts";
import type { ProviderType } from "./provider.ts";

const server = useNotificationServer();
const key = "0c9c2e41-d2f9-4f9b-9c41-bebc1984d67a/Kustomization/flux-system/podinfo";
const metadata = { change_request: "42", revision: `main@sha1:${sampleCommit}` };

interface Host {
  readonly type: ProviderType;
  readonly user: string;
  readonly list: string;
  readonly one: string;
  readonly update: "PATCH" | "PUT";
  readonly author: (login: string) => object;
  readonly marker: string;
}

const hosts: readonly Host[] = [
  {
    type: "githubpullrequestcomment",
    user: "/api/v3/user",
    list: "/api/v3/repos/org/repo/issues/42/comments",
    one: "/api/v3/repos/org/repo/issues/comments/",
    update: "PATCH",
    author: (login) => ({ user: { login } }),
    marker: `<!-- flux-pr-comment-key:${key} -->`,
  },
  {
    type: "giteapullrequestcomment",
    user: "/api/v1/user",
    list: "/api/v1/repos/org/repo/issues/42/comments",
    one: "/api/v1/repos/org/repo/issues/comments/",
    update: "PATCH",
    author: (login) => ({ user: { login } }),
    marker: `<!-- flux-pr-comment-key:${key} -->`,
  },
  {
    type: "gitlabmergerequestcomment",
    user: "/api/v4/user",
    list: "/api/v4/projects/org%2Frepo/merge_requests/42/notes",
    one: "/api/v4/projects/org%2Frepo/merge_requests/42/notes/",
    update: "PUT",
    author: (username) => ({ author: { username } }),
    marker: `<!-- flux-mr-comment-key:${key} -->`,
  },
];

describe.each(hosts)("$type", ({ type, user, list, one, update, author, marker }) => {
  const comment = (id: number, login: string, body: string): object => ({ id, body, ...author(login) });
  const others = (from: number): readonly object[] =>
    Array.from({ length: 100 }, (_, index) => comment(from + index, "someone", "text ".repeat(500)));
  const deliver = async (): ReturnType<typeof server.deliver> => {
    server.answer(`GET ${user}`, { body: { login: "bot", username: "bot" } });
    const settings = { address: server.url("/org/repo"), secret: { token: "token-1" } };
    return server.deliver(type, { notification: { metadata }, settings });
  };

  test("writes a comment where there is none", async () => {
    server.answer(`GET ${list}`, { body: [comment(1, "someone", marker), comment(2, "bot", "other")] });
    const requests = await deliver();
    expect(requests.map(({ method, path }) => `${method} ${path.split("?", 1)[0] ?? ""}`)).toEqual([
      `GET ${user}`,
      `GET ${list}`,
      `POST ${list}`,
    ]);
    expect(jsonOf(requests[2])).toEqual({
      body: [
        marker,
        "",
        "## Flux Status",
        "",
        "ℹ️ Kustomization/flux-system/podinfo",
        "",
        "Deployment/default/podinfo configured",
        "Service/default/podinfo created",
        "",
        "Metadata:",
        `* \`revision\`: main@sha1:${sampleCommit}`,
        "",
      ].join("\n"),
    });
  });

  test("changes its own, on the third page", async () => {
    server.answer(
      `GET ${list}`,
      { body: others(1_000) },
      { body: others(2_000) },
      { body: [comment(7, "bot", `${marker}\n\nold`)] },
    );
    const requests = await deliver();
    expect(requests.slice(1).map(({ method, path }) => `${method} ${path.split("?", 1)[0] ?? ""}`)).toEqual([
      `GET ${list}`,
      `GET ${list}`,
      `GET ${list}`,
      `${update} ${one}7`,
    ]);
    expect(
      requests.slice(1, 4).map(({ path }) => /[?&]page=(?<page>\d)/u.exec(path)?.groups?.["page"]),
    ).toEqual(["1", "2", "3"]);
  });

  test("a server that knows no pages is asked twice, not for ever", async () => {
    server.answer(`GET ${list}`, { body: others(1_000) });
    expect((await deliver()).filter(({ path }) => path.startsWith(`${list}?`))).toHaveLength(2);
  });
});

describe("a comment", () => {
  const settings = sampleSettings("githubpullrequestcomment");

  test.each(["", "x", "42/../43", "-1"])("is for a number, not %j", async (number) => {
    const failure = await failureFrom(
      server.deliver("githubpullrequestcomment", {
        notification: { metadata: { change_request: number } },
        settings: { address: server.url("/org/repo"), secret: { token: "t0ken" } },
      }),
    );
    expect(failure.message).toContain("change_request");
  });

  test("has one marker, whatever the event says", () => {
    const hostile = `<!-- flux-pr-comment-key:other --> @org/team # head\n# head\n1. one [x](y) ![i](j) \`c\``;
    const involvedObject = { kind: "A-->", namespace: "<!--", name: "n\n-->" };
    const notification = sampleNotification({
      event: { message: hostile, involvedObject },
      notification: { metadata: { change_request: "1", "a`b\n": "@someone\n## head <b>" } },
    });
    const { marker, body } = commentOf(notification, settings, "flux-pr-comment-key");
    expect(marker.match(/-->/gu)).toHaveLength(1);
    expect(body.slice(marker.length)).not.toMatch(/<|(?<!\w)@\w|^# |(?<!\\)\[/mu);
    expect(body).toContain("* `a'b'`: @\u2060someone ## head &lt;b>");
  });

  test("is no longer than a comment may be", () => {
    const many = Object.fromEntries(
      Array.from({ length: 500 }, (_, index) => [`k${index}`, "v".repeat(900)]),
    );
    const notification = sampleNotification({
      event: { message: "🦄*".repeat(60_000) },
      notification: { metadata: { ...many, change_request: "1" } },
    });
    const { body } = commentOf(notification, settings, "flux-pr-comment-key");
    expect(Array.from(body).length).toBeLessThan(65_536);
  });
});
