import { createHash } from "node:crypto";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { NotificationEvent } from "../event.ts";
import { dedupeKey } from "./dedupe-key.ts";
import { normalizeMessage } from "./normalize-message.ts";

function event(metadata: Record<string, string>, message = "done"): NotificationEvent {
  return {
    involvedObject: {
      apiVersion: "helm.toolkit.fluxcd.io/v2",
      kind: "HelmRelease",
      namespace: "apps",
      name: "podinfo",
    },
    severity: "info",
    timestamp: "2026-11-22T08:00:00Z",
    message,
    reason: "Succeeded",
    metadata,
    reportingController: "helm-controller",
  };
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

test.each<[name: string, metadata: Record<string, string>, expected: string]>([
  ["the object and the message", {}, "event/name=podinfo/namespace=apps/kind=HelmRelease/message=done"],
  [
    "revisions and the token, in Flux's order",
    {
      "helm.toolkit.fluxcd.io/token": "t",
      "helm.toolkit.fluxcd.io/revision": "r",
      "helm.toolkit.fluxcd.io/originRevision": "o",
      "helm.toolkit.fluxcd.io/other": "",
    },
    "event/name=podinfo/namespace=apps/kind=HelmRelease/message=done/originRevision=o/revision=r/token=t",
  ],
  [
    "annotations of RFC-0008",
    { "event.toolkit.fluxcd.io/b": "2", "event.toolkit.fluxcd.io/a": "1" },
    'event/name=podinfo/namespace=apps/kind=HelmRelease/message=done/annotations=[["event.toolkit.fluxcd.io/a","1"],["event.toolkit.fluxcd.io/b","2"]]',
  ],
])("the key is of %s", (_name, metadata, expected) => {
  expect(dedupeKey(event(metadata))).toBe(sha256(expected));
});

test("messages may count as equal", () => {
  const messages = ["failed after 30.04s", "failed after 1m2s"];
  const keys = (ignoresVolatileParts: boolean): number =>
    new Set(messages.map((message) => dedupeKey(event({}, message), { ignoresVolatileParts }))).size;
  expect([keys(false), keys(true)]).toEqual([2, 1]);
});

describe("what differs in floods of messages", () => {
  test.each<[message: string, expected: string]>([
    ["health check failed after 30.04s: timeout", "health check failed after <duration>: timeout"],
    ["took 1h2m3.5s, 250ms or 3µs", "took <duration>, <duration> or <duration>"],
    ["at 2026-11-22T08:00:00.123Z", "at <time>"],
    ["on 2026-11-22 08:00:01.5 +0000 UTC", "on <time> <time> +0000 UTC"],
    ["request 7d0cdc51-ddcf-4743-b223-83ca5c699632 failed", "request <id> failed"],
    ["id=550E8400-E29B-41D4-A716-446655440000.", "id=<id>."],
    ["main@sha1:ab2df4a0c3", "main@sha1:<id>"],
    ["sha256:0123456789abcdef0123456789abcdef", "sha256:<id>"],
    ["Pod/apps/podinfo-6d4b75cb6d-x7v2q is not ready", "Pod/apps/podinfo-<id> is not ready"],
    ["job 1763798400123", "job <id>"],
    [
      "podinfo@6.5.0 with chart v1beta2 and 12345 of 3 retries",
      "podinfo@6.5.0 with chart v1beta2 and 12345 of 3 retries",
    ],
    ["the deadbeef decade facade", "the deadbeef decade facade"],
    ["größe 5m", "größe <duration>"],
    ["", ""],
  ])("%s", (message, expected) => {
    expect(normalizeMessage(message)).toBe(expected);
  });

  test("any text is normalised, and a normal one stays as it is", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), (message) => {
        const once = normalizeMessage(message);
        expect(normalizeMessage(once)).toBe(once);
      }),
      { seed: 6 },
    );
  });

  test.each([
    ["1".repeat(1_000_000)],
    ["a-".repeat(500_000)],
    ["1m".repeat(500_000)],
    ["0-".repeat(500_000)],
  ])("long texts end", (message) => {
    expect(normalizeMessage(message).length).toBeGreaterThan(0);
  });
});
