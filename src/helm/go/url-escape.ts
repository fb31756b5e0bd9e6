import { quoteGo } from "./quote.ts";
import { GoError } from "./value.ts";

/** The parts of a URL, which differ in what may stand in them as it is. */
export type UrlPart = "path" | "host" | "zone" | "user" | "fragment";

const unreserved = "A-Za-z0-9\\-_.~";
const hostCharacters = "!\"$&'()*+,:;<=>[\\]";

/** What has to be escaped, by the part (net/url's encoding table). */
const toEscape: Readonly<Record<UrlPart, RegExp>> = {
  path: allBut("$&+,/:;=@"),
  host: allBut(hostCharacters),
  zone: allBut(hostCharacters),
  user: allBut("$&+,;="),
  fragment: allBut("!$&()*+,/:;=?@"),
};

function allBut(characters: string): RegExp {
  return new RegExp(`[^${unreserved}${characters}]`, "gu");
}

/** Percent signs for what may not stand in a part of a URL (net/url's escape). */
export function escapeUrl(text: string, part: UrlPart): string {
  return text.replaceAll(toEscape[part], (byte) => {
    return `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
  });
}

/**
 * The text that a part of a URL stands for (net/url's unescape).
 * @throws GoError for a bad escape, and for what may not stand in a host
 */
export function unescapeUrl(text: string, part: UrlPart): string {
  return text.replaceAll(/%[^]{0,2}|[^%]/gu, (piece) => {
    if (!piece.startsWith("%")) {
      refuseInHost(piece, part);
      return piece;
    }
    const byte = /^%[0-9A-Fa-f]{2}$/u.test(piece) ? Number.parseInt(piece.slice(1), 16) : undefined;
    if (byte === undefined || !mayEscape(byte, part)) {
      throw new GoError(`invalid URL escape ${quoteGo(piece)}`);
    }
    return String.fromCharCode(byte);
  });
}

function refuseInHost(character: string, part: UrlPart): void {
  if (part !== "host" && part !== "zone") return;
  if (character.charCodeAt(0) < 0x80 && escapeUrl(character, part) !== character) {
    throw new GoError(`invalid character ${quoteGo(character)} in host name`);
  }
}

/** In a host only bytes that are not ASCII, and the percent sign before a zone, may be escaped. */
function mayEscape(byte: number, part: UrlPart): boolean {
  const isPercent = byte === 0x25;
  if (part === "host") return byte >= 0x80 || isPercent;
  if (part !== "zone") return true;
  const character = String.fromCharCode(byte);
  return isPercent || character === " " || escapeUrl(character, "host") === character;
}
