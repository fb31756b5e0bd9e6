import { expect, test } from "vitest";
import { printed } from "../../../test/support/evaluate.ts";
import { semverFunctions } from "./semver-functions.ts";

/** What Go prints of each, or its error. */
const rows: readonly (readonly [expression: string, printed: string])[] = [
  ['semver "v1.2-rc.1+b.5"', "1.2.0-rc.1+b.5"],
  ['(semver "v1.2-rc.1+b.5").Original', "v1.2-rc.1+b.5"],
  ['(semver "v1.2-rc.1+b.5").Prerelease', "rc.1"],
  ['(semver "v1.2-rc.1+b.5").Metadata', "b.5"],
  ['(semver "1.2.3").Minor', "2"],
  ['(semver "v1.2.3-a+b").IncMajor', "2.0.0"],
  ['(semver "1.2.3-a+b").IncMinor', "1.3.0"],
  ['(semver "1.2.3-a+b").IncPatch', "1.2.3"],
  ['(semver "1.2.3").IncPatch', "1.2.4"],
  ['((semver "1.2.3").IncPatch).Original', "can't evaluate field Original in type semver.Version"],
  [
    '(semver "18446744073709551615").IncMajor',
    "error calling IncMajor: major version increment would overflow uint64",
  ],
  ['(semver "1.2.3").SetPrerelease "rc.1"', "1.2.3-rc.1"],
  ['(semver "1.2.3").SetPrerelease "01"', "error calling SetPrerelease: version segment starts with 0"],
  ['(semver "1.2.3").SetPrerelease "a..b"', "error calling SetPrerelease: invalid prerelease string"],
  ['(semver "1.2.3-a").SetMetadata "b"', "1.2.3-a+b"],
  ['(semver "1.2.3").SetMetadata "ü"', "error calling SetMetadata: invalid metadata string"],
  ['(semver "1.2.3").Compare (semver "1.2.3-a")', "1"],
  ['(semver "1.2.3").LessThan (semver "1.10.0")', "true"],
  ['(semver "1.2.3").Equal (semver "v1.2.3+x")', "true"],
  ['(semver "1.2.3-2").GreaterThan (semver "1.2.3-10")', "false"],
  ['(semver "1.2.3-99999999999999999999").LessThan (semver "1.2.3-100000000000000000000")', "false"],
  [
    '(semver "1.2.3").Compare ((semver "1.2.3").IncMajor)',
    "wrong type for value; expected *semver.Version; got semver.Version",
  ],
  ['semver ""', "error calling semver: invalid semantic version"],
  ['semver "1.2.3.4"', "error calling semver: invalid semantic version"],
  ['semver "V1"', "error calling semver: invalid semantic version"],
  ['semver "1.2.3-01"', "error calling semver: version segment starts with 0"],
  ['semver "01.2"', "1.2.0"],
  [
    'semver "99999999999999999999"',
    'error calling semver: error parsing version segment: strconv.ParseUint: parsing "99999999999999999999": value out of range',
  ],
  ['semver "1.2.3-é"', "error calling semver: invalid semantic version"],
  ['semverCompare ">=1.25-0" "1.30.0-gke.100"', "true"],
  ['semverCompare ">=1.25" "1.30.0-gke.100"', "false"],
  ['semverCompare "^1.2.x" "v1.9.0"', "true"],
  ['semverCompare "1.2 - 2" "2.0.1"', "true"],
  ['semverCompare "1.2 - 2" "2.0.0"', "true"],
  ['semverCompare "<1 || >=2,<3" "2.5.0"', "true"],
  ['semverCompare ">1 2 - 3" "2.5.0"', 'error calling semverCompare: improper constraint: ">1>= 2, <= 3 "'],
  ['semverCompare "" "1.2.3"', 'error calling semverCompare: improper constraint: ""'],
  ['semverCompare "1 || " "1.2.3"', 'error calling semverCompare: improper constraint: " "'],
  ['semverCompare ">1<3" "2.0.0"', 'error calling semverCompare: improper constraint: ">1<3"'],
  ['semverCompare "= >1" "2.0.0"', 'error calling semverCompare: improper constraint: "= >1"'],
  ['semverCompare "é" "2.0.0"', 'error calling semverCompare: improper constraint: "é"'],
  ['semverCompare "1|2" "2.0.0"', "error calling semverCompare: constraint parser error"],
  ['semverCompare "99999999999999999999" "2.0.0"', "error calling semverCompare: constraint parser error"],
  ['semverCompare "1" "x"', "error calling semverCompare: invalid semantic version"],
  ['semverCompare "y" "x"', 'error calling semverCompare: improper constraint: "y"'],
  [
    'semverCompare "1||1||1||1||1||1||1||1||1||1||1||1||1||1||1||1||1||1||1||1||1||1||1||1||1||1||1||1||1||1||1||1||1" "1"',
    "error calling semverCompare: too many constraint groups (max 32)",
  ],
];

test.each(rows)("%s", (expression, wanted) => {
  expect(printed(semverFunctions, `{{ ${expression} }}`)).toBe(wanted);
});

test.each([
  ["semver", `semver "1.2.3-${"a".repeat(251)}"`, "version string is too long (max 256 bytes)"],
  ["range", `semverCompare "${"1".repeat(513)}" "1"`, "constraint string is too long (max 512 bytes)"],
])("a %s that is too long is refused", (_, expression, message) => {
  expect(printed(semverFunctions, `{{ ${expression} }}`)).toContain(message);
});

test("a range that almost matches is refused without trying all ways to read it", () => {
  const range = `${"1 , ".repeat(120)}!`;
  expect(printed(semverFunctions, `{{ semverCompare "${range}" "1" }}`)).toContain("improper constraint");
});
