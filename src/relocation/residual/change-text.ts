import { tryDecodeBase64 } from "../rendering/base64.ts";
import type { ResidualChange, ResidualField } from "./residual-object.ts";

/** A name that stands in a text as a whole. */
export interface FoundName {
  readonly name: string;
  readonly start: number;
}

/** The places, in their order, at which one of these names stands and is no part of a longer reference. */
export function findNames(text: string, names: readonly string[]): FoundName[] {
  const found: FoundName[] = [];
  for (const name of new Set(names)) {
    if (name === "") continue;
    for (let start = text.indexOf(name); start !== -1; start = text.indexOf(name, start + name.length)) {
      if (isBounded(text, start, start + name.length)) found.push({ name, start });
    }
  }
  return found.sort((left, right) => left.start - right.start);
}

function isBounded(text: string, start: number, end: number): boolean {
  const isPart = /[\w.@%/-]/u.test(text[start - 1] ?? " ");
  if (isPart && !text.slice(0, start).endsWith("docker://")) return false;
  return !/^(?:[\w/@]|[.:-]{1,3}\w)/u.test(text.slice(end, end + 4));
}

/**
 * A text with its changes made; a name that is the new one already stays.
 * @returns undefined where the text is none of which the changes were made
 */
export function changeText(text: string, changes: readonly ResidualChange[]): string | undefined {
  const replaced: (FoundName & { readonly to: string })[] = [];
  for (const { from, to, occurrence } of changes) {
    if (occurrence === undefined) {
      if (changes.length > 1 || (text !== from && text !== to)) return undefined;
      return to;
    }
    const found = findNames(text, [from, to]);
    const at = found[occurrence.index];
    if (found.length !== occurrence.of || at === undefined) return undefined;
    if (at.name === from) replaced.push({ ...at, to });
  }
  let changed = text;
  for (const { start, name, to } of replaced.sort((left, right) => right.start - left.start)) {
    changed = changed.slice(0, start) + to + changed.slice(start + name.length);
  }
  return changed;
}

/** {@link changeText} of a field's text as it stands in a manifest, in base64 where the field is. */
export function changeField(
  text: string,
  { encoded, changes }: Pick<ResidualField, "encoded" | "changes">,
): string | undefined {
  if (encoded !== true) return changeText(text, changes);
  const decoded = tryDecodeBase64(text);
  const changed = decoded === undefined ? undefined : changeText(decoded, changes);
  if (changed === undefined) return undefined;
  // What is right already keeps its own spelling.
  return changed === decoded ? text : Buffer.from(changed).toString("base64");
}
