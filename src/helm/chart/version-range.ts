/** A semantic version as Masterminds/semver v3 reads one: minor and patch may be missing, `v` may lead. */
interface Version {
  readonly numbers: readonly [bigint, bigint, bigint];
  /** Empty for a release. */
  readonly preRelease: string;
}

interface Comparator {
  readonly operator: string;
  readonly version: Version;
  /** The first number that is a wildcard or missing: 0, 1 or 2; 3 when all are given. */
  readonly openFrom: number;
}

const suffix = String.raw`(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?`;
const versionPattern = new RegExp(String.raw`^v?([0-9]+)(?:\.([0-9]+))?(?:\.([0-9]+))?${suffix}$`, "u");
const partPattern = String.raw`[0-9|xX*]+`;
const operandSource = String.raw`v?(${partPattern})(?:\.(${partPattern}))?(?:\.(${partPattern}))?${suffix}`;
const comparatorSource = String.raw`(?:(!=|>=|=>|<=|=<|~>|=|>|<|~|\^) ?)?${operandSource}`;
const hyphenPattern = new RegExp(` ?(${operandSource}) - (${operandSource}) ?`, "gu");
const comparatorPattern = new RegExp(comparatorSource, "gu");
const groupPattern = new RegExp(`^${comparatorSource}(?:[ ,]${comparatorSource})*$`, "u");

/** Whether Helm takes the text for a chart's version (Masterminds/semver v3.5, NewVersion). */
export function isVersion(text: string): boolean {
  return tryParseVersion(text) !== undefined;
}

/**
 * Whether a version lies in a range such as `^1.2`, `>=1 <3`, `1.x || 2.0.0` (Masterminds/semver v3.5, with
 * its rule that a pre-release matches only a range that names one). False where either is malformed.
 */
export function isInVersionRange(range: string, version: string): boolean {
  const parsed = tryParseVersion(version);
  const groups = tryParseRange(range);
  if (parsed === undefined || groups === undefined) return false;
  return groups.some((group) => {
    const preReleases = group.some((comparator) => comparator.version.preRelease !== "");
    if (parsed.preRelease !== "" && !preReleases) return false;
    return group.every((comparator) => satisfies(parsed, comparator));
  });
}

function tryParseVersion(text: string): Version | undefined {
  if (text.length > 256) return undefined;
  const match = versionPattern.exec(text);
  if (match === null) return undefined;
  const [, major = "0", minor = "0", patch = "0", preRelease = ""] = match;
  const numbers = [BigInt(major), BigInt(minor), BigInt(patch)] as const;
  if (numbers.some((part) => part > 0xffff_ffff_ffff_ffffn)) return undefined;
  if (preRelease.split(".").some((part) => /^0[0-9]+$/u.test(part))) return undefined;
  return { numbers, preRelease };
}

function tryParseRange(text: string): Comparator[][] | undefined {
  if (text.length > 512) return undefined;
  // One character between comparators: else the pattern could try every way to share spaces out.
  const range = text
    .replace(/[\t\n\f\r ]+/gu, " ")
    .replace(hyphenPattern, (_whole, ...groups: string[]) => ` >= ${groups[0]}, <= ${groups[6]} `)
    .replace(/ +/gu, " ")
    .replace(/ ?, ?/gu, ",");
  const parts = range.split("||").map((part) => part.trim());
  if (parts.length > 32) return undefined;
  const groups = parts.map(tryParseGroup);
  return groups.every((group) => group !== undefined) ? groups : undefined;
}

function tryParseGroup(text: string): Comparator[] | undefined {
  if (!groupPattern.test(text)) return undefined;
  const comparators = [...text.matchAll(comparatorPattern)].map(tryReadComparator);
  return comparators.every((comparator) => comparator !== undefined) ? comparators : undefined;
}

function tryReadComparator(match: RegExpExecArray): Comparator | undefined {
  const [, operator = "", major, minor, patch, preRelease] = match;
  const parts = [major, minor, patch];
  const open = parts.findIndex((part) => part === undefined || /^[xX*]$/u.test(part));
  const openFrom = open === -1 ? 3 : open;
  const numbers = parts.map((part, index) => (index < openFrom ? part : "0")).join(".");
  const version = tryParseVersion(preRelease === undefined ? numbers : `${numbers}-${preRelease}`);
  return version === undefined ? undefined : { operator, version, openFrom };
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

function compareVersions(left: Version, right: Version): number {
  for (const [index, part] of left.numbers.entries()) {
    const other = right.numbers[index] ?? 0n;
    if (part !== other) return part < other ? -1 : 1;
  }
  return comparePreReleases(left.preRelease, right.preRelease);
}

/** Semantic Versioning 2.0.0, section 11. */
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
  const leftIsNumber = /^[0-9]+$/u.test(left);
  if (leftIsNumber !== /^[0-9]+$/u.test(right)) return leftIsNumber ? -1 : 1;
  if (!leftIsNumber) return left < right ? -1 : 1;
  return BigInt(left) < BigInt(right) ? -1 : 1;
}
