import { describe, expect, test } from "vitest";
import { json, startFaultyRegistry } from "../../test/support/faulty-registry.ts";
import { failureFrom, quickClient, tagsOf } from "../../test/support/registry-case.ts";
import { parseReference } from "../reference/reference.ts";

describe("a registry", () => {
  test("that is not there", async () => {
    const gone = await startFaultyRegistry();
    await gone.stop();
    const error = await failureFrom(quickClient().listTags(parseReference(`${gone.host}/test/x`)));
    expect(error).toMatchObject({ code: "registry-unreachable", retryable: true });
    expect(error.message).toContain(`cannot reach ${gone.host}`);
  });

  test("is pinged once, and again if that failed", async () => {
    const server = await startFaultyRegistry();
    try {
      server.answer("/v2/", json(400, {}), json(503, {}), json(503, {}), json(200, {}));
      server.answer("/v2/test/x/tags/list", tagsOf("a"));
      const client = quickClient({ retry: { maxAttempts: 1 } });
      const reference = parseReference(`${server.host}/test/x`);
      await Promise.all([client.listTags(reference), client.listTags(reference)]);
      expect(server.seen.filter((seen) => seen.path.startsWith("/v2/test"))).toHaveLength(2);
      expect(server.seen.filter((seen) => seen.path === "/v2/")).toHaveLength(1);
    } finally {
      await server.stop();
    }
  });

  test("is not asked by a reference that names none", async () => {
    const reference = parseReference("my_mirror.example/app");
    expect(await failureFrom(quickClient().listTags(reference))).toMatchObject({ code: "reference-invalid" });
  });
});
