/** What a registry asks for in `WWW-Authenticate`. */
export interface Challenge {
  readonly scheme: "basic" | "bearer";
  /** Names in lower case. */
  readonly parameters: Readonly<Record<string, string>>;
}

const maxHeaderLength = 16 * 1024;

/** One piece of the header: `name=value`, `name="value"`, a word such as a scheme, or a comma. */
const piece =
  /\s*(?:(?<name>[!#$%&'*+.^_`|~\w-]+)\s*=\s*(?:"(?<quoted>(?:[^"\\]|\\.)*)"|(?<bare>[^\s,"]+))|(?<word>[!#$%&'*+.^_`|~\w/=-]+)|(?<comma>,))/uy;

/**
 * The challenges of a `WWW-Authenticate` header that are Basic or Bearer (RFC 9110, 11.6.1); of any other, and
 * from where the header cannot be read on, nothing.
 */
export function readChallenges(header: string | undefined): readonly Challenge[] {
  if (header === undefined || header.length > maxHeaderLength) return [];
  const found: { scheme: string; parameters: Record<string, string> }[] = [];
  const pieces = new RegExp(piece);
  for (;;) {
    const groups = pieces.exec(header)?.groups;
    if (groups === undefined) break;
    const { name, quoted, bare, word } = groups;
    if (word !== undefined)
      found.push({ scheme: word.toLowerCase(), parameters: Object.create(null) as Record<string, string> });
    const parameters = found.at(-1)?.parameters;
    if (name === undefined || parameters === undefined) continue;
    parameters[name.toLowerCase()] ??= quoted?.replace(/\\(.)/gsu, "$1") ?? bare ?? "";
  }
  return found.flatMap(({ scheme, parameters }) =>
    scheme === "basic" || scheme === "bearer" ? [{ scheme, parameters }] : [],
  );
}
