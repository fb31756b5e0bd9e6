import { compareVersions, formatVersion, type Version } from "../chart/version.ts";
import { define, parameters } from "../go/function.ts";
import { goTypes, type GoType } from "../go/type.ts";
import { GoError, GoInteger, GoStruct, intOf, type GoFunction, type Parameter } from "../go/value.ts";

const versionType: GoType = { name: "semver.Version", kind: "struct", named: true };
const pointerType: GoType = { name: "*semver.Version", kind: "ptr", named: true };

/** A *semver.Version, or the semver.Version that some of its methods give. */
export class GoVersion extends GoStruct {
  readonly version: Version;

  constructor(version: Version, isPointer = true) {
    super(
      isPointer ? pointerType : versionType,
      [],
      Object.entries(
        isPointer ? { ...valueMethods(version), ...pointerMethods(version) } : valueMethods(version),
      ),
    );
    this.version = version;
  }

  override text(): string {
    return formatVersion(this.version);
  }

  override toJson(): string {
    return this.text();
  }
}

const { string } = parameters;
const pointer: Parameter<GoVersion> = { type: pointerType, tracked: false };

type Methods = Readonly<Record<string, GoFunction>>;

function valueMethods(version: Version): Methods {
  const { preRelease, metadata } = version;
  const [major, minor, patch] = version.numbers;
  return {
    Major: define([], () => uint64Of(major)),
    Minor: define([], () => uint64Of(minor)),
    Patch: define([], () => uint64Of(patch)),
    Prerelease: define([], () => preRelease),
    Metadata: define([], () => metadata),
    String: define([], () => formatVersion(version)),
    IncMajor: define([], () => release(version, [next("major", major), 0n, 0n])),
    IncMinor: define([], () => release(version, [major, next("minor", minor), 0n])),
    IncPatch: define([], () =>
      release(version, [major, minor, preRelease === "" ? next("patch", patch) : patch]),
    ),
    SetPrerelease: define([string], ([text]) => {
      checkIdentifiers(text, "invalid prerelease string");
      if (/(?:^|\.)0[0-9]+(?:\.|$)/u.test(text)) throw new GoError("version segment starts with 0");
      return changed(version, { preRelease: text });
    }),
    SetMetadata: define([string], ([text]) => {
      checkIdentifiers(text, "invalid metadata string");
      return changed(version, { metadata: text });
    }),
  };
}

function pointerMethods(version: Version): Methods {
  const compare = (test: (order: number) => boolean): GoFunction =>
    define([pointer], ([other]) => test(compareVersions(version, other.version)));
  return {
    Original: define([], () => version.original),
    Compare: define([pointer], ([other]) => intOf(compareVersions(version, other.version))),
    Equal: compare((order) => order === 0),
    LessThan: compare((order) => order < 0),
    LessThanEqual: compare((order) => order <= 0),
    GreaterThan: compare((order) => order > 0),
    GreaterThanEqual: compare((order) => order >= 0),
  };
}

function uint64Of(value: bigint): GoInteger {
  return new GoInteger(value, goTypes.uint64);
}

function next(name: string, value: bigint): bigint {
  if (value === 2n ** 64n - 1n) throw new GoError(`${name} version increment would overflow uint64`);
  return value + 1n;
}

function release(version: Version, numbers: Version["numbers"]): GoVersion {
  return changed(version, { numbers, preRelease: "", metadata: "" });
}

/** A version that keeps of the original text only whether it began with `v`. */
function changed(version: Version, change: Partial<Version>): GoVersion {
  const successor = { ...version, ...change };
  const prefix = version.original.startsWith("v") ? "v" : "";
  return new GoVersion({ ...successor, original: prefix + formatVersion(successor) }, false);
}

function checkIdentifiers(text: string, complaint: string): void {
  const isValid = text === "" || text.split(".").every((identifier) => /^[0-9A-Za-z-]+$/u.test(identifier));
  if (!isValid) throw new GoError(complaint);
}
