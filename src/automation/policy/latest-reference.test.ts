import { describe, expect, test } from "vitest";
import type { LatestReference } from "../objects/image-policy.ts";
import { equalReferences, reflectDigest } from "./latest-reference.ts";

const chosen: LatestReference = { name: "ghcr.io/org/app", tag: "2", attributes: { pr: "1" } };
const known: LatestReference = { ...chosen, digest: "sha256:known" };

describe("equality", () => {
  test.each<[string, LatestReference | undefined, LatestReference | undefined, boolean]>([
    ["the same parts", known, { ...known, attributes: { pr: "1" } }, true],
    ["nothing and nothing", undefined, undefined, true],
    ["nothing and something", undefined, known, false],
    ["another tag", known, { ...known, tag: "3" }, false],
    ["no digest", known, chosen, false],
    ["another attribute", known, { ...known, attributes: { pr: "2" } }, false],
    ["a further attribute", known, { ...known, attributes: { pr: "1", ts: "1" } }, false],
    ["another name of an attribute", known, { ...known, attributes: { ts: "1" } }, false],
    [
      "an attribute of the prototype",
      { ...known, attributes: {} },
      { ...known, attributes: { toString: "" } },
      false,
    ],
  ])("%s", (_name, left, right, expected) => {
    expect(equalReferences(left, right)).toBe(expected);
    expect(equalReferences(right, left)).toBe(expected);
  });
});

describe("the digest", () => {
  test.each<["Never" | "IfNotPresent" | "Always", string, LatestReference | undefined, string | undefined]>([
    ["Never", "is dropped", known, undefined],
    ["IfNotPresent", "is kept", known, "sha256:known"],
    ["IfNotPresent", "is asked for where none is known", chosen, "sha256:asked"],
    ["IfNotPresent", "is asked for where nothing was chosen", undefined, "sha256:asked"],
    ["IfNotPresent", "is asked for with another tag", { ...known, tag: "1" }, "sha256:asked"],
    ["IfNotPresent", "is asked for with another name", { ...known, name: "other" }, "sha256:asked"],
    ["Always", "is asked for", known, "sha256:asked"],
  ])("%s: %s", async (policy, _name, previous, expected) => {
    const reference = await reflectDigest(policy, chosen, previous, async () =>
      Promise.resolve("sha256:asked"),
    );
    expect(reference.digest).toBe(expected);
    expect(reference).toMatchObject(chosen);
  });
});
