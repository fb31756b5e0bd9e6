import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { jsonOf, sampleCommit, useNotificationServer } from "../../../test/support/notification-server.ts";

const server = useNotificationServer();

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

describe("otel", () => {
  test("a span in the trace of its alert and revision", async () => {
    const [request] = await server.deliver("otel", {
      event: { severity: "error", message: "timeout" },
      settings: { address: server.url(""), secret: { token: "token-1" } },
    });
    expect(request).toMatchObject({ path: "/v1/traces", headers: { authorization: "Bearer token-1" } });
    const revision = `main@sha1:${sampleCommit}`;
    expect(jsonOf(request)).toEqual({
      resourceSpans: [
        {
          resource: {
            attributes: [
              { key: "service.name", value: { stringValue: "flux-system/all" } },
              { key: "service.namespace", value: { stringValue: "flux-system" } },
              { key: "service.instance.id", value: { stringValue: "f1ba0a42-2d34-4c4c-9b19-0b6dbb5bd47c" } },
            ],
          },
          scopeSpans: [
            {
              scope: { name: "flux:notification-controller" },
              spans: [
                {
                  traceId: sha256(`f1ba0a42-2d34-4c4c-9b19-0b6dbb5bd47c:${revision}`).slice(0, 32),
                  spanId: sha256("delivery-0001").slice(0, 16),
                  name: "Kustomization: flux-system/podinfo",
                  kind: 1,
                  flags: 0x301,
                  startTimeUnixNano: "1777863720000000000",
                  endTimeUnixNano: "1777863721000000000",
                  attributes: [
                    ["object.uid", "7d0cdc51-ddcf-4743-b223-83ca5c699632"],
                    ["object.kind", "Kustomization"],
                    ["object.name", "podinfo"],
                    ["object.namespace", "flux-system"],
                    ["revision", revision],
                    ["summary", "staging cluster"],
                  ].map(([key, stringValue]) => ({ key, value: { stringValue } })),
                  status: { code: 2, message: "timeout" },
                },
              ],
            },
          ],
          schemaUrl: "https://opentelemetry.io/schemas/1.34.0",
        },
      ],
    });
  });

  test.each<[string, Readonly<Record<string, string>>, string]>([
    [
      "of an OCI artifact",
      { "app-version": "1.2.3", "oci-digest": "sha256:ab", revision: "x" },
      "1.2.3@sha256:ab",
    ],
    ["of any source", { revision: "main@sha1:1" }, "main@sha1:1"],
    ["without one", {}, "unknown"],
  ])("the revision %s", async (_name, metadata, revision) => {
    const settings = { address: server.url("/otlp") };
    const [request] = await server.deliver("otel", { notification: { metadata }, settings });
    expect(request?.path).toBe("/otlp");
    expect(request?.body).toContain(sha256(`f1ba0a42-2d34-4c4c-9b19-0b6dbb5bd47c:${revision}`).slice(0, 32));
  });

  test("HelmRepositories are left out", async () => {
    const involvedObject = { kind: "HelmRepository", namespace: "a", name: "b" };
    expect(
      await server.deliver("otel", { event: { involvedObject }, settings: { address: server.url("") } }),
    ).toEqual([]);
  });
});
