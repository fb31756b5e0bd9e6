import { quoteGo } from "../go/quote.ts";
import { compareVersions, tryParseVersion, VersionError, type Version } from "./version.ts";

interface Comparator {
  readonly operator: string;
  readonly version: Version;
  /** The first number that is a wildcard or missing: 0, 1 or 2; 3 when all are given. */
  readonly openFrom: number;
}

/** Groups of comparators, one of which a version has to satisfy as a whole. */
export type VersionRange = readonly (readonly Comparator[])[];

const maxLength = 512;
const maxGroups = 32;
const identifiers = String.raw`[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*`;
const part = String.raw`[0-9|xX*]+`;
const operand = String.raw`v?${part}(?:\.${part})?(?:\.${part})?(?:-${identifiers})?(?:\+${identifiers})?`;
const comparator = String.raw`(?:(?:!=|>=|=>|<=|=<|~>|=|>|<|~|\^) ?)?${operand}`;
const space = String.raw`[\t\n\f\r ]`;
const hyphenPattern = new RegExp(
  `${space}*(?<from>${operand})${space}+-${space}+(?<to>${operand})${space}*`,
  "gu",
);
const spacesPattern = new RegExp(`${space}+`, "gu");
const groupPattern = new RegExp(`^${comparator}(?:[ ,]${comparator})*$`, "u");
const comparatorPattern = new RegExp(comparator, "gu");
const comparatorParts = new RegExp(
  String.raw`^(?<operator>[!=<>~^]*) ?(?<operand>v?(?<major>${part})(?:\.(?<minor>${part}))?(?:\.(?<patch>${part}))?(?<preRelease>-${identifiers})?(?:\+.*)?)$`,
  "u",
);

/**
 * Whether a version lies in a range such as `^1.2`, `>=1 <3`, `1.x || 2.0.0`. False where either is malformed.
 */
export function isInVersionRange(range: string, version: string): boolean {
  const parsed = tryParseVersion(version);
  const groups = tryParseVersionRange(range);
  return parsed !== undefined && groups !== undefined && satisfiesRange(parsed, groups);
}

/**
 * Whether a version lies in a range (Masterminds/semver v3.5, with its rule that a pre-release matches only
 * comparators that stand beside one that names a pre-release).
 */
export function satisfiesRange(version: Version, range: VersionRange): boolean {
  return range.some((group) => {
    const preReleases = group.some((comparator) => comparator.version.preRelease !== "");
    if (version.preRelease !== "" && !preReleases) return false;
    return group.every((comparator) => satisfies(version, comparator));
  });
}

function tryParseVersionRange(text: string): VersionRange | undefined {
  try {
    return parseVersionRange(text);
  } catch (error) {
    if (error instanceof VersionError) return undefined;
    throw error;
  }
}

/** Reads a range (Masterminds/semver v3.5, NewConstraint). @throws VersionError in the library's words */
export function parseVersionRange(text: string): VersionRange {
  if (text.length > maxLength) {
    throw new VersionError(`constraint string is too long (max ${maxLength} bytes)`);
  }
  const groups = withoutHyphens(text).split("||");
  if (groups.length > maxGroups) {
    throw new VersionError(`too many constraint groups (max ${maxGroups})`);
  }
  return groups.map(parseGroup);
}

/** `1.2 - 2` becomes two comparators. */
function withoutHyphens(text: string): string {
  let rewritten = text;
  for (const match of text.matchAll(hyphenPattern)) {
    const { from = "", to = "" } = match.groups ?? {};
    rewritten = rewritten.replace(match[0], () => `>= ${from}, <= ${to} `);
  }
  return rewritten;
}

function parseGroup(text: string): Comparator[] {
  // One character between comparators: else the pattern could try every way to share spaces out.
  const group = text.replace(spacesPattern, " ").replace(/ ?, ?/gu, ",").replace(/^ | $/gu, "");
  if (!groupPattern.test(group)) throw new VersionError(`improper constraint: ${quoteGo(text)}`);
  return Array.from(group.matchAll(comparatorPattern), ([text]) => parseComparator(text));
}

function parseComparator(text: string): Comparator {
  const groups = comparatorParts.exec(text)?.groups ?? {};
  const { operator = "", operand = "", major, minor, patch, preRelease = "" } = groups;
  const parts = [major, minor, patch];
  const open = parts.findIndex((part) => part === undefined || /^[xX*]$/u.test(part));
  const openFrom = open === -1 ? 3 : open;
  const closed = parts.map((part, index) => (index < openFrom ? part : "0")).join(".") + preRelease;
  const version = tryParseVersion(openFrom === 3 ? operand : closed);
  if (version === undefined) throw new VersionError("constraint parser error");
  return { operator, version, openFrom };
}

function satisfies(version: Version, comparator: Comparator): boolean {
  const order = compareVersions(version, comparator.version);
  const { openFrom } = comparator;
  switch (comparator.operator) {
    case "":
    case "=":
      return openFrom === 3 ? order === 0 : isWithinTilde(version, comparator, order);
    case "!=":
      return differs(version, comparator, order);
    case ">":
      return isGreater(version, comparator, order);
    case "<":
      return order < 0;
    case ">=":
    case "=>":
      return order >= 0;
    case "<=":
    case "=<":
      return openFrom === 3 ? order <= 0 : isAtMost(version, comparator);
    case "~":
    case "~>":
      return isWithinTilde(version, comparator, order);
    default:
      return isWithinCaret(version, comparator, order);
  }
}

function differs(version: Version, { version: bound, openFrom }: Comparator, order: number): boolean {
  if (openFrom === 3) return order !== 0;
  if (version.numbers[0] !== bound.numbers[0]) return true;
  if (openFrom === 1) return false;
  if (version.numbers[1] !== bound.numbers[1]) return true;
  if (openFrom === 0) return version.numbers[2] !== bound.numbers[2] || order !== 0;
  return version.preRelease !== bound.preRelease;
}

function isGreater(version: Version, { version: bound, openFrom }: Comparator, order: number): boolean {
  if (openFrom === 3 || openFrom === 0) return order > 0;
  if (version.numbers[0] !== bound.numbers[0]) return version.numbers[0] > bound.numbers[0];
  return openFrom === 2 && version.numbers[1] > bound.numbers[1];
}

function isAtMost(version: Version, { version: bound, openFrom }: Comparator): boolean {
  if (version.numbers[0] !== bound.numbers[0]) return version.numbers[0] < bound.numbers[0];
  return openFrom === 1 || version.numbers[1] <= bound.numbers[1];
}

function isWithinTilde(version: Version, { version: bound, openFrom }: Comparator, order: number): boolean {
  if (order < 0) return false;
  if (bound.numbers.every((part) => part === 0n) && openFrom !== 1 && openFrom !== 2) return true;
  if (version.numbers[0] !== bound.numbers[0]) return false;
  return openFrom === 1 || version.numbers[1] === bound.numbers[1];
}

function isWithinCaret(version: Version, { version: bound, openFrom }: Comparator, order: number): boolean {
  if (order < 0) return false;
  if (version.numbers[0] !== bound.numbers[0]) return false;
  if (bound.numbers[0] > 0n || openFrom === 1) return true;
  if (version.numbers[1] !== bound.numbers[1]) return false;
  return bound.numbers[1] > 0n || openFrom === 2 || version.numbers[2] === bound.numbers[2];
}
