import { describe, expect, test } from "vitest";
import { jsonOf, useNotificationServer } from "../../../test/support/notification-server.ts";
import { failureFrom } from "../../../test/support/registry-case.ts";

const server = useNotificationServer();
const path = "/open-apis/bot/v2/hook/abc";

describe("lark", () => {
  test("an interactive card", async () => {
    const [request] = await server.deliver("lark", {
      event: { message: "<at id=all></at> *x*", severity: "error" },
      settings: { address: server.url(path) },
    });
    expect(jsonOf(request)).toEqual({
      msg_type: "interactive",
      card: {
        config: { wide_screen_mode: true },
        header: {
          title: { tag: "plain_text", content: "🚨 kustomization/podinfo.flux-system" },
          template: "red",
        },
        elements: [
          {
            tag: "div",
            text: {
              tag: "lark_md",
              content:
                "**&#60;at id=all&#62;&#60;/at&#62; &#42;x&#42;**\n\n" +
                "revision: main@sha1:5394cb7f48332b2de7c17dd8b8384bbc84b7e738\nsummary: staging cluster\n",
            },
          },
        ],
      },
    });
  });

  test.each([
    [19_001, false],
    [11_232, true],
  ])("code %i is an error", async (code, retryable) => {
    server.answer(`POST ${path}`, { body: { code, msg: "no" } });
    const failure = await failureFrom(server.deliver("lark", { settings: { address: server.url(path) } }));
    expect(failure).toMatchObject({ code: "delivery-failed", retryable });
  });
});
