import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { jsonOf, useNotificationServer } from "../../../test/support/notification-server.ts";
import { failureFrom } from "../../../test/support/registry-case.ts";

const server = useNotificationServer();

describe("generic", () => {
  test("posts the event with its metadata, and the headers of the Secret", async () => {
    const [request] = await server.deliver("generic", {
      event: { message: "<b> & more" },
      settings: { address: server.url("/hook?x=1"), headers: { "X-Team": "platform" } },
    });
    expect(request).toMatchObject({ method: "POST", path: "/hook?x=1" });
    expect(request?.headers).toEqual({
      "content-type": "application/json",
      "gotk-component": "kustomize-controller",
      "idempotency-key": "delivery-0001",
      "x-team": "platform",
    });
    expect(request?.body).toBe(
      String.raw`{"involvedObject":{"kind":"Kustomization","namespace":"flux-system","name":"podinfo","uid":"7d0cdc51-ddcf-4743-b223-83ca5c699632","apiVersion":"kustomize.toolkit.fluxcd.io/v1"},"severity":"info","timestamp":"2026-05-04T03:02:00Z","message":"\u003cb\u003e \u0026 more","reason":"ReconciliationSucceeded","metadata":{"revision":"main@sha1:5394cb7f48332b2de7c17dd8b8384bbc84b7e738","summary":"staging cluster"},"reportingController":"kustomize-controller","reportingInstance":"kustomize-controller-0"}`,
    );
  });

  test("takes the text of a template as the message", async () => {
    const settings = { address: server.url("/hook") };
    const [request] = await server.deliver("generic", { notification: { text: "by template" }, settings });
    expect(jsonOf(request)).toMatchObject({ message: "by template" });
  });

  test("takes a login in its address as Basic", async () => {
    const address = server.url("/hook").replace("//", "//me:p%40ss@");
    const [request] = await server.deliver("generic", { settings: { address } });
    expect(request?.headers["authorization"]).toBe(`Basic ${Buffer.from("me:p@ss").toString("base64")}`);
  });

  test.each([
    ["a line end in a value", { "X-A": "b\r\nX-Injected: 1" }],
    ["a line end in a name", { "X-A: b\r\nX-Injected": "1" }],
    ["an empty name", { "": "1" }],
    ["the length of the body", { "Content-Length": "0" }],
    ["another framing", { "Transfer-Encoding": "chunked" }],
  ])("refuses %s", async (_name, headers) => {
    const failure = await failureFrom(
      server.deliver("generic", { settings: { address: server.url("/hook"), headers } }),
    );
    expect(failure).toMatchObject({ code: "delivery-failed", retryable: false });
    expect(server.seen).toEqual([]);
  });

  test.each(["", "hook", "ftp://example.com/", "file:///etc/passwd"])(
    "refuses the address %j",
    async (address) => {
      const failure = await failureFrom(server.deliver("generic", { settings: { address } }));
      expect(failure).toMatchObject({ code: "delivery-failed", retryable: false });
    },
  );
});

describe("generic-hmac", () => {
  test("signs the body, and nothing of the Secret goes before the signature", async () => {
    const [request] = await server.deliver("generic-hmac", {
      settings: {
        address: server.url("/hook"),
        secret: { token: "key\n" },
        headers: { "X-Signature": "sha256=00" },
      },
    });
    const digest = createHmac("sha256", "key\n")
      .update(request?.body ?? "")
      .digest("hex");
    expect(request?.headers["x-signature"]).toBe(`sha256=${digest}`);
  });

  test("wants a key", async () => {
    const failure = await failureFrom(
      server.deliver("generic-hmac", { settings: { address: server.url("/hook") } }),
    );
    expect(failure.message).toContain("no token");
  });
});
