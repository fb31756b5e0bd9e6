import { describe, expect, test } from "vitest";
import { type Answer, cut, json, raw, reset, stalled } from "../../../test/support/faulty-registry.ts";
import { failureFrom, quickClient, tagsOf, useFaultyRegistry } from "../../../test/support/registry-case.ts";
import { parseReference } from "../../reference/reference.ts";

const fixture = useFaultyRegistry();

describe("another try", () => {
  test.each<[string, Answer]>([
    ["a reset", reset],
    ["a body that is cut", cut],
    ["408", json(408, {})],
    ["429", json(429, {})],
    ["429 with seconds", json(429, {}, { "retry-after": "0" })],
    ["503 with a date", json(503, {}, { "retry-after": "Thu, 01 Jan 1970 00:00:00 GMT" })],
    ["500", json(500, {})],
    ["502", raw(502, "<html>bad gateway")],
    ["504", json(504, {})],
  ])("mends %s", async (_name, fault) => {
    const { image, path } = fixture.repository();
    fixture.registry().answer(`${path}/tags/list`, fault, fault, fault, tagsOf("a"));
    expect(await quickClient().listTags(parseReference(image))).toEqual(["a"]);
  });

  test.each<[string, number, Answer]>([
    ["400", 1, json(400, {})],
    ["404", 1, json(404, {})],
    ["501", 1, json(501, {})],
    ["a storm of 429", 4, json(429, { errors: [{ code: "TOOMANYREQUESTS", message: "slow down" }] })],
    ["429 with more seconds than anybody waits", 1, json(429, {}, { "retry-after": "86400" })],
    ["resets without an end", 4, reset],
  ])("is given up after %s", async (name, attempts, fault) => {
    const { image, path } = fixture.repository();
    fixture.registry().answer(`${path}/tags/list`, fault);
    const error = await failureFrom(quickClient().listTags(parseReference(image)));
    expect(fixture.requestsTo(path)).toBe(attempts);
    expect(error.retryable).toBe(attempts > 1 || name.startsWith("429"));
  });

  test("of a body that never ends takes its time and no more", async () => {
    const { image, path } = fixture.repository();
    fixture.registry().answer(`${path}/tags/list`, stalled);
    const error = await failureFrom(quickClient({ attemptTimeoutMs: 20 }).listTags(parseReference(image)));
    expect(error).toMatchObject({ code: "registry-unreachable", retryable: true });
    expect(error.message).toContain("did not answer within 0.02 s");
    expect(fixture.requestsTo(path)).toBe(4);
  });

  test("ends with the time of the call", async () => {
    const { image, path } = fixture.repository();
    fixture.registry().answer(`${path}/tags/list`, stalled);
    const error = await failureFrom(quickClient().listTags(parseReference(image), { timeoutMs: 50 }));
    expect(error).toMatchObject({ code: "timeout", retryable: true });
    expect(error.message).toBe(`listing the tags of ${image} took longer than 0.05 s`);
  });

  test("ends when the caller wants", async () => {
    const { image, path } = fixture.repository();
    const controller = new AbortController();
    fixture.registry().answer(`${path}/tags/list`, (...args) => {
      stalled(...args);
      controller.abort();
    });
    const work = quickClient().listTags(parseReference(image), { signal: controller.signal });
    expect(await failureFrom(work)).toMatchObject({ code: "aborted" });
    const late = quickClient().listTags(parseReference(image), { signal: controller.signal });
    expect(await failureFrom(late)).toMatchObject({ code: "aborted" });
  });
});
