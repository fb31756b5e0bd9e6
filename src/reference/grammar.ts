/**
 * The grammar of image references, as github.com/distribution/reference v0.6.0 (regexp.go) defines it:
 *
 *     reference = [ host [ ":" port ] "/" ] path [ ":" tag ] [ "@" digest ]
 *
 * Each fragment can match a text in one way only, so that a match takes linear time.
 */
const alphanumeric = "[a-z0-9]+";

/** One dot, one or two underscores, or any number of dashes. */
const separator = "(?:[.]|_{1,2}|-+)";

const pathComponent = `${alphanumeric}(?:${separator}${alphanumeric})*`;

const path = `${pathComponent}(?:/${pathComponent})*`;

/** A label of a domain name; unlike in a path, capitals are allowed and underscores are not. */
const domainLabel = "[a-zA-Z0-9]+(?:-+[a-zA-Z0-9]+)*";

const domainName = `${domainLabel}(?:[.]${domainLabel})*`;

/** In brackets; zones and the mixed notation for IPv4 are not part of the grammar. */
const ipv6Address = "\\[[a-fA-F0-9:]+\\]";

const host = `(?:${domainName}|${ipv6Address})`;

const port = "[0-9]+";

const tag = "[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}";

/** The registered algorithms of the OCI image specification 1.1 (descriptor.md) and go-digest's sha384. */
export const digestFragment = "(?:sha256:[a-f0-9]{64}|sha384:[a-f0-9]{96}|sha512:[a-f0-9]{128})";

/** A whole reference as written: groups `host` (with its port), `path`, `tag`, `digest`. */
export const referencePattern: RegExp = new RegExp(
  `^(?:(?<host>${host}(?::${port})?)/)?(?<path>${path})(?::(?<tag>${tag}))?(?:@(?<digest>${digestFragment}))?$`,
  "u",
);

/** A registry host: groups `host` and `port`. */
export const registryHostPattern: RegExp = new RegExp(`^(?<host>${host})(?::(?<port>${port}))?$`, "u");

const pathPattern = new RegExp(`^${path}$`, "u");

const tagPattern = new RegExp(`^${tag}$`, "u");

/** The longest path, normalised and without its host (distribution/reference, RepositoryNameTotalLengthMax). */
export const maxPathLength = 255;

/** Whether a text is a path of a repository: lower-case components joined by `/`, at most 255 characters. */
export function isRepositoryPath(text: string): boolean {
  return text.length <= maxPathLength && pathPattern.test(text);
}

/** Whether a text is a tag: 1 to 128 letters, digits, `_`, `.` and `-`, not starting with `.` or `-`. */
export function isTag(text: string): boolean {
  return tagPattern.test(text);
}
