import { describe, expect, test } from "vitest";
import { useNotificationServer } from "../../../test/support/notification-server.ts";
import { failureFrom } from "../../../test/support/registry-case.ts";

const server = useNotificationServer();
const secret = { username: "bot@example.com", password: "api-key" };

describe("zulip", () => {
  test("a form with a post in Markdown", async () => {
    server.answer("POST /api/v1/messages", { body: { result: "success" } });
    const [request] = await server.deliver("zulip", {
      event: { severity: "error", message: "failed @**all**" },
      settings: { address: server.url("/ignored"), channel: "ops/flux/prod", secret },
    });
    expect(request).toMatchObject({ method: "POST", path: "/api/v1/messages" });
    expect(request?.headers).toEqual({
      "content-type": "application/x-www-form-urlencoded",
      authorization: `Basic ${Buffer.from("bot@example.com:api-key").toString("base64")}`,
    });
    expect(Object.fromEntries(new URLSearchParams(request?.body))).toEqual({
      type: "stream",
      to: "ops",
      topic: "flux/prod",
      content: [
        "## Flux Status",
        "",
        "⚠️ Kustomization/flux-system/podinfo",
        "",
        String.raw`failed @\*\*all\*\*`,
        "",
        "Metadata:",
        "* `revision`: main@sha1:5394cb7f48332b2de7c17dd8b8384bbc84b7e738",
        "* `summary`: staging cluster",
        "",
      ].join("\n"),
    });
  });

  test.each(["ops", "ops/", "/flux", ""])("refuses the channel %j", async (channel) => {
    const settings = { address: server.url(""), channel, secret };
    const failure = await failureFrom(server.deliver("zulip", { settings }));
    expect(failure.message).toContain("<channel>/<topic>");
  });

  test("a long message is cut to what Zulip takes", async () => {
    server.answer("POST /api/v1/messages", { body: { result: "success" } });
    const [request] = await server.deliver("zulip", {
      event: { message: "🦄_".repeat(9_000) },
      settings: { address: server.url(""), channel: "ops/flux", secret },
    });
    const content = new URLSearchParams(request?.body).get("content") ?? "";
    expect(Array.from(content).length).toBeLessThanOrEqual(10_000);
    expect(content).toContain("* `summary`: staging cluster");
  });
});
