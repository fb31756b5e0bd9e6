import { isBlankOrEnd, isBreak, isBreakOrEnd, type Cursor } from "./cursor.ts";
import type { Token } from "./token.ts";

const anchorName = /[A-Za-z0-9_-]+(?=[ \t\r\n\u0085\u2028\u2029\0?:,\]}%@`])/y;
const tagHandle = /![A-Za-z0-9_-]+!|!!|!/y;
const tagUri = /(?:[A-Za-z0-9_\-;/?:@&=+$,.!~*'()[\]]+|%[0-9a-fA-F]{2})*/y;
const directive =
  /%(?:YAML[ \t]+(?<version>\d{1,2}\.\d{1,2})|TAG[ \t]+(?<handle>!(?:[A-Za-z0-9_-]*!)?)[ \t]+(?<prefix>[^ \t\r\n\0]+)(?=[ \t\r\n\0]))/y;
const directiveName = /%[A-Za-z0-9_-]*/y;

function match(cursor: Cursor, pattern: RegExp): RegExpExecArray | null {
  pattern.lastIndex = cursor.position;
  const found = pattern.exec(cursor.text);
  if (found !== null) cursor.position = pattern.lastIndex;
  return found;
}

/** Scans the name after `&` or `*`, the cursor on that. */
export function scanAnchorName(cursor: Cursor): string {
  cursor.position++;
  const name = match(cursor, anchorName)?.[0];
  if (name === undefined) {
    throw cursor.failToScan(
      cursor.position - 1,
      "an anchor or alias needs a name of letters, digits, - and _",
      "did not find expected alphabetic or numeric character",
    );
  }
  return name;
}

/** Scans `!suffix`, `!!suffix`, `!handle!suffix`, `!<uri>` or a lone `!`. */
export function scanTag(cursor: Cursor): Token {
  const start = cursor.position;
  const isVerbatim = cursor.peek(1) === 0x3c;
  if (isVerbatim) cursor.position += 2;
  const handle = isVerbatim ? "" : (match(cursor, tagHandle)?.[0] ?? "");
  const suffix = match(cursor, tagUri)?.[0] ?? "";
  const isClosed = !isVerbatim || cursor.peek() === 0x3e;
  if (isVerbatim) cursor.position++;
  if (!isClosed || !isBlankOrEnd(cursor.peek()) || (suffix === "" && handle !== "!")) {
    throw cursor.failToScan(start, "malformed tag", "did not find expected whitespace or line break");
  }
  // A lone `!` is a tag by itself, without a handle to look up.
  return suffix === ""
    ? { type: "tag", start, end: cursor.position, text: "", suffix: "!", block: undefined }
    : {
        type: "tag",
        start,
        end: cursor.position,
        text: handle,
        suffix: unescapeUri(cursor, start, suffix),
        block: undefined,
      };
}

/** Scans `%YAML 1.1` or `%TAG !handle! prefix`; libyaml knows no other. */
export function scanDirective(cursor: Cursor): Token {
  const start = cursor.position;
  const groups = match(cursor, directive)?.groups;
  if (groups === undefined) {
    throw cursor.failToScan(start, "unknown or malformed directive", describeDirective(cursor));
  }
  cursor.skipBlanks();
  cursor.skipComment();
  if (!isBreakOrEnd(cursor.peek())) {
    throw cursor.failToScan(
      cursor.position,
      "expected a comment or a line end",
      "did not find expected comment or line break",
    );
  }
  if (isBreak(cursor.peek())) cursor.takeBreak();
  const { version, handle = "", prefix = "" } = groups;
  const end = cursor.position;
  if (version !== undefined) {
    return { type: "version-directive", start, end, text: version, suffix: "", block: undefined };
  }
  const suffix = unescapeUri(cursor, start, prefix);
  return { type: "tag-directive", start, end, text: handle, suffix, block: undefined };
}

/** What libyaml finds wrong with a directive; of what follows a name that it knows we do not tell it all. */
function describeDirective(cursor: Cursor): string {
  const name = match(cursor, directiveName)?.[0].slice(1) ?? "";
  if (name === "") return "could not find expected directive name";
  if (!isBlankOrEnd(cursor.peek())) return "found unexpected non-alphabetical character";
  if (name === "YAML") return "did not find expected digit or '.' character";
  return name === "TAG" ? "did not find expected whitespace" : "found unknown directive name";
}

function unescapeUri(cursor: Cursor, start: number, uri: string): string {
  try {
    return decodeURIComponent(uri);
  } catch {
    throw cursor.failToScan(start, "malformed % escape in a tag", "did not find URI escaped octet");
  }
}
