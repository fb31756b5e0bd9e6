import { RE2JS, RE2JSException, RE2JSSyntaxException } from "re2js";
import { isDigit, isLetter } from "./rune.ts";
import { plainText, sliceText, TextBuilder } from "./text.ts";
import { fromBytes, isAscii, runeAt, runes, toBytes, toData } from "./utf8.ts";
import { GoError, type Text } from "./value.ts";

/** Where a match and its groups begin and end: [start, end, start of group 1, …]; -1 where a group took no part. */
export type Match = readonly number[];

/** Compiled expressions grow as they are used: only few are kept, and none that is long. */
const cachedExpressions = 100;
const cachedLength = 1000;
const cache = new Map<string, GoRegexp>();

/**
 * Compiles a regular expression, or finds it compiled already.
 * @throws GoError as regexp.Compile words it
 */
export function compileRegexp(expression: string): GoRegexp {
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

  /** @throws GoError */
  constructor(expression: string) {
    this.#expression = expression;
    this.#compiled = compile(expression);
  }

  /** Whether it matches anywhere in the text (MatchString). */
  matches(text: string): boolean {
    return this.#compiled.test(inputOf(text));
  }

  /** The first match, without its groups (FindStringIndex). */
  find(text: string): Match | undefined {
    return this.findAll(text, 1)[0];
  }

  /** The matches from the left, without overlaps (FindAllStringSubmatchIndex); a negative limit is none. */
  findAll(text: string, limit: number, withGroups = false): Match[] {
    const matcher = this.#compiled.matcher(inputOf(text));
    const groups = withGroups ? matcher.groupCount() : 0;
    const most = limit < 0 ? Infinity : limit;
    const matches: Match[] = [];
    let previousEnd = -1;
    for (let position = 0; matches.length < most && position <= text.length;) {
      if (!matcher.find(position)) break;
      const [start, end] = [matcher.start(0), matcher.end(0)];
      // An empty match right after another match does not count.
      const isCounted = end !== position || start !== previousEnd;
      if (isCounted) {
        const match = [start, end];
        for (let group = 1; group <= groups; group++) match.push(matcher.start(group), matcher.end(group));
        matches.push(match);
      }
      previousEnd = end;
      position = end === position ? position + widthAt(text, position) : end;
    }
    return matches;
  }

  /** What stands between the matches (Split). */
  split(text: Text, limit: number): Text[] {
    const plain = plainText(text);
    if (limit === 0) return [];
    if (this.#expression !== "" && plain === "") return [""];
    const parts: Text[] = [];
    let begin = 0;
    let end = 0;
    for (const [start = 0, stop = 0] of this.findAll(plain, limit)) {
      if (limit > 0 && parts.length >= limit - 1) break;
      end = start;
      if (stop !== 0) parts.push(sliceText(text, begin, end));
      begin = stop;
    }
    if (end !== plain.length) parts.push(sliceText(text, begin));
    return parts;
  }

  /** The text with each match replaced by what the template makes of it (ReplaceAllString). */
  replaceAll(text: Text, template: Text, spend: (bytes: number) => void): Text {
    const pieces = parseReplacement(template, this.#compiled);
    const withGroups = pieces.some((piece) => typeof piece === "number" && piece > 0);
    const matches = this.findAll(plainText(text), -1, withGroups);
    if (matches.length === 0) return text;
    const builder = new TextBuilder();
    let position = 0;
    for (const match of matches) {
      const [start = 0, end = 0] = match;
      builder.append(sliceText(text, position, start));
      for (const piece of pieces) {
        const part = typeof piece === "number" ? groupOf(text, match, piece) : piece;
        spend(plainText(part).length);
        builder.append(part);
      }
      position = end;
    }
    builder.append(sliceText(text, position));
    return builder.toText();
  }

  /** The text with each match replaced by a text as it is (ReplaceAllLiteralString). */
  replaceAllLiteral(text: Text, replacement: Text, spend: (bytes: number) => void): Text {
    const matches = this.findAll(plainText(text), -1);
    if (matches.length === 0) return text;
    spend(plainText(text).length + matches.length * plainText(replacement).length);
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

/** An expression that matches the text as it is (regexp.QuoteMeta). */
export function quoteMeta(text: string): string {
  return text.replaceAll(/[\\.+*?()|[\]{}^$]/gu, "\\$&");
}

function compile(expression: string): RE2JS {
  refuseInvalidUtf8(expression);
  try {
    return RE2JS.compile(fromBytes(expression));
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
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

function groupOf(text: Text, match: Match, group: number): Text {
  const [start = -1, end = -1] = match.slice(2 * group, 2 * group + 2);
  return start === -1 ? "" : sliceText(text, start, end);
}

/** A replacement parted into texts and the numbers of groups (Regexp.Expand): `$1`, `${1}`, `$name`, `$$`. */
function parseReplacement(template: Text, compiled: RE2JS): (Text | number)[] {
  const plain = plainText(template);
  const pieces: (Text | number)[] = [];
  let position = 0;
  for (let dollar = plain.indexOf("$"); dollar !== -1; dollar = plain.indexOf("$", position)) {
    if (dollar > position) pieces.push(sliceText(template, position, dollar));
    const isBraced = plain[dollar + 1] === "{";
    const nameStart = isBraced ? dollar + 2 : dollar + 1;
    const nameEnd = endOfName(plain, nameStart);
    if (plain[dollar + 1] === "$") {
      pieces.push(sliceText(template, dollar, dollar + 1));
      position = dollar + 2;
    } else if (nameEnd === nameStart || (isBraced && plain[nameEnd] !== "}")) {
      pieces.push(sliceText(template, dollar, dollar + 1));
      position = dollar + 1;
    } else {
      const group = groupNumber(plain.slice(nameStart, nameEnd), compiled);
      if (group !== undefined) pieces.push(group);
      position = isBraced ? nameEnd + 1 : nameEnd;
    }
  }
  if (position < plain.length) pieces.push(sliceText(template, position));
  return pieces;
}

function endOfName(template: string, start: number): number {
  let end = start;
  while (end < template.length) {
    const { code, width } = runeAt(template, end);
    if (!isLetter(code) && !isDigit(code) && code !== 0x5f) break;
    end += width;
  }
  return end;
}

/** The group of a number or name; undefined where the expression has none, which stands for nothing. */
function groupNumber(name: string, compiled: RE2JS): number | undefined {
  if (!/^(?:0|[1-9][0-9]{0,8})$/u.test(name)) return compiled.namedGroups()[name];
  const group = Number(name);
  return group <= compiled.groupCount() ? group : undefined;
}
