import { describe, expect, test } from "vitest";
import { jsonOf, useNotificationServer } from "../../../test/support/notification-server.ts";
import { failureFrom } from "../../../test/support/registry-case.ts";

const server = useNotificationServer();

describe("rocket", () => {
  test.each([
    ["info", "#0076D7"],
    ["error", "#FF0000"],
  ] as const)("%s is %s", async (severity, color) => {
    server.answer("POST /hooks/1/abc", { body: { success: true } });
    const [request] = await server.deliver("rocket", {
      event: { severity },
      settings: { address: server.url("/hooks/1/abc"), channel: "#ops" },
    });
    expect(jsonOf(request)).toMatchObject({
      channel: "#ops",
      username: "",
      attachments: [{ color, author_name: "kustomization/podinfo.flux-system", mrkdwn_in: ["text"] }],
    });
  });

  test("a hook that says no is an error", async () => {
    server.answer("POST /hooks/1/abc", { body: { success: false, error: "invalid-channel" } });
    const failure = await failureFrom(
      server.deliver("rocket", { settings: { address: server.url("/hooks/1/abc") } }),
    );
    expect(failure.message).toContain("invalid-channel");
  });
});
