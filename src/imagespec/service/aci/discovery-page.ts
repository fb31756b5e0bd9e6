/** A `meta` tag of appc discovery: what the names that it is for begin with, and a template. */
export interface DiscoveryTag {
  readonly prefix: string;
  readonly template: string;
}

/** Their content is text, whatever it looks like. */
const textElements: ReadonlySet<string> = new Set([
  "iframe",
  "noembed",
  "noframes",
  "noscript",
  "script",
  "style",
  "template",
  "textarea",
  "title",
  "xmp",
]);

const entities: Readonly<Record<string, string>> = { amp: "&", apos: "'", gt: ">", lt: "<", quot: '"' };

/** So many tags of one page are looked at. */
const maxTags = 1000;

/**
 * The `ac-discovery` tags in the head of an HTML page, in their order (appc specification, "Discovery URL"). Comments
 * and scripts are no tags, and neither is what a page's visitors may have written into its body.
 */
export function readDiscoveryTags(html: string): readonly DiscoveryTag[] {
  const tags: DiscoveryTag[] = [];
  let position = html.indexOf("<");
  while (position !== -1 && tags.length < maxTags) {
    if (html.startsWith("<!--", position)) {
      const end = html.indexOf("-->", position + 2);
      if (end === -1) break;
      position = html.indexOf("<", end + 3);
      continue;
    }
    tagStartPattern.lastIndex = position;
    if (!tagStartPattern.test(html)) {
      position = html.indexOf("<", position + 1);
      continue;
    }
    tagPattern.lastIndex = position;
    const tag = tagPattern.exec(html);
    // The page ends within it.
    if (tag === null) break;
    const name = (tag.groups?.["name"] ?? "").toLowerCase();
    if (name === "body" || name === "/head") break;
    if (name === "meta") tags.push(...readTag(tag.groups?.["attributes"] ?? ""));
    position = tagPattern.lastIndex;
    if (textElements.has(name)) position = endOfText(html, name, position);
    position = position === -1 ? -1 : html.indexOf("<", position);
  }
  return tags;
}

const tagStartPattern = /<\/?[a-z]/iuy;
const tagPattern = /<(?<name>\/?[a-z][a-z0-9]*)(?<attributes>(?:[^"'>]|"[^"]*"|'[^']*')*)>/iuy;
const attributePattern =
  /(?<name>[^\s"'>/=]+)(?:\s*=\s*(?:"(?<double>[^"]*)"|'(?<single>[^']*)'|(?<bare>[^\s"'=<>`]+)))?/gu;

function endOfText(html: string, name: string, from: number): number {
  const end = new RegExp(`</${name}[\\s/>]`, "giu");
  end.lastIndex = from;
  return end.exec(html)?.index ?? -1;
}

function readTag(attributes: string): readonly DiscoveryTag[] {
  const values = new Map<string, string>();
  for (const { groups = {} } of attributes.matchAll(attributePattern)) {
    const name = (groups["name"] ?? "").toLowerCase();
    // Of an attribute that stands twice the first counts, as in browsers.
    if (!values.has(name)) values.set(name, groups["double"] ?? groups["single"] ?? groups["bare"] ?? "");
  }
  if (values.get("name")?.trim().toLowerCase() !== "ac-discovery") return [];
  const [prefix, template, ...rest] = decodeEntities(values.get("content") ?? "")
    .trim()
    .split(/\s+/u);
  if (prefix === undefined || template === undefined || rest.length > 0) return [];
  return [{ prefix, template }];
}

function decodeEntities(text: string): string {
  return text.replace(
    /&(?:#x(?<hex>[0-9a-f]{1,6})|#(?<decimal>\d{1,7})|(?<name>[a-z]+));/giu,
    (whole: string, ...parts: unknown[]) => {
      const { hex, decimal, name } = parts.at(-1) as Record<string, string | undefined>;
      if (name !== undefined) return Object.hasOwn(entities, name) ? (entities[name] ?? whole) : whole;
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}
