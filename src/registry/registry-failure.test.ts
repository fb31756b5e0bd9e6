import { describe, expect, test } from "vitest";
import { type Answer, endless, json, raw } from "../../test/support/faulty-registry.ts";
import { failureFrom, quickClient, useFaultyRegistry } from "../../test/support/registry-case.ts";
import { parseReference } from "../reference/reference.ts";

const fixture = useFaultyRegistry();

describe("an error", () => {
  test.each<[string, Answer, string, RegExp]>([
    [
      "of the specification",
      json(404, { errors: [{ code: "NAME_UNKNOWN", message: "no such repository" }] }),
      "image-not-found",
      / is not found: http:\/\/\S+\/tags\/list answers 404 NAME_UNKNOWN: no such repository$/u,
    ],
    ["in text", raw(403, "go away\u001b[31m"), "registry-unauthorized", /answers 403 go away\\x1b\[31m$/u],
    ["as a page", raw(400, "<html>", { "content-type": "text/html" }), "registry-failed", /answers 400$/u],
    ["that is huge", endless(400, "a".repeat(65_536)), "registry-failed", /answers 400 a{300}…$/u],
    ["of odd types", json(418, { errors: [{ code: 1, message: {} }, null, "x"] }), "registry-failed", /418/u],
  ])("%s", async (_name, answer, code, message) => {
    const { image, path } = fixture.repository();
    fixture.registry().answer(`${path}/tags/list`, answer);
    const error = await failureFrom(quickClient().listTags(parseReference(image)));
    expect(error.code).toBe(code);
    expect(error.message).toMatch(message);
  });

  test("tells how long the registry wants to be left alone", async () => {
    const { image, path } = fixture.repository();
    fixture.registry().answer(`${path}/tags/list`, json(429, {}, { "retry-after": "3600" }));
    const error = await failureFrom(quickClient().listTags(parseReference(image)));
    expect(error).toMatchObject({ hint: "the registry wants to be left alone for 3600 s", retryable: true });
  });
});
