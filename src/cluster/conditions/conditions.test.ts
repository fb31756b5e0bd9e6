import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readyConditions, retryConditions, stalledConditions } from "../../automation/run/outcome.ts";
import { type Condition, type Finding, mergeConditions, observedGenerationOf } from "./conditions.ts";

const nowMs = Date.parse("2026-08-01T12:00:00.789Z");
const now = "2026-08-01T12:00:00Z";
const earlier = "2026-07-01T00:00:00Z";

function find(type: string, status: Finding["status"], reason = `Reason${type}`): Finding {
  return { type, status, reason, message: `message of ${reason}` };
}

function condition(finding: Finding, lastTransitionTime = now, observedGeneration = 3): Condition {
  return { ...finding, observedGeneration, lastTransitionTime };
}

const merge = (before: readonly Condition[], findings: readonly Finding[]): readonly Condition[] =>
  mergeConditions(before, findings, { generation: 3, nowMs });

describe("what goes together", () => {
  const ready = find("Ready", "True");
  const failed = find("Ready", "False");
  const reconciling = find("Reconciling", "True");
  const stalled = find("Stalled", "True");
  const rows: readonly { name: string; findings: readonly Finding[]; merged: readonly Finding[] }[] = [
    { name: "nothing is known", findings: [], merged: [] },
    { name: "ready", findings: [ready], merged: [ready] },
    { name: "ready is not reconciling", findings: [reconciling, ready], merged: [ready] },
    { name: "tried again", findings: [failed, reconciling], merged: [reconciling, failed] },
    { name: "stalled", findings: [failed, stalled], merged: [stalled, failed] },
    {
      name: "stalled is not reconciling",
      findings: [reconciling, failed, stalled],
      merged: [stalled, failed],
    },
    {
      name: "stalled is not ready",
      findings: [ready, stalled],
      merged: [stalled, { ...find("Ready", "False", "ReasonStalled") }],
    },
    {
      name: "stalled alone says why it is not ready",
      findings: [stalled],
      merged: [stalled, find("Ready", "False", "ReasonStalled")],
    },
    {
      name: "so does reconciling, of which nothing is known yet",
      findings: [reconciling],
      merged: [reconciling, find("Ready", "Unknown", "ReasonReconciling")],
    },
    {
      name: "what is not so is left out",
      findings: [failed, find("Reconciling", "False"), find("Stalled", "Unknown")],
      merged: [failed],
    },
    { name: "the last of a type counts", findings: [failed, ready], merged: [ready] },
    {
      name: "a controller's own come last, by name",
      findings: [find("Zoo", "False"), find("Alpha", "True"), ready],
      merged: [ready, find("Alpha", "True"), find("Zoo", "False")],
    },
    { name: "automation's, ready", findings: readyConditions("fine"), merged: readyConditions("fine") },
    {
      name: "automation's, tried again",
      findings: retryConditions("Failure", "not today"),
      merged: retryConditions("Failure", "not today"),
    },
    {
      name: "automation's, stalled",
      findings: stalledConditions("InvalidPolicy", "not so"),
      merged: stalledConditions("InvalidPolicy", "not so"),
    },
  ];
  test.each(rows)("$name", ({ findings, merged }) => {
    expect(merge([], findings)).toEqual(merged.map((finding) => condition(finding)));
  });
});

describe("times", () => {
  const before = [condition(find("Ready", "True", "Before"), earlier, 2)];
  const rows: readonly { name: string; findings: readonly Finding[]; time: string }[] = [
    { name: "the same again", findings: [find("Ready", "True", "Before")], time: earlier },
    { name: "another reason and message", findings: [find("Ready", "True", "After")], time: earlier },
    { name: "another status", findings: [find("Ready", "False", "Before")], time: now },
  ];
  test.each(rows)("$name", ({ findings, time }) => {
    expect(merge(before, findings)).toEqual(findings.map((finding) => condition(finding, time)));
  });

  test("what comes back after it was gone has begun anew", () => {
    const failing = merge(before, retryConditions("Failure", "not today"));
    expect(failing.map(({ type }) => type)).toEqual(["Reconciling", "Ready"]);
    const done = merge(failing, readyConditions("fine"));
    expect(done.map(({ type }) => type)).toEqual(["Ready"]);
  });
});

test("what others look after stays as it is", () => {
  const foreign = condition(find("Ours/Not", "Unknown"), earlier, 1);
  const older = condition(find("Stalled", "True"), earlier, 2);
  const ready = find("Ready", "True");
  expect(merge([older, foreign], [ready])).toEqual([condition(ready), foreign]);
});

test("a message that is too long is cut, and no character in half", () => {
  const [ready] = merge([], readyConditions(`${"x".repeat(32_764)}😀${"y".repeat(100)}`));
  expect(ready?.message).toHaveLength(32_768);
  expect(ready?.message.isWellFormed()).toBe(true);
  expect(ready?.message.endsWith("...")).toBe(true);
});

test.each<[string, readonly Finding[], number | undefined, number]>([
  ["ready", [find("Ready", "True")], 2, 3],
  ["stalled", [find("Stalled", "True"), find("Ready", "False")], 2, 3],
  ["tried again", [find("Reconciling", "True"), find("Ready", "False")], 2, 2],
  ["tried again from the start", [find("Reconciling", "True"), find("Ready", "False")], undefined, -1],
])("the observed generation of an object that is %s", (_name, findings, before, expected) => {
  expect(observedGenerationOf(findings, 3, before)).toBe(expected);
});

/** What kstatus makes of an object. */
function statusOf(
  conditions: readonly Condition[],
  generation: number,
  observedGeneration: number,
): "Current" | "InProgress" | "Failed" {
  const isTrue = (type: string): boolean =>
    conditions.some((condition) => condition.type === type && condition.status === "True");
  if (observedGeneration !== generation || isTrue("Reconciling")) return "InProgress";
  if (isTrue("Stalled")) return "Failed";
  const ready = conditions.find(({ type }) => type === "Ready");
  return ready === undefined || ready.status === "True" ? "Current" : "InProgress";
}

test("kstatus reads them as they are meant, whatever is found", () => {
  const finding = fc.record({
    type: fc.constantFrom("Ready", "Reconciling", "Stalled", "Other"),
    status: fc.constantFrom("True" as const, "False" as const, "Unknown" as const),
    reason: fc.constantFrom("One", "Two"),
    message: fc.constantFrom("one", "two"),
  });
  const findings = fc.uniqueArray(finding, { selector: ({ type }) => type });
  fc.assert(
    fc.property(findings, findings, (first, second) => {
      const before = mergeConditions([], first, { generation: 2, nowMs: 0 });
      const observedBefore = observedGenerationOf(before, 2, undefined);
      const after = merge(before, second);
      const observed = observedGenerationOf(after, 3, observedBefore);
      const says = (type: string, status: string): boolean =>
        second.some((finding) => finding.type === type && finding.status === status);
      const expected = says("Stalled", "True") ? "Failed" : says("Ready", "True") ? "Current" : "InProgress";
      expect(statusOf(after, 3, observed)).toBe(expected);
      // Told again, it is the same.
      expect(mergeConditions(after, second, { generation: 3, nowMs: nowMs + 60_000 })).toEqual(after);
    }),
    { seed: 20261122, numRuns: 1000 },
  );
});
