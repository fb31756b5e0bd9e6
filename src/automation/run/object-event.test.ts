import { describe, expect, test } from "vitest";
import { FairleadError } from "../../core/error.ts";
import type { ObjectMeta } from "../../objects/object-meta.ts";
import type { Condition, StatusKind } from "../state/object-status.ts";
import { eventsOf } from "./object-event.ts";
import { type Outcome, readyConditions, retryConditions, stalledConditions } from "./outcome.ts";
import type { PushReport } from "./push-updates.ts";

const meta: ObjectMeta = {
  namespace: "flux-system",
  name: "app",
  labels: {},
  annotations: { "event.toolkit.fluxcd.io/team": "shop" },
  generation: 1,
  where: {},
};
const summary = "pushed commit 'abcdef0' to branch 'main'\nUpdate from image update automation";
const push: PushReport = { commit: "abcdef0123", branch: "main", summary };
const ready = readyConditions("repository up-to-date");
const failed = retryConditions("GitOperationFailed", "failed to checkout source: no");
const error = new FairleadError("git-failed", "no");

interface Sample {
  readonly before: readonly Condition[];
  readonly after: readonly Condition[];
  readonly result?: Outcome<StatusKind>["result"];
  readonly push?: PushReport;
  readonly earlierPushes?: readonly PushReport[];
}

function told({
  before,
  after,
  result = "ready",
  push: pushed,
  earlierPushes = [],
}: Sample): readonly string[] {
  const outcome = {
    result,
    status: { conditions: after },
    diagnostics: [],
    ...(result === "ready" ? {} : { error }),
    ...(pushed === undefined ? {} : { push: pushed }),
    earlierPushes,
  };
  return eventsOf({ kind: "ImageUpdateAutomation", meta, before, outcome }).map(
    ({ type, reason, message }) => `${type} ${reason} ${message}`,
  );
}

describe("the events of a reconciliation", () => {
  test.each<[name: string, sample: Sample, expected: readonly string[]]>([
    ["the first that goes well", { before: [], after: ready }, ["Normal Succeeded repository up-to-date"]],
    ["nothing has changed", { before: ready, after: ready }, []],
    [
      "another message",
      { before: readyConditions("found 1"), after: readyConditions("found 2") },
      ["Normal Succeeded found 2"],
    ],
    ["a push", { before: ready, after: ready, push }, [`Normal Succeeded ${summary}`]],
    [
      "pushes of earlier runs",
      { before: failed, after: ready, push, earlierPushes: [{ ...push, summary: "earlier" }] },
      ["Normal Succeeded earlier", `Normal Succeeded ${summary}`],
    ],
    ["a push after a failure", { before: failed, after: ready, push }, [`Normal Succeeded ${summary}`]],
    [
      "a failure",
      { before: ready, after: failed, result: "retry" },
      ["Warning GitOperationFailed failed to checkout source: no"],
    ],
    ["the same failure", { before: failed, after: failed, result: "retry" }, []],
    [
      "the same words for another reason",
      {
        before: failed,
        after: stalledConditions("AccessDenied", "failed to checkout source: no"),
        result: "stalled",
      },
      ["Warning AccessDenied failed to checkout source: no"],
    ],
    ["recovery", { before: failed, after: ready }, ["Normal Succeeded repository up-to-date"]],
    [
      "a push of which the rest failed",
      { before: ready, after: failed, result: "retry", push },
      [`Normal Succeeded ${summary}`, "Warning GitOperationFailed failed to checkout source: no"],
    ],
    ["a suspended object", { before: ready, after: failed, result: "suspended" }, []],
    ["no condition", { before: [], after: [] }, []],
  ])("%s", (_name, sample, expected) => {
    expect(told(sample)).toEqual(expected);
  });

  test("name the object as Flux does", () => {
    const outcome = { result: "ready", status: { conditions: ready }, diagnostics: [] } as const;
    expect(eventsOf({ kind: "ImagePolicy", meta, before: [], outcome })).toMatchObject([
      { apiVersion: "image.toolkit.fluxcd.io/v1", kind: "ImagePolicy", meta },
    ]);
  });
});
