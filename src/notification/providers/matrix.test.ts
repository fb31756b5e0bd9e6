import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { jsonOf, useNotificationServer } from "../../../test/support/notification-server.ts";

const server = useNotificationServer();

describe("matrix", () => {
  test("a text under a transaction that the event names", async () => {
    const [event] = await server.deliver("generic", { settings: { address: server.url("/hook") } });
    const transaction = createHash("sha1")
      .update(event?.body ?? "")
      .digest("hex");
    const settings = {
      address: server.url(""),
      channel: "!room:example.org",
      secret: { token: "syt_token" },
    };
    const [, request] = await server.deliver("matrix", { settings });
    expect(request).toMatchObject({
      method: "PUT",
      path: `/_matrix/client/r0/rooms/!room:example.org/send/m.room.message/${transaction}`,
    });
    expect(request?.headers["authorization"]).toBe("Bearer syt_token");
    expect(jsonOf(request)).toEqual({
      body:
        "💫 kustomization/podinfo.flux-system\nDeployment/default/podinfo configured\n" +
        "Service/default/podinfo created\n- revision: main@sha1:5394cb7f48332b2de7c17dd8b8384bbc84b7e738\n" +
        "- summary: staging cluster\n",
      msgtype: "m.text",
      "m.mentions": {},
    });
    const [, , again] = await server.deliver("matrix", { settings });
    expect(again?.path).toBe(request?.path);
  });
});
