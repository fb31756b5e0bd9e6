import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { formatEvent } from "./format-event.ts";
import { parseEvent } from "./parse-event.ts";

interface RecordedRequest {
  readonly name: string;
  readonly body?: string;
}

const requests = readFileSync(
  new URL("../../../test/conformance/notification/requests.jsonl", import.meta.url),
  "utf8",
)
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as RecordedRequest);

const bytes = (text: string): Uint8Array => Buffer.from(text, "utf8");
const minimal = {
  involvedObject: { kind: "HelmRelease", namespace: "flux-system", name: "podinfo" },
  severity: "info",
  timestamp: "2026-11-22T08:00:00Z",
  message: "done",
  reason: "Succeeded",
  reportingController: "helm-controller",
};

describe("what Flux's recorder sends", () => {
  const sent = requests.flatMap(({ name, body }) => (body === undefined ? [] : [[name, body] as const]));

  test.each(sent)("%s is read, and written byte for byte", (_name, body) => {
    expect(formatEvent(parseEvent(bytes(body)))).toBe(body);
  });

  test("is there", () => {
    expect(sent.length).toBe(5);
  });
});

describe("an event", () => {
  test("of v1 has an action and a related object", () => {
    const relatedObject = { kind: "Secret", namespace: "flux-system", name: "key" };
    const event = parseEvent(
      bytes(JSON.stringify({ ...minimal, action: "Syncing", relatedObject, other: [] })),
    );
    expect(event).toMatchObject({ action: "Syncing", relatedObject });
    expect(event).not.toHaveProperty("other");
    expect(formatEvent(event)).toContain('"reason":"Succeeded","action":"Syncing","reportingController"');
    expect(parseEvent(bytes(formatEvent(event)))).toEqual(event);
  });

  test("without a timestamp has the time of its receipt", () => {
    const body = bytes(JSON.stringify({ ...minimal, timestamp: null }));
    expect(parseEvent(body, new Date("2026-01-02T03:04:05.678Z")).timestamp).toBe("2026-01-02T03:04:05Z");
  });

  test.each<[name: string, value: unknown]>([
    ["null", null],
    ["an empty map", {}],
  ])("may have %s for metadata", (_name, metadata) => {
    expect(parseEvent(bytes(JSON.stringify({ ...minimal, metadata }))).metadata).toEqual({});
  });

  test("takes names of JavaScript for keys", () => {
    const event = parseEvent(
      bytes(JSON.stringify(minimal).replace(/\}$/u, ',"metadata":{"__proto__":"a","toString":"b"}}')),
    );
    expect(Object.entries(event.metadata)).toEqual([
      ["__proto__", "a"],
      ["toString", "b"],
    ]);
  });

  test("has no lone surrogates", () => {
    const body = JSON.stringify(minimal).replace("done", String.raw`\ud800!`);
    expect(parseEvent(bytes(body)).message).toBe("\ufffd!");
  });

  test.each<[name: string, body: string, message: string | RegExp]>([
    ["no JSON", "{", /^the event is no JSON/u],
    ["a list", "[]", "the event is no JSON object"],
    ["null", "null", "the event is no JSON object"],
    ["no object", JSON.stringify({ ...minimal, involvedObject: null }), "involvedObject is required"],
    [
      "a text for an object",
      JSON.stringify({ ...minimal, involvedObject: "x" }),
      "involvedObject is no JSON object",
    ],
    [
      "no kind",
      JSON.stringify({ ...minimal, involvedObject: { name: "a", namespace: "b" } }),
      "involvedObject.kind is required",
    ],
    [
      "no namespace",
      JSON.stringify({ ...minimal, involvedObject: { name: "a", kind: "b" } }),
      "involvedObject.namespace is required",
    ],
    ["a number for a message", JSON.stringify({ ...minimal, message: 1 }), "message is no text"],
    [
      "another severity",
      JSON.stringify({ ...minimal, severity: "warn" }),
      "severity is none of trace, info, error",
    ],
    ["metadata that is no text", JSON.stringify({ ...minimal, metadata: { a: 1 } }), "metadata.a is no text"],
    ["no time", JSON.stringify({ ...minimal, timestamp: "yesterday" }), /^timestamp is no time by RFC 3339/u],
    ["no day", JSON.stringify({ ...minimal, timestamp: "2026-13-22T08:00:00Z" }), /^timestamp is no time/u],
    [
      "too many keys",
      JSON.stringify({
        ...minimal,
        metadata: Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [index, ""])),
      }),
      "metadata has more than 1000 keys",
    ],
  ])("is refused with %s", (_name, body, message) => {
    expect(() => parseEvent(bytes(body))).toThrow(expect.objectContaining({ code: "event-invalid" }));
    expect(() => parseEvent(bytes(body))).toThrow(message);
  });

  test("is refused when it is too large", () => {
    expect(() => parseEvent(new Uint8Array(3 * 1024 * 1024 + 1))).toThrow(
      expect.objectContaining({ code: "limit-exceeded" }),
    );
  });
});
