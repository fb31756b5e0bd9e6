import { describe, expect, test } from "vitest";
import { jsonOf, useNotificationServer } from "../../../test/support/notification-server.ts";

const server = useNotificationServer();

describe("webex", () => {
  test("Markdown into a room", async () => {
    const [request] = await server.deliver("webex", {
      event: { message: "applied" },
      settings: { address: server.url("/v1/messages"), channel: "room-1", secret: { token: "bot-token" } },
    });
    expect(request?.headers["authorization"]).toBe("Bearer bot-token");
    expect(jsonOf(request)).toEqual({
      roomId: "room-1",
      markdown:
        "✅ **kustomization/podinfo.flux-system**\napplied\n" +
        ">**revision**: main@sha1:5394cb7f48332b2de7c17dd8b8384bbc84b7e738\n>**summary**: staging cluster\n",
    });
  });

  test("nobody is called by an event, however long", async () => {
    const [request] = await server.deliver("webex", {
      event: { severity: "error", message: "<@all> **x**".repeat(2_000) },
      settings: { address: server.url("/v1/messages"), channel: "room-1", secret: { token: "bot-token" } },
    });
    const { markdown } = jsonOf(request) as { readonly markdown: string };
    expect(markdown.startsWith("💣 **kustomization")).toBe(true);
    expect(markdown).toContain(String.raw`&lt;@`);
    expect(markdown).not.toContain("<@");
    expect(Buffer.byteLength(markdown)).toBeLessThanOrEqual(7_439);
  });
});
