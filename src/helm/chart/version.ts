import { readUint } from "../go/number.ts";

/** A semantic version as Masterminds/semver v3 reads one: minor and patch may be missing, `v` may lead. */
export interface Version {
  readonly numbers: readonly [bigint, bigint, bigint];
  /** What stands behind the `-`; empty for a release. */
  readonly preRelease: string;
  /** What stands behind the `+`. */
  readonly metadata: string;
  /** The text that was read. */
  readonly original: string;
}

/** A text that is no version, or no range of versions; the message is the one of Masterminds/semver. */
export class VersionError extends Error {
  override readonly name = "VersionError";
}

const maxLength = 256;
const identifiers = String.raw`[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*`;
const versionPattern = new RegExp(
  String.raw`^v?(?<major>[0-9]+)(?:\.(?<minor>[0-9]+))?(?:\.(?<patch>[0-9]+))?` +
    String.raw`(?:-(?<preRelease>${identifiers}))?(?:\+(?<metadata>${identifiers}))?$`,
  "u",
);
const numberWithLeadingZero = /^0[0-9]+$/u;

/** Whether Helm takes the text for a chart's version. */
export function isVersion(text: string): boolean {
  return tryParseVersion(text) !== undefined;
}

/** Like {@link parseVersion}, undefined for what is no version. */
export function tryParseVersion(text: string): Version | undefined {
  try {
    return parseVersion(text);
  } catch (error) {
    if (error instanceof VersionError) return undefined;
    throw error;
  }
}

/** Reads a version (Masterminds/semver v3.5, NewVersion). @throws VersionError in the library's words */
export function parseVersion(text: string): Version {
  if (text.length > maxLength) throw new VersionError(`version string is too long (max ${maxLength} bytes)`);
  const groups = versionPattern.exec(text)?.groups;
  if (groups === undefined) throw new VersionError("invalid semantic version");
  const { major, minor, patch, preRelease = "", metadata = "" } = groups;
  const numbers = [parseNumber(major), parseNumber(minor), parseNumber(patch)] as const;
  if (preRelease.split(".").some((identifier) => numberWithLeadingZero.test(identifier))) {
    throw new VersionError("version segment starts with 0");
  }
  return { numbers, preRelease, metadata, original: text };
}

function parseNumber(digits = "0"): bigint {
  // Every number of so few digits is a uint64.
  if (digits.length < 20) return BigInt(digits);
  const { value, error } = readUint(digits);
  if (error !== undefined) throw new VersionError(`error parsing version segment: ${error}`);
  return value;
}

/** The version with all three numbers and without a leading `v`. */
export function formatVersion({ numbers, preRelease, metadata }: Version): string {
  const release = numbers.join(".");
  const withPreRelease = preRelease === "" ? release : `${release}-${preRelease}`;
  return metadata === "" ? withPreRelease : `${withPreRelease}+${metadata}`;
}

/** Negative, zero or positive, by the precedence of Semantic Versioning 2.0.0; metadata does not count. */
export function compareVersions(left: Version, right: Version): number {
  for (const [index, part] of left.numbers.entries()) {
    const other = right.numbers[index] ?? 0n;
    if (part !== other) return part < other ? -1 : 1;
  }
  return comparePreReleases(left.preRelease, right.preRelease);
}

function comparePreReleases(left: string, right: string): number {
  if (left === right) return 0;
  if (left === "" || right === "") return left === "" ? 1 : -1;
  const rightParts = right.split(".");
  for (const [index, part] of left.split(".").entries()) {
    const other = rightParts[index];
    if (other === undefined) return 1;
    const order = compareIdentifiers(part, other);
    if (order !== 0) return order;
  }
  return -1;
}

function compareIdentifiers(left: string, right: string): number {
  if (left === right) return 0;
  const leftIsNumber = isNumber(left);
  if (leftIsNumber !== isNumber(right)) return leftIsNumber ? -1 : 1;
  if (!leftIsNumber) return left < right ? -1 : 1;
  return BigInt(left) < BigInt(right) ? -1 : 1;
}

/** The library takes numbers that fit no uint64 for words. */
function isNumber(identifier: string): boolean {
  return /^[0-9]+$/u.test(identifier) && readUint(identifier).error === undefined;
}
