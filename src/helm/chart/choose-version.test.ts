import { expect, test } from "vitest";
import { chooseVersion } from "./choose-version.ts";

const versions = ["1.2.0", "1.10.0", "2.0.0-rc.1", "v1.9.0", "1.10.0+build", "not-a-version", "0.9"];

test.each([
  ["the newest release by itself", undefined, "1.10.0"],
  ["an exact text", "v1.9.0", "v1.9.0"],
  ["an exact text with metadata", "1.10.0+build", "1.10.0+build"],
  ["a text that is no version, where it is there", "not-a-version", "not-a-version"],
  ["a version in another spelling", "1.9.0", "v1.9.0"],
  ["a range", "^1.2", "1.10.0"],
  ["two bounds", ">=1.0 <1.10", "v1.9.0"],
  ["alternatives", "0.x || 1.2.x", "1.2.0"],
  ["pre-releases", ">=2.0.0-0", "2.0.0-rc.1"],
  ["none", "^7", undefined],
])("takes %s", (_name, wanted, expected) => {
  expect(chooseVersion(versions, wanted)).toBe(expected);
});

test("takes none of none", () => {
  expect(chooseVersion([])).toBeUndefined();
});

test("refuses a range that is none", () => {
  expect(() => chooseVersion(versions, "newest")).toThrow(
    expect.objectContaining({
      code: "input-invalid",
      message: expect.stringContaining("improper constraint") as string,
    }),
  );
});
