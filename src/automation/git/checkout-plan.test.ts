import { describe, expect, test } from "vitest";
import type { GitRef } from "../objects/git-repository.ts";
import type { AutomationGit } from "../objects/image-update-automation.ts";
import { planCheckout } from "./checkout-plan.ts";

const commit = "0123456789abcdef0123456789abcdef01234567";

function plan(
  repositoryRef: GitRef | undefined,
  { checkoutRef, push }: Pick<AutomationGit, "checkoutRef" | "push"> = {},
): ReturnType<typeof planCheckout> {
  return planCheckout(repositoryRef, {
    commit: { author: { email: "a@example.com" }, messageTemplateValues: {} },
    ...(checkoutRef === undefined ? {} : { checkoutRef }),
    ...(push === undefined ? {} : { push }),
  });
}

const auto = { branch: "auto", options: {} };

describe("what is checked out", () => {
  test.each<[name: string, ref: GitRef, expected: object]>([
    ["a branch", { branch: "main" }, { kind: "ref", ref: "refs/heads/main" }],
    ["no ref: master", {}, { kind: "ref", ref: "refs/heads/master" }],
    ["a range before a branch", { semver: "1.x", branch: "main" }, { kind: "semver", range: "1.x" }],
    ["a tag before a range", { tag: "v1", semver: "1.x" }, { kind: "ref", ref: "refs/tags/v1" }],
    [
      "a name before a tag",
      { name: "refs/pull/7/head", tag: "v1" },
      { kind: "ref", ref: "refs/pull/7/head" },
    ],
    [
      "a commit before all",
      { commit, name: "refs/x", branch: "main" },
      { kind: "commit", commit, branch: "main" },
    ],
    [
      "an empty field is none",
      { tag: "", commit: "", branch: "main" },
      { kind: "ref", ref: "refs/heads/main" },
    ],
  ])("%s", (_name, ref, expected) => {
    expect(plan(ref, { push: auto }).target).toEqual(expected);
  });

  test("the automation's ref takes the place of the repository's as a whole", () => {
    const { target, pushBranch } = plan({ tag: "v1", branch: "main" }, { checkoutRef: { branch: "next" } });
    expect(target).toEqual({ kind: "ref", ref: "refs/heads/next" });
    expect(pushBranch).toBe("next");
  });
});

describe("what is pushed", () => {
  test.each<[name: string, ref: GitRef | undefined, branch: string | undefined, expected: object]>([
    ["the branch of the ref", { branch: "main" }, undefined, { pushBranch: "main", switchesBranch: false }],
    [
      "the branch of the ref, named",
      { branch: "main" },
      "main",
      { pushBranch: "main", switchesBranch: false },
    ],
    ["another branch", { branch: "main" }, "auto", { pushBranch: "auto", switchesBranch: true }],
    ["the default branch, named", undefined, "master", { pushBranch: "master", switchesBranch: false }],
    [
      "the branch beside a tag",
      { tag: "v1", branch: "main" },
      undefined,
      { pushBranch: "main", switchesBranch: true },
    ],
    ["the branch by its whole name", { name: "refs/heads/main" }, "main", { switchesBranch: false }],
  ])("%s", (_name, ref, branch, expected) => {
    const push = branch === undefined ? undefined : { branch, options: {} };
    expect(plan(ref, push === undefined ? {} : { push })).toMatchObject(expected);
  });

  test("options by their names, and alone where they are empty", () => {
    const options = { "merge_request.target": "main", "merge_request.create": "" };
    expect(plan({ branch: "main" }, { push: { options } }).pushOptions).toEqual([
      "merge_request.create",
      "merge_request.target=main",
    ]);
  });
});

test.each<[name: string, ref: GitRef | undefined, push: AutomationGit["push"], message: RegExp]>([
  ["no branch to push", undefined, undefined, /not said which branch to push/u],
  ["a tag alone", { tag: "v1" }, undefined, /not said which branch to push/u],
  ["a branch that is an option", { branch: "--upload-pack=sh" }, undefined, /is no name of a branch/u],
  [
    "a push branch that is an option",
    { branch: "main" },
    { branch: "-f", options: {} },
    /is no name of a branch/u,
  ],
  ["a short name", { name: "main", branch: "main" }, undefined, /is no whole ref/u],
  ["a short commit", { commit: "0123456", branch: "main" }, undefined, /no whole id of a commit/u],
  [
    "a refspec that deletes",
    { branch: "main" },
    { refspec: ":refs/heads/x", options: {} },
    /names no ref to push/u,
  ],
  ["an option of two lines", { branch: "main" }, { options: { a: "b\nc" } }, /has a line end/u],
])("is refused: %s", (_name, ref, push, message) => {
  expect(() => plan(ref, push === undefined ? {} : { push })).toThrow(message);
  expect(() => plan(ref, push === undefined ? {} : { push })).toThrow(
    expect.objectContaining({ code: "config-invalid" }),
  );
});
