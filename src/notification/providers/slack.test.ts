import { describe, expect, test } from "vitest";
import { jsonOf, useNotificationServer } from "../../../test/support/notification-server.ts";
import { failureFrom } from "../../../test/support/registry-case.ts";

const server = useNotificationServer();
const hook = "/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX";

describe("slack", () => {
  test("a hook gets an attachment with the metadata as its fields", async () => {
    const [request] = await server.deliver("slack", {
      settings: { address: server.url(hook), channel: "general" },
    });
    expect(request).toMatchObject({ method: "POST", path: hook });
    expect(request?.headers).toEqual({ "content-type": "application/json" });
    expect(jsonOf(request)).toEqual({
      channel: "general",
      username: "kustomize-controller",
      icon_url: "",
      icon_emoji: "",
      attachments: [
        {
          fallback: "kustomization/podinfo.flux-system: Deployment/default/podinfo configured",
          color: "good",
          author_name: "kustomization/podinfo.flux-system",
          text: "Deployment/default/podinfo configured\nService/default/podinfo created",
          mrkdwn_in: ["text"],
          fields: [
            {
              title: "revision",
              value: "main@sha1:5394cb7f48332b2de7c17dd8b8384bbc84b7e738",
              short: false,
            },
            { title: "summary", value: "staging cluster", short: false },
          ],
        },
      ],
    });
  });

  test("a bot shows its token, and errors are red", async () => {
    server.answer("POST /api/chat.postMessage", { body: { ok: true } });
    const [request] = await server.deliver("slack", {
      event: { severity: "error" },
      settings: {
        address: server.url("/api/chat.postMessage"),
        channel: "general",
        username: "flux",
        secret: { token: "xoxb-0123456789\n" },
      },
    });
    expect(request?.headers["authorization"]).toBe("Bearer xoxb-0123456789");
    expect(jsonOf(request)).toMatchObject({ username: "flux", attachments: [{ color: "danger" }] });
  });

  test.each([
    ["channel_not_found", false],
    ["ratelimited", true],
  ])("the API's %s is an error", async (error, retryable) => {
    server.answer("POST /api/chat.postMessage", { body: { ok: false, error } });
    const failure = await failureFrom(
      server.deliver("slack", { settings: { address: server.url("/api/chat.postMessage") } }),
    );
    expect(failure).toMatchObject({ code: "delivery-failed", retryable });
    expect(failure.message).toContain(error);
  });

  test("mentions and links of an event are text, those of a template are its author's", async () => {
    const settings = { address: server.url(hook) };
    const message = "<!channel> <https://evil|here> & co";
    await server.deliver("slack", { event: { message }, settings });
    const text = "<https://dashboard|open>";
    await server.deliver("slack", { event: { message }, notification: { text }, settings });
    expect(server.seen.map(jsonOf)).toMatchObject([
      { attachments: [{ text: "&lt;!channel&gt; &lt;https://evil|here&gt; &amp; co" }] },
      { attachments: [{ text }] },
    ]);
  });
});
