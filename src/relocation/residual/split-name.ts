/**
 * Spreads a name over the texts that spell it, joined by `/`: from the last on, a text that the name ends in
 * stays, and another one gets what is its own by place. The first takes the rest.
 * @param parts such as registry, repository and image; a slash at an end stays
 */
export function spreadName(parts: readonly string[], name: string): string[] {
  let rest = name;
  const spread: string[] = [];
  for (const [index, part] of [...parts.entries()].toReversed()) {
    const slashes = /\/*$/u.exec(part)?.[0] ?? "";
    const own = index === 0 ? rest : lastOf(rest, part.slice(0, part.length - slashes.length), index);
    rest = rest.slice(0, Math.max(0, rest.length - own.length - 1));
    spread.unshift(`${own}${slashes}`);
  }
  return spread;
}

/** The end of a name for one text: its own where the name has it, else as little as leaves each text before it one segment. */
function lastOf(name: string, own: string, textsBefore: number): string {
  if (own !== "" && name.endsWith(`/${own}`)) return own;
  const segments = name.split("/");
  return textsBefore === 1 ? segments.slice(1).join("/") : (segments.at(-1) ?? "");
}
