import { describe, expect, test } from "vitest";
import { type SeenDelivery, useNotificationServer } from "../../../test/support/notification-server.ts";
import { failureFrom } from "../../../test/support/registry-case.ts";

const server = useNotificationServer();
const metadata = {
  revision: "main@sha1:5394cb7f48332b2de7c17dd8b8384bbc84b7e738",
  summary: "staging cluster",
};

function dsn(path: string): string {
  return server.url(path).replace("//", "//public:private@");
}

function linesOf(request: SeenDelivery | undefined): readonly unknown[] {
  return (request?.body ?? "")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);
}

describe("sentry", () => {
  test("an error is an event", async () => {
    const [request] = await server.deliver("sentry", {
      event: { severity: "error", message: "timeout 🦄" },
      settings: { address: dsn("/base/7"), channel: "prod" },
    });
    expect(request).toMatchObject({ method: "POST", path: "/base/api/7/envelope/" });
    expect(request?.headers).toEqual({
      "content-type": "application/x-sentry-envelope",
      "x-sentry-auth":
        "Sentry sentry_version=7, sentry_timestamp=1777863721, sentry_client=fairlead/1, sentry_key=public, sentry_secret=private",
    });
    const [head, item, payload] = linesOf(request);
    const id: unknown = expect.stringMatching(/^[0-9a-f]{32}$/u);
    expect(head).toEqual({ event_id: id, sent_at: "2026-05-04T03:02:01.000Z" });
    expect(item).toEqual({
      type: "event",
      length: Buffer.byteLength(request?.body.split("\n")[2] ?? ""),
    });
    expect(payload).toEqual({
      event_id: id,
      platform: "other",
      environment: "prod",
      contexts: { metadata },
      level: "error",
      message: "timeout 🦄",
      server_name: "kustomize-controller",
      timestamp: "2026-05-04T03:02:00Z",
      transaction: "Kustomization: flux-system/podinfo",
    });
  });

  test("information is a transaction, the same one for each attempt", async () => {
    const settings = { address: dsn("/7") };
    await server.deliver("sentry", { settings });
    const [first, second] = await server.deliver("sentry", { settings });
    const tags = {
      flux_involved_object_kind: "Kustomization",
      flux_involved_object_namespace: "flux-system",
      flux_involved_object_name: "podinfo",
      flux_reporting_controller: "kustomize-controller",
      flux_reporting_instance: "kustomize-controller-0",
      flux_reason: "ReconciliationSucceeded",
      ...metadata,
    };
    const trace = {
      trace_id: expect.any(String) as unknown,
      span_id: expect.any(String) as unknown,
      op: "event",
    };
    const time = "2026-05-04T03:02:00Z";
    expect(linesOf(first)[2]).toMatchObject({
      type: "transaction",
      environment: "production",
      contexts: { trace },
      spans: [{ ...trace, tags, start_timestamp: time, timestamp: time }],
      tags,
      transaction: "Kustomization: flux-system/podinfo",
    });
    expect(first?.body).toBe(second?.body);
  });

  test("a trace is not sent", async () => {
    expect(
      await server.deliver("sentry", { event: { severity: "trace" }, settings: { address: dsn("/7") } }),
    ).toEqual([]);
  });

  test.each(["https://example.com/7", "https://key@example.com/", "https://ke%0Ay@example.com/7", ""])(
    "%j is no DSN",
    async (address) => {
      const failure = await failureFrom(server.deliver("sentry", { settings: { address } }));
      expect(failure).toMatchObject({ code: "delivery-failed", retryable: false });
    },
  );
});
