import type { PolicyChoice, TagFilter } from "../objects/image-policy.ts";

/** How later tags of the same kind as a tag are told, and which of them is the latest. */
export interface TagRule {
  /** What tells this kind of tag from others: it goes into names of objects. */
  readonly label: string;
  readonly choice: PolicyChoice;
  readonly filterTags?: TagFilter;
  /** Where a range begins: of several tags of one kind, the least is the one to begin from. */
  readonly from?: string;
  /** Whether only this very tag is chosen, which is pushed again and again, so that its digest alone follows. */
  readonly isFixed: boolean;
}

/** A tag as a value holds it, with what a template puts around the value. */
export interface WrittenTag {
  readonly before: string;
  readonly text: string;
  readonly after: string;
}

/** The group of a pattern that is what a value holds of a tag that its template adds to. */
export const valueGroup = "value";

/** What is followed of a tag: its expression, and the order of what it matches. */
interface Shape {
  readonly pattern: string;
  readonly extract: string;
  readonly label: string;
  readonly choice: PolicyChoice;
  readonly from?: string;
  /** Whether the choice tells this kind of tag by itself. */
  readonly needsFilter: boolean;
}

/**
 * The rule by which the tags that come after a tag are chosen: versions by semver within the same major version, with
 * the suffix they have; times and large numbers by their order; anything else stays what it is.
 */
export function tagRuleOf({ before, text, after }: WrittenTag): TagRule {
  const shape = versionShape(text) ?? dateShape(text) ?? numberShape(text) ?? revisionShape(text);
  if (shape === undefined) return fixedRule(`${before}${text}${after}`);
  const { pattern, extract, needsFilter, label, ...others } = shape;
  const kind = { ...others, label: `${before}${label}${after}`, isFixed: false };
  const isBare = before === "" && after === "";
  if (isBare && !needsFilter) return kind;
  const inner = isBare ? pattern : `${quote(before)}(?P<${valueGroup}>${pattern})${quote(after)}`;
  return { ...kind, filterTags: { pattern: `^${inner}$`, extract } };
}

/** The rule that chooses one tag for ever. */
export function fixedRule(tag: string): TagRule {
  return {
    label: tag,
    choice: { kind: "alphabetical", order: "asc" },
    filterTags: { pattern: `^${quote(tag)}$`, extract: "" },
    isFixed: true,
  };
}

const versionText = /^(?<numbers>v?\d{1,15}\.\d{1,15}(?:\.\d{1,15})?)(?<rest>(?!\d).*)$/u;
const preRelease = /^-(?:alpha|beta|pre|preview|rc)[.-]?\d*$/u;
/** A number that counts what was made of one version, such as Debian's `-1`, Alpine's `-r2` and a fourth part. */
const revisionText =
  /^(?<words>[-_.]|.*[-_.](?:r|p|u|b|ls|rev|build|eksbuild\.|rancher|k3s))(?<revision>0|[1-9]\d{0,14})$/u;

function versionShape(text: string): Shape | undefined {
  const { numbers, rest } = versionText.exec(text)?.groups ?? {};
  if (numbers === undefined || rest === undefined) return undefined;
  const parts = numbers.replace("v", "").split(".").map(Number);
  const hasPatch = parts.length === 3;
  const [major = 0, minor = 0, patch = 0] = parts;
  const core = `${major}.${minor}.${patch}`;
  const version = numbers.replaceAll(/\d+/gu, String.raw`\d+`).replaceAll(".", String.raw`\.`);
  const whole = hasPatch ? "$version" : "${version}.0";
  const label = `${major === 0 ? `0.${minor}` : major}`;
  const shapeOf = (from: string, others: Omit<Shape, "label" | "choice" | "from">, words: string): Shape => {
    const range = rangeFrom(from, { major, minor });
    return { ...others, label: `${label}${words}`, choice: { kind: "semver", range }, from };
  };
  if (rest === "") {
    return shapeOf(core, { pattern: `(?P<version>${version})`, extract: whole, needsFilter: !hasPatch }, "");
  }
  if (hasPatch && preRelease.test(rest)) {
    const pattern = String.raw`(?P<version>${version}(?:-(?:alpha|beta|pre|preview|rc)[.-]?\d*)?)`;
    return shapeOf(`${core}${rest}`, { pattern, extract: whole, needsFilter: true }, "-pre");
  }
  const { words, revision } = revisionText.exec(rest)?.groups ?? {};
  if (words === undefined || revision === undefined) {
    const pattern = `(?P<version>${version})${quote(rest)}`;
    return shapeOf(core, { pattern, extract: whole, needsFilter: true }, rest);
  }
  const pattern = String.raw`(?P<version>${version})${quote(words)}(?P<revision>\d+)`;
  const extract = `${whole}-$revision`;
  return shapeOf(`${core}-${revision}`, { pattern, extract, needsFilter: true }, `${words}n`);
}

/** Years are no major versions that something could break in. */
const firstYear = 1000;

/** Later versions within the same major version; before 1.0.0, within the same minor one. */
function rangeFrom(
  from: string,
  { major, minor }: { readonly major: number; readonly minor: number },
): string {
  if (major >= firstYear) return `>=${from}`;
  if (major === 0 && minor === 0) return `>=${from} <0.1.0-0`;
  return `^${from}`;
}

const dateText =
  /20\d{2}(?<join>[-.]?)(?:0[1-9]|1[0-2])\k<join>(?:0[1-9]|[12]\d|3[01])(?:[T_.-]?\d{2}-?\d{2}(?:-?\d{2})?)?(?!\d)/u;

/** A date, and the time behind it: their order is that of their characters. */
function dateShape(text: string): Shape | undefined {
  const match = dateText.exec(text);
  if (match === null || /\d$/u.test(text.slice(0, match.index))) return undefined;
  const [date] = match;
  const [before, after] = [text.slice(0, match.index), text.slice(match.index + date.length)];
  const digits = quote(date).replaceAll(/\d+/gu, (run) => String.raw`\d{${run.length}}`);
  return {
    pattern: `${quote(before)}(?P<date>${digits})${quote(after)}`,
    extract: "$date",
    label: `${before}date${after}`,
    choice: { kind: "alphabetical", order: "asc" },
    needsFilter: true,
  };
}

/** A number that nobody would give to what goes on for years, such as that of a build. */
function numberShape(text: string): Shape | undefined {
  if (!/^\d{5,18}$/u.test(text)) return undefined;
  return {
    pattern: String.raw`(?P<number>\d+)`,
    extract: "$number",
    label: "number",
    choice: { kind: "numerical", order: "asc" },
    needsFilter: true,
  };
}

/** What is no version, and made again and again, such as `12-debian-12-r51`. */
function revisionShape(text: string): Shape | undefined {
  const { words, revision } = revisionText.exec(text)?.groups ?? {};
  if (words === undefined || revision === undefined) return undefined;
  return {
    pattern: String.raw`${quote(words)}(?P<revision>\d+)`,
    extract: "$revision",
    label: `${words}n`,
    choice: { kind: "numerical", order: "asc" },
    needsFilter: true,
  };
}

/** A text as an expression that matches it alone. */
function quote(text: string): string {
  return text.replaceAll(/[\\.+*?()|[\]{}^$]/gu, String.raw`\$&`);
}
