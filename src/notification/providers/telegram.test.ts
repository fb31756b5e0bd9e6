import { describe, expect, test } from "vitest";
import { jsonOf, useNotificationServer } from "../../../test/support/notification-server.ts";
import { failureFrom } from "../../../test/support/registry-case.ts";

const server = useNotificationServer();
const token = "123456:AAF-abc_DEF";

describe("telegram", () => {
  test("MarkdownV2 to a chat", async () => {
    server.answer(`POST /bot${token}/sendMessage`, { body: { ok: true } });
    const [request] = await server.deliver("telegram", {
      event: { message: "a_b (c) 1.2!" },
      settings: { channel: "@ops:17", secret: { token } },
    });
    expect(request).toMatchObject({
      origin: "https://api.telegram.org",
      path: `/bot${token}/sendMessage`,
    });
    expect(jsonOf(request)).toEqual({
      chat_id: "@ops",
      message_thread_id: "17",
      parse_mode: "MarkdownV2",
      text: [
        "*💫 kustomization/podinfo/flux\\-system*",
        "a\\_b \\(c\\) 1\\.2\\!",
        "\\- *revision*: main@sha1:5394cb7f48332b2de7c17dd8b8384bbc84b7e738",
        "\\- *summary*: staging cluster",
        "",
      ].join("\n"),
    });
  });

  test("a long message is cut to what Telegram takes", async () => {
    server.answer(`POST /bot${token}/sendMessage`, { body: { ok: true } });
    const metadata = Object.fromEntries(
      Array.from({ length: 50 }, (_, index) => [`k${index}`, "v".repeat(500)]),
    );
    const [request] = await server.deliver("telegram", {
      event: { message: "🦄.".repeat(5_000), severity: "error" },
      notification: { metadata },
      settings: { address: server.url("/"), channel: "-100", secret: { token } },
    });
    const { text } = jsonOf(request) as { readonly text: string };
    const shown = text.replaceAll(/\\(?=[\u0021-\u007e])/gu, "");
    expect(shown.length).toBeLessThanOrEqual(4_100);
    expect(text.isWellFormed()).toBe(true);
    expect(text).not.toMatch(/(?<!\\)[.!-]/u);
  });

  test.each([
    ["a refusal", { status: 400, body: { ok: false, description: "chat not found" } }, false, undefined],
    ["a refusal by 200", { body: { ok: false, description: "chat not found" } }, false, undefined],
    [
      "too many requests",
      { status: 429, body: { ok: false, error_code: 429, parameters: { retry_after: 7 } } },
      true,
      7_000,
    ],
  ])("%s is an error without the token", async (_name, answer, retryable, retryAfterMs) => {
    server.answer(`POST /bot${token}/sendMessage`, answer);
    const failure = await failureFrom(
      server.deliver("telegram", {
        settings: { address: server.url("/"), channel: "-100", secret: { token } },
      }),
    );
    expect(failure).toMatchObject({ code: "delivery-failed", retryable, retryAfterMs });
    expect(failure.message).not.toContain(token);
  });
});
