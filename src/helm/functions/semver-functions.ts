import { parseVersionRange, satisfiesRange } from "../chart/version-range.ts";
import { parseVersion, VersionError } from "../chart/version.ts";
import { define, parameters, type FunctionTable } from "../go/function.ts";
import { GoError } from "../go/value.ts";
import { GoVersion } from "./go-version.ts";

const { string } = parameters;

/** Sprig's functions on semantic versions. */
export const semverFunctions: FunctionTable = {
  semver: define([string], ([text]) => new GoVersion(withGoError(() => parseVersion(text)))),
  semverCompare: define([string, string], ([range, version]) =>
    withGoError(() => {
      const parsed = parseVersionRange(range);
      return satisfiesRange(parseVersion(version), parsed);
    }),
  ),
};

function withGoError<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (error instanceof VersionError) throw new GoError(error.message);
    throw error;
  }
}
