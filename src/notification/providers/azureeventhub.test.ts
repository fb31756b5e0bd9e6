import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { jsonOf, sampleWorkload, useNotificationServer } from "../../../test/support/notification-server.ts";
import { failureFrom } from "../../../test/support/registry-case.ts";

const server = useNotificationServer();
const connection =
  "Endpoint=sb://example.servicebus.windows.net/;SharedAccessKeyName=send;SharedAccessKey=a2V5a2V5a2V5PQ==;EntityPath=events";

describe("azureeventhub", () => {
  test("a shared access key signs for the hub", async () => {
    const [request] = await server.deliver("azureeventhub", { settings: { address: connection } });
    expect(request).toMatchObject({
      method: "POST",
      origin: "https://example.servicebus.windows.net",
      path: "/events/messages?timeout=60&api-version=2014-01",
    });
    const resource = encodeURIComponent("https://example.servicebus.windows.net/events");
    const signature = createHmac("sha256", "a2V5a2V5a2V5PQ==")
      .update(`${resource}\n1777864921`)
      .digest("base64");
    expect(request?.headers["authorization"]).toBe(
      `SharedAccessSignature sr=${resource}&sig=${encodeURIComponent(signature)}&se=1777864921&skn=send`,
    );
    expect(jsonOf(request)).toMatchObject({ reason: "ReconciliationSucceeded" });
  });

  test.each([
    ["example", "https://example.servicebus.windows.net"],
    ["example.servicebus.usgovcloudapi.net", "https://example.servicebus.usgovcloudapi.net"],
  ])("a token for the namespace %s", async (channel, origin) => {
    const settings = { address: "events", channel, secret: { token: "jwt" } };
    const [request] = await server.deliver("azureeventhub", { settings });
    expect(request).toMatchObject({ origin, headers: { authorization: "Bearer jwt" } });
  });

  test.each([
    ["example", "https://example.servicebus.windows.net"],
    ["example.servicebus.chinacloudapi.cn", "https://example.servicebus.chinacloudapi.cn"],
  ])("the identity of the workload for the namespace %s", async (channel, origin) => {
    const [request] = await server.deliver("azureeventhub", {
      settings: { address: "events", channel },
      context: { workload: sampleWorkload },
    });
    expect(request).toMatchObject({
      origin,
      headers: { authorization: "Bearer azure-token-for-https://eventhubs.azure.net//.default" },
    });
  });

  test("the identity of the workload is told to Azure alone", async () => {
    const settings = { address: "events", channel: "example.servicebus.example.com" };
    const context = { workload: sampleWorkload };
    const failure = await failureFrom(server.deliver("azureeventhub", { settings, context }));
    expect(failure.message).toContain("example.servicebus.example.com is no host of Event Hubs");
    expect(server.seen).toEqual([]);
  });

  test.each([
    ["both", { address: connection, secret: { token: "jwt" } }, "at the same time"],
    ["neither", { address: "events", channel: "example" }, "neither"],
    ["no hub", { address: connection.replace(/;EntityPath.*/u, "") }, "not whole"],
    [
      "another host",
      { address: "events", channel: "evil.example/x?", secret: { token: "jwt" } },
      "no namespace",
    ],
  ])("%s is refused", async (_name, settings, message) => {
    const failure = await failureFrom(server.deliver("azureeventhub", { settings }));
    expect(failure).toMatchObject({ code: "delivery-failed", retryable: false });
    expect(failure.message).toContain(message);
  });
});
