import { describe, expect, test } from "vitest";
import { jsonOf, useNotificationServer } from "../../../test/support/notification-server.ts";

const server = useNotificationServer();

describe("discord", () => {
  test.each(["/api/webhooks/1/abc", "/api/webhooks/1/abc/slack"])("%s gets Slack's form", async (path) => {
    const [request] = await server.deliver("discord", {
      event: { severity: "error", message: "see [here](https://evil)" },
      settings: { address: server.url(path), channel: "ignored" },
    });
    expect(request?.path).toBe("/api/webhooks/1/abc/slack");
    expect(jsonOf(request)).toEqual({
      channel: "",
      username: "kustomize-controller",
      icon_url: "",
      icon_emoji: "",
      attachments: [
        {
          fallback: "",
          color: "danger",
          author_name: "kustomization/podinfo.flux-system",
          text: String.raw`see \[here\](https://evil)`,
          mrkdwn_in: ["text"],
          fields: [
            { title: "revision", value: "main@sha1:5394cb7f48332b2de7c17dd8b8384bbc84b7e738", short: false },
            { title: "summary", value: "staging cluster", short: false },
          ],
        },
      ],
    });
  });

  test("an embed's limits are kept", async () => {
    const metadata = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [`key${index}`, "v".repeat(2_000)]),
    );
    const [request] = await server.deliver("discord", {
      event: { message: "🦄*".repeat(5_000) },
      notification: { metadata },
      settings: { address: server.url("/api/webhooks/1/abc") },
    });
    const { attachments } = jsonOf(request) as {
      readonly attachments: readonly [
        { readonly text: string; readonly fields: readonly { readonly value: string }[] },
      ];
    };
    const [{ text, fields }] = attachments;
    expect(Array.from(text).length).toBeLessThanOrEqual(2_000);
    expect(text).toMatch(/🦄\\\*(?:🦄)?…$/u);
    expect(fields.length).toBe(25);
    expect(fields.every(({ value }) => value.length <= 1_024)).toBe(true);
  });
});
