import { RE2JS, RE2JSException, RE2JSSyntaxException } from "re2js";
import { CaptureAutomaton, type Program } from "./capture-automaton.ts";
import { bytesOfItem, RenderBudget } from "./context.ts";
import { makeNamesUnique } from "./group-names.ts";
import { isGroups, parseReplacement, textOfPiece } from "./replacement.ts";
import { plainText, sliceText, TextBuilder } from "./text.ts";
import { fromBytes, isAscii, runeAt, runes, toBytes, toData } from "./utf8.ts";
import { GoError, type Text } from "./value.ts";

/** Where a match and its groups begin and end: [start, end, start of group 1, …]; -1 where a group took no part. */
export type Match = readonly number[];

/** Compiled expressions grow as they are used: only few are kept, and none that is long. */
const cachedExpressions = 100;
const cachedLength = 1000;
const cache = new Map<string, GoRegexp>();

/** What pays for compiling expressions and for matching them. */
export type RegexpBudget = Pick<RenderBudget, "spendBytes" | "spendSteps">;

/**
 * Compiles a regular expression, or finds it compiled already, which costs the same.
 * @param budget default: one of its own
 * @throws GoError as regexp.Compile words it; FairleadError `limit-exceeded`
 */
export function compileRegexp(expression: string, budget: RegexpBudget = new RenderBudget()): GoRegexp {
  const size = largestSizeOf(expression);
  if (size > negligibleSize) {
    budget.spendSteps(size * stepsToCompile);
    budget.spendBytes(size * bytesOfInstruction);
  }
  const compiled = compileOrFind(expression);
  budget.spendSteps(compiled.size * stepsToCompile);
  return compiled;
}

/** A program of fewer instructions need not be paid for before it is made. */
const negligibleSize = 20_000;
/** What each instruction of a program takes to make, about: ten microseconds. */
const stepsToCompile = 8;
const bytesOfInstruction = 256;

/** The instructions that an expression takes at most: Go refuses to count beyond 1000, nested or not. */
function largestSizeOf(expression: string): number {
  if (expression.length * 1000 <= negligibleSize || !expression.includes("{")) return expression.length;
  const counts = Array.from(expression.matchAll(/\{(\d{1,4})(?:,(\d{0,4}))?\}/gu), ([, least, most]) =>
    Math.max(Number(least), Number(most ?? 0)),
  );
  return (
    expression.length *
    Math.min(
      1000,
      counts.reduce((product, count) => product * Math.max(1, count), 1),
    )
  );
}

function compileOrFind(expression: string): GoRegexp {
  const known = cache.get(expression);
  if (known !== undefined) return known;
  const compiled = new GoRegexp(expression);
  if (expression.length > cachedLength) return compiled;
  if (cache.size >= cachedExpressions) cache.clear();
  cache.set(expression, compiled);
  return compiled;
}

/** A regular expression as Go's regexp package matches it, on bytes. */
export class GoRegexp {
  readonly #expression: string;
  readonly #compiled: RE2JS;
  /** The instructions of its program. */
  readonly size: number;
  /** The names of its groups by their numbers, empty for those without (SubexpNames). */
  readonly groupNames: readonly string[];

  /** @throws GoError */
  constructor(expression: string) {
    this.#expression = expression;
    const { compiled, originals } = compile(expression);
    this.#compiled = compiled;
    this.size = compiled.programSize();
    const groupNames = Array.from({ length: compiled.groupCount() + 1 }, () => "");
    for (const [name, group] of Object.entries(compiled.namedGroups())) {
      groupNames[group] = originals.get(name) ?? name;
    }
    this.groupNames = groupNames;
  }

  /**
   * Finds the first match with its groups (FindStringSubmatchIndex) in one text after another, faster the more they
   * are. What it finds is paid for like {@link findAll}.
   */
  createFinder(budget: RegexpBudget): (text: string) => Match | undefined {
    const program = this.#compiled.re2().prog as Program;
    const automaton = CaptureAutomaton.canRun(program) ? new CaptureAutomaton(program) : undefined;
    return (text) => {
      this.#spendRun(text, budget);
      const found = automaton?.find(text);
      return found === undefined ? this.findAll(text, 1, budget, true)[0] : (found ?? undefined);
    };
  }

  /** A function that makes a text of a template for each match (ExpandString). */
  createExpander(template: string): (text: string, match: Match) => string {
    const pieces = parseReplacement(template, this.groupNames);
    return (text, match) => pieces.map((piece) => plainText(textOfPiece(piece, text, match))).join("");
  }

  /** Whether it matches anywhere in the text (MatchString). @throws FairleadError `limit-exceeded` */
  matches(text: string, budget: RegexpBudget): boolean {
    this.#spendRun(text, budget);
    return this.#compiled.test(inputOf(text));
  }

  /** The first match, without its groups (FindStringIndex). @throws FairleadError `limit-exceeded` */
  find(text: string, budget: RegexpBudget): Match | undefined {
    return this.findAll(text, 1, budget)[0];
  }

  /**
   * The matches from the left, without overlaps (FindAllStringSubmatchIndex); a negative limit is none.
   * @throws FairleadError `limit-exceeded`
   */
  findAll(text: string, limit: number, budget: RegexpBudget, withGroups = false): Match[] {
    this.#spendRun(text, budget);
    const matcher = this.#compiled.matcher(inputOf(text));
    const groups = withGroups ? matcher.groupCount() : 0;
    const most = limit < 0 ? Infinity : limit;
    const matches: Match[] = [];
    let previousEnd = -1;
    for (let position = 0; matches.length < most && position <= text.length;) {
      const before = performance.now();
      const found = matcher.find(position);
      spendLookAhead(performance.now() - before, budget);
      if (!found) break;
      const [start, end] = [matcher.start(0), matcher.end(0)];
      // An empty match right after another match does not count.
      const isCounted = end !== position || start !== previousEnd;
      if (isCounted) {
        const match = [start, end];
        for (let group = 1; group <= groups; group++) match.push(matcher.start(group), matcher.end(group));
        budget.spendBytes(bytesOfItem);
        matches.push(match);
      }
      previousEnd = end;
      position = end === position ? position + widthAt(text, position) : end;
    }
    return matches;
  }

  #spendRun(text: string, budget: RegexpBudget): void {
    budget.spendSteps(Math.ceil((text.length * this.size) / bytesPerStep));
  }

  /** What stands between the matches (Split). @throws FairleadError `limit-exceeded` */
  split(text: Text, limit: number, budget: RegexpBudget): Text[] {
    const plain = plainText(text);
    if (limit === 0) return [];
    if (this.#expression !== "" && plain === "") return [""];
    const parts: Text[] = [];
    let begin = 0;
    let end = 0;
    for (const [start = 0, stop = 0] of this.findAll(plain, limit, budget)) {
      if (limit > 0 && parts.length >= limit - 1) break;
      end = start;
      if (stop !== 0) parts.push(sliceText(text, begin, end));
      begin = stop;
    }
    if (end !== plain.length) parts.push(sliceText(text, begin));
    return parts;
  }

  /**
   * The text with each match replaced by what the template makes of it (ReplaceAllString).
   * @throws FairleadError `limit-exceeded`
   */
  replaceAll(text: Text, template: Text, budget: RegexpBudget): Text {
    if (!plainText(template).includes("$")) return this.replaceAllLiteral(text, template, budget);
    const pieces = parseReplacement(template, this.groupNames);
    const withGroups = pieces.some((piece) => isGroups(piece) && piece.some((group) => group > 0));
    const matches = this.findAll(plainText(text), -1, budget, withGroups);
    if (matches.length === 0) return text;
    const builder = new TextBuilder();
    let position = 0;
    for (const match of matches) {
      const [start = 0, end = 0] = match;
      builder.append(sliceText(text, position, start));
      for (const piece of pieces) {
        const part = textOfPiece(piece, text, match);
        budget.spendBytes(plainText(part).length);
        builder.append(part);
      }
      position = end;
    }
    builder.append(sliceText(text, position));
    return builder.toText();
  }

  /**
   * The text with each match replaced by a text as it is (ReplaceAllLiteralString).
   * @throws FairleadError `limit-exceeded`
   */
  replaceAllLiteral(text: Text, replacement: Text, budget: RegexpBudget): Text {
    const matches = this.findAll(plainText(text), -1, budget);
    if (matches.length === 0) return text;
    budget.spendBytes(plainText(text).length + matches.length * plainText(replacement).length);
    const builder = new TextBuilder();
    let position = 0;
    for (const [start = 0, end = 0] of matches) {
      builder.append(sliceText(text, position, start));
      builder.append(replacement);
      position = end;
    }
    builder.append(sliceText(text, position));
    return builder.toText();
  }
}

/** What a run over text takes for each byte and instruction, at worst: 60 nanoseconds. */
const bytesPerStep = 8;

/**
 * For each match the engine may look far beyond it, how far nobody tells, so that many short matches can take a
 * time that grows with the square of the text. What takes longer than a match should is paid for by the clock.
 */
function spendLookAhead(elapsedMs: number, budget: RegexpBudget): void {
  if (elapsedMs > 0.1) budget.spendSteps(Math.ceil(elapsedMs * stepsPerMs));
}

const stepsPerMs = 2000;

/** An expression that matches the text as it is (regexp.QuoteMeta). */
export function quoteMeta(text: string): string {
  return text.replaceAll(/[\\.+*?()|[\]{}^$]/gu, "\\$&");
}

/** What re2js refuses and Go takes. */
const duplicateName = "duplicate capture group name";

interface Compiled {
  readonly compiled: RE2JS;
  /** The given name of a group by the one that took its place. */
  readonly originals: ReadonlyMap<string, string>;
}

const noOriginals: ReadonlyMap<string, string> = new Map();

function compile(expression: string): Compiled {
  refuseInvalidUtf8(expression);
  try {
    return { compiled: RE2JS.compile(fromBytes(expression)), originals: noOriginals };
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    if (error instanceof RE2JSSyntaxException && error.error === duplicateName) {
      const { expression: unique, originals } = makeNamesUnique(expression);
      if (originals.size > 0) return { compiled: compile(unique).compiled, originals };
    }
    if (!(error instanceof RE2JSSyntaxException)) throw new GoError(`error parsing regexp: ${error.message}`);
    throw new GoError(`error parsing regexp: ${describe(error, expression)}`);
  }
}

function refuseInvalidUtf8(expression: string): void {
  if (isAscii(expression)) return;
  for (const { code, offset, width } of runes(expression)) {
    if (code === 0xfffd && width === 1) {
      throw new GoError(`error parsing regexp: invalid UTF-8: \`${expression.slice(offset)}\``);
    }
  }
}

/** The kind of the error and the part of the expression that Go names; the two differ in few cases. */
function describe({ error, input }: RE2JSSyntaxException, expression: string): string {
  if (input === "(?<" || input === "(?P<")
    return `invalid or unsupported Perl syntax: \`${input.slice(0, 3)}\``;
  const wholeOrNone = error.startsWith("trailing backslash") ? "" : expression;
  return `${error}: \`${input === null ? wholeOrNone : toBytes(input)}\``;
}

/** Where all is ASCII, bytes and UTF-16 units are the same; otherwise positions are counted in bytes. */
function inputOf(text: string): string | Uint8Array {
  return isAscii(text) ? text : toData(text);
}

function widthAt(text: string, position: number): number {
  return position < text.length ? runeAt(text, position).width : 1;
}
