import { generateKeyPairSync } from "node:crypto";
import { jwtVerify } from "jose";
import { describe, expect, test } from "vitest";
import { jsonOf, sampleWorkload, useNotificationServer } from "../../../test/support/notification-server.ts";
import { failureFrom } from "../../../test/support/registry-case.ts";

const server = useNotificationServer();
const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const key = {
  type: "service_account",
  client_email: "sender@project.iam.gserviceaccount.com",
  private_key_id: "key-1",
  private_key: privateKey.export({ type: "pkcs8", format: "pem" }),
};

describe("googlepubsub", () => {
  test("a message with the Secret's headers as attributes", async () => {
    const [request] = await server.deliver("googlepubsub", {
      settings: {
        address: "project-1",
        channel: "topic-1",
        secret: { token: JSON.stringify(key) },
        headers: { env: "prod" },
      },
    });
    expect(request).toMatchObject({
      origin: "https://pubsub.googleapis.com",
      path: "/v1/projects/project-1/topics/topic-1:publish",
    });
    expect(request?.headers["env"]).toBeUndefined();
    const token = (request?.headers["authorization"] ?? "").replace("Bearer ", "");
    const { payload, protectedHeader } = await jwtVerify(token, publicKey, {
      audience: "https://pubsub.googleapis.com/",
      currentDate: new Date("2026-05-04T03:03:00Z"),
    });
    expect(protectedHeader).toEqual({ alg: "RS256", typ: "JWT", kid: "key-1" });
    expect(payload).toMatchObject({ iss: key.client_email, sub: key.client_email });
    const { messages } = jsonOf(request) as {
      readonly messages: readonly [{ readonly data: string; readonly attributes: unknown }];
    };
    expect(messages[0].attributes).toEqual({ env: "prod", "idempotency-key": "delivery-0001" });
    expect(JSON.parse(Buffer.from(messages[0].data, "base64").toString())).toMatchObject({
      involvedObject: { name: "podinfo" },
    });
  });

  test("the identity of the workload", async () => {
    const [request] = await server.deliver("googlepubsub", {
      settings: { address: "project-1", channel: "topic-1" },
      context: { workload: sampleWorkload },
    });
    expect(request).toMatchObject({
      origin: "https://pubsub.googleapis.com",
      headers: { authorization: "Bearer gcp-token" },
    });
  });

  test.each([
    ["no token", "", "no token"],
    ["no JSON", "key", "no JSON key"],
    ["a host in it", JSON.stringify({ ...key, universe_domain: "evil.example/" }), "no JSON key"],
    ["another key", JSON.stringify({ ...key, private_key: "-----BEGIN PRIVATE KEY-----" }), "cannot be used"],
  ])("%s is refused", async (_name, token, message) => {
    const settings = { address: "project-1", channel: "topic-1", secret: { token } };
    const failure = await failureFrom(server.deliver("googlepubsub", { settings }));
    expect(failure.message).toContain(message);
  });
});
