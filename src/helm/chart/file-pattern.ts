/** A parsed file name pattern; an element matches one character, `star` any run of them. */
export type FilePattern = readonly PatternElement[];

type PatternElement =
  | { readonly kind: "star" }
  | { readonly kind: "any" }
  | { readonly kind: "literal"; readonly character: string }
  | {
      readonly kind: "class";
      readonly negated: boolean;
      readonly ranges: readonly (readonly [string, string])[];
    };

/**
 * Parses a pattern of Go's `path/filepath.Match` (its documentation is the grammar): `*`, `?`, `[a-z]`,
 * `[^a-z]`, and `\` before a character taken literally. Undefined when it is malformed.
 */
export function tryParseFilePattern(text: string): FilePattern | undefined {
  const characters = Array.from(text);
  const elements: PatternElement[] = [];
  let index = 0;
  while (index < characters.length) {
    const character = characters[index++] as string;
    if (character === "*") elements.push({ kind: "star" });
    else if (character === "?") elements.push({ kind: "any" });
    else if (character === "[") {
      const parsed = tryParseClass(characters, index);
      if (parsed === undefined) return undefined;
      elements.push(parsed.element);
      index = parsed.end;
    } else if (character === "\\") {
      const escaped = characters[index++];
      if (escaped === undefined) return undefined;
      elements.push({ kind: "literal", character: escaped });
    } else elements.push({ kind: "literal", character });
  }
  return elements;
}

function tryParseClass(
  characters: readonly string[],
  start: number,
): { element: PatternElement; end: number } | undefined {
  const ranges: [string, string][] = [];
  let index = start;
  const negated = characters[index] === "^";
  if (negated) index += 1;
  const readBound = (): string | undefined => {
    let bound = characters[index++];
    if (bound === "-" || bound === "]") return undefined;
    if (bound === "\\") bound = characters[index++];
    return bound;
  };
  while (ranges.length === 0 || characters[index] !== "]") {
    const low = readBound();
    if (low === undefined) return undefined;
    let high: string | undefined = low;
    if (characters[index] === "-") {
      index += 1;
      high = readBound();
    }
    if (high === undefined || index >= characters.length) return undefined;
    ranges.push([low, high]);
  }
  return { element: { kind: "class", negated, ranges }, end: index + 1 };
}

/**
 * Whether the whole name matches. `*` and `?` do not match a slash. Takes time proportional to the product
 * of both lengths at worst: like Go, it goes back to the last star only.
 */
export function matchesFilePattern(pattern: FilePattern, name: string): boolean {
  const characters = Array.from(name);
  let element = 0;
  let position = 0;
  let star: { element: number; position: number } | undefined;
  while (position < characters.length || element < pattern.length) {
    const current = pattern[element];
    const character = characters[position];
    if (current?.kind === "star") {
      element += 1;
      star = { element, position };
    } else if (current !== undefined && character !== undefined && matchesOne(current, character)) {
      element += 1;
      position += 1;
    } else {
      const skipped = star === undefined ? undefined : characters[star.position];
      if (star === undefined || skipped === undefined || skipped === "/") return false;
      star = { element: star.element, position: star.position + 1 };
      element = star.element;
      position = star.position;
    }
  }
  return true;
}

function matchesOne(element: PatternElement, character: string): boolean {
  if (element.kind === "literal") return element.character === character;
  if (element.kind !== "class") return element.kind === "any" && character !== "/";
  const codePoint = character.codePointAt(0) ?? 0;
  return element.negated !== element.ranges.some(([low, high]) => isBetween(codePoint, low, high));
}

function isBetween(codePoint: number, low: string, high: string): boolean {
  return (low.codePointAt(0) ?? 0) <= codePoint && codePoint <= (high.codePointAt(0) ?? 0);
}
