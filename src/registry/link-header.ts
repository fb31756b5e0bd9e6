const maxHeaderLength = 16 * 1024;

/** One link: its address, and parameters such as `rel="next"` (RFC 8288, 3). */
const link =
  /\s*<(?<target>[^>]*)>(?<parameters>(?:\s*;\s*[\w*-]+(?:\s*=\s*(?:"(?:[^"\\]|\\.)*"|[^\s",;]+))?)*)\s*(?:,|$)/uy;

const relation = /;\s*rel\s*=\s*(?:"(?<quoted>[^"]*)"|(?<bare>[^\s",;]+))/iu;

/** The address of the first link whose relation is `next`, as it is written; undefined where there is none. */
export function tryFindNextLink(header: string | undefined): string | undefined {
  if (header === undefined || header.length > maxHeaderLength) return undefined;
  const links = new RegExp(link);
  for (;;) {
    const groups = links.exec(header)?.groups;
    if (groups === undefined) return undefined;
    const { quoted, bare = "" } = relation.exec(groups["parameters"] ?? "")?.groups ?? {};
    const relations = (quoted ?? bare).toLowerCase().split(/\s+/u);
    if (relations.includes("next")) return groups["target"];
  }
}
