import { isDigit, isLetter } from "./rune.ts";
import { plainText, sliceText } from "./text.ts";
import { runeAt } from "./utf8.ts";
import type { Text } from "./value.ts";

/** A text, or the numbers of groups of which the first that took part stands there. */
export type ReplacementPiece = Text | readonly number[];

/**
 * A template parted into texts and groups (Regexp.Expand): `$1`, `${1}`, `$name`, `$$`. A name is the longest run of
 * letters, digits and `_`; a group that there is not stands for nothing; a `$` that begins no name stays.
 * @param groupNames the names of the groups by their numbers, empty for those without
 */
export function parseReplacement(template: Text, groupNames: readonly string[]): readonly ReplacementPiece[] {
  const plain = plainText(template);
  const pieces: ReplacementPiece[] = [];
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
      const groups = groupsOf(plain.slice(nameStart, nameEnd), groupNames);
      if (groups.length > 0) pieces.push(groups);
      position = isBraced ? nameEnd + 1 : nameEnd;
    }
  }
  if (position < plain.length) pieces.push(sliceText(template, position));
  return pieces;
}

/** What a piece is for a match. @param match as of regexp.ts */
export function textOfPiece(piece: ReplacementPiece, text: Text, match: readonly number[]): Text {
  if (!isGroups(piece)) return piece;
  const group = piece.find((number) => (match[2 * number] ?? -1) !== -1);
  return group === undefined ? "" : sliceText(text, match[2 * group] ?? 0, match[2 * group + 1]);
}

/** Whether a piece is a group. */
export function isGroups(piece: ReplacementPiece): piece is readonly number[] {
  return Array.isArray(piece);
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

/** The groups of a number or name; none where the expression has none. */
function groupsOf(name: string, groupNames: readonly string[]): readonly number[] {
  if (!/^(?:0|[1-9][0-9]{0,8})$/u.test(name)) {
    return groupNames.flatMap((groupName, group) => (groupName === name ? [group] : []));
  }
  const group = Number(name);
  return group < groupNames.length ? [group] : [];
}
