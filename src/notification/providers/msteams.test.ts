import { describe, expect, test } from "vitest";
import { jsonOf, useNotificationServer } from "../../../test/support/notification-server.ts";

const server = useNotificationServer();

describe("msteams", () => {
  test("a workflow gets an adaptive card, the summary first", async () => {
    const [request] = await server.deliver("msteams", {
      event: { severity: "error" },
      settings: { address: server.url("/workflows/abc/triggers?sig=x") },
    });
    expect(request?.path).toBe("/workflows/abc/triggers?sig=x");
    expect(jsonOf(request)).toEqual({
      type: "message",
      attachments: [
        {
          contentType: "application/vnd.microsoft.card.adaptive",
          content: {
            $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
            type: "AdaptiveCard",
            version: "1.4",
            body: [
              {
                type: "Container",
                items: [
                  {
                    type: "TextBlock",
                    text: "kustomization/podinfo.flux-system",
                    size: "large",
                    weight: "bolder",
                    wrap: true,
                  },
                  {
                    type: "TextBlock",
                    text: "Deployment/default/podinfo configured\nService/default/podinfo created",
                    color: "attention",
                    wrap: true,
                  },
                  {
                    type: "FactSet",
                    facts: [
                      { title: "summary", value: "staging cluster" },
                      { title: "revision", value: "main@sha1:5394cb7f48332b2de7c17dd8b8384bbc84b7e738" },
                    ],
                  },
                ],
              },
            ],
            msteams: { width: "Full" },
          },
        },
      ],
    });
  });

  test("an old connector gets a message card", async () => {
    const [request] = await server.deliver("msteams", {
      event: { message: "[a](https://evil)" },
      notification: { metadata: {} },
      settings: { address: "https://example.webhook.office.com/webhookb2/x" },
    });
    expect(request?.origin).toBe("https://example.webhook.office.com");
    expect(jsonOf(request)).toEqual({
      "@type": "MessageCard",
      "@context": "http://schema.org/extensions",
      themeColor: "0076D7",
      summary: "kustomization/podinfo.flux-system",
      sections: [
        {
          activityTitle: String.raw`\[a](https://evil)`,
          activitySubtitle: "kustomization/podinfo.flux-system",
          facts: [],
        },
      ],
    });
  });

  test("stays below what Teams takes", async () => {
    const metadata = Object.fromEntries(
      Array.from({ length: 99 }, (_, index) => [`key${index}`, "ü".repeat(999)]),
    );
    const [request] = await server.deliver("msteams", {
      event: { message: "ü[".repeat(30_000) },
      notification: { metadata },
      settings: { address: server.url("/hook") },
    });
    expect(Buffer.byteLength(request?.body ?? "")).toBeLessThan(28 * 1024);
  });
});
