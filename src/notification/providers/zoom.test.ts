import { describe, expect, test } from "vitest";
import { jsonOf, useNotificationServer } from "../../../test/support/notification-server.ts";

const server = useNotificationServer();

describe("zoom", () => {
  test.each([
    ["/chat/abc", "/chat/abc?format=full"],
    ["/chat/abc?format=fields", "/chat/abc?format=fields"],
  ])("%s", async (path, expected) => {
    const [request] = await server.deliver("zoom", {
      event: { message: "applied" },
      settings: { address: server.url(path), secret: { token: "verification" } },
    });
    expect(request?.path).toBe(expected);
    expect(request?.headers["authorization"]).toBe("verification");
    expect(jsonOf(request)).toEqual({
      content: {
        head: { text: "kustomization/podinfo.flux-system", sub_head: { text: "info" } },
        body: [
          { type: "message", text: "applied" },
          {
            type: "fields",
            items: [
              { key: "revision", value: "main@sha1:5394cb7f48332b2de7c17dd8b8384bbc84b7e738" },
              { key: "summary", value: "staging cluster" },
            ],
          },
        ],
      },
    });
  });
});
