/** Where the name of a group stands in an expression. */
interface GroupName {
  readonly name: string;
  readonly start: number;
}

/**
 * An expression in which no name of a group is given twice, which Go allows and RE2 does not, and what the names
 * that took the place of others stand for.
 */
export interface UniqueNames {
  readonly expression: string;
  /** The given name by the one that took its place. */
  readonly originals: ReadonlyMap<string, string>;
}

/** Gives each later group of a name another name; an expression without duplicates stays as it is. */
export function makeNamesUnique(expression: string): UniqueNames {
  const names = [...groupNamesOf(expression)];
  const taken = new Set(names.map(({ name }) => name));
  const seen = new Set<string>();
  const originals = new Map<string, string>();
  let rewritten = "";
  let position = 0;
  for (const { name, start } of names) {
    if (seen.has(name)) {
      let other = `${name}_`;
      while (taken.has(other)) other += "_";
      taken.add(other);
      originals.set(other, name);
      rewritten += expression.slice(position, start) + other;
      position = start + name.length;
    }
    seen.add(name);
  }
  return { expression: rewritten + expression.slice(position), originals };
}

const namedGroup = /\(\?P?<([A-Za-z0-9_]+)>/uy;

/** The named groups of an expression, in their order; what is escaped, quoted or in brackets is none. */
function* groupNamesOf(expression: string): Generator<GroupName> {
  for (let position = 0; position < expression.length;) {
    const character = expression.charAt(position);
    if (character === "\\") {
      position = endOfEscape(expression, position);
    } else if (character === "[") {
      position = endOfClass(expression, position);
    } else {
      namedGroup.lastIndex = position;
      const [opening = "", name] = namedGroup.exec(expression) ?? [];
      if (name !== undefined) yield { name, start: position + opening.length - name.length - 1 };
      position += Math.max(opening.length, 1);
    }
  }
}

/** After `\Q…\E`, or after one escaped character. */
function endOfEscape(expression: string, position: number): number {
  if (expression[position + 1] !== "Q") return position + 2;
  const end = expression.indexOf("\\E", position + 2);
  return end === -1 ? expression.length : end + 2;
}

/** After a class such as `[^]a[:digit:]\]]`. */
function endOfClass(expression: string, start: number): number {
  let position = start + (expression[start + 1] === "^" ? 2 : 1);
  if (expression[position] === "]") position++;
  while (position < expression.length && expression[position] !== "]") {
    const named = expression.startsWith("[:", position) ? expression.indexOf(":]", position + 2) : -1;
    if (named !== -1) position = named + 2;
    else position += expression[position] === "\\" ? 2 : 1;
  }
  return position + 1;
}
