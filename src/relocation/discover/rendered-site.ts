import type { Origin, Span } from "../../helm/provenance/span.ts";
import type { ImageReference } from "../../reference/reference.ts";
import type { YamlMap } from "../../yaml/value.ts";
import { getAt, type ValuePath } from "../../yaml/value-path.ts";
import type { ImageSite, NameLeaf } from "./image-site.ts";
import { versionLeavesOf } from "./version-leaf.ts";

/** The text of a rendered image and what it comes from. */
export interface TracedImage {
  readonly text: string;
  readonly reference: ImageReference;
  /** In the text's own terms. */
  readonly spans: readonly Span[];
}

/**
 * The leaves of the values that spell the name of a rendered image, by what its text comes from. A text that
 * stands in for an empty value is that value's.
 * @param values the root's values that were rendered
 * @returns undefined where the name begins with something that no value makes
 */
export function siteOfRendering(image: TracedImage, values: YamlMap): ImageSite | undefined {
  const { text, spans, reference } = image;
  const nameEnd = lengthOfName(text);
  const common = commonAlternatives(spans.filter(({ start }) => start < nameEnd));
  const leaves: NameLeaf[] = [];
  let position = 0;
  for (const span of spans) {
    if (span.start >= nameEnd) break;
    const end = Math.min(span.end, nameEnd);
    const leaf = leafOf(span, text, end, values, common);
    if (leaf === undefined) continue;
    const last = leaves.at(-1);
    if (last !== undefined && position === span.start && isSame(last.path, leaf.path)) {
      leaves[leaves.length - 1] = { ...last, text: last.text + leaf.text, suffix: leaf.suffix };
    } else if (leaves.length === 0 && span.start > 0) break;
    else leaves.push({ ...leaf, joint: text.slice(position, span.start) });
    position = end;
  }
  const whole = wholeLeaf(image, nameEnd, mostSpecific(common, values));
  const [first = whole, ...rest] = leaves;
  if (first === undefined) return undefined;
  return {
    path: commonPath(leaves.length === 0 ? [first.path] : leaves.map(({ path }) => path)),
    name: [withoutLastSlash(first), ...rest.map((leaf, index) => fitJoint(leaf, leaves[index]))],
    tail: leaves.length === 0 ? "" : text.slice(position, nameEnd),
    ...(whole === undefined ? {} : { whole }),
    versions: [versionLeavesOf(image, nameEnd, values, (origins) => ownLeaf(origins, common, values))],
    reference,
    text,
    enabled: true,
  };
}

/** The empty values in place of which all of the name stands, rather than a part of it. */
function commonAlternatives([first, ...others]: readonly Span[]): readonly Origin[] {
  return (first?.source.insteadOf ?? []).filter((origin) =>
    others.every(({ source }) => source.insteadOf?.some((other) => isSameValue(other, origin))),
  );
}

/** The empty value that holds the name and what follows it, as far as that stands in its place too. */
function wholeLeaf(
  { text, spans }: TracedImage,
  nameEnd: number,
  path: ValuePath | undefined,
): NameLeaf | undefined {
  if (path === undefined) return undefined;
  const own: Origin = { kind: "value", path };
  const next = spans.find(({ source }) => !source.insteadOf?.some((other) => isSameValue(other, own)));
  const end = Math.max(nameEnd, next?.start ?? text.length);
  return { path, text: text.slice(0, nameEnd), prefix: "", suffix: text.slice(nameEnd, end) };
}

function isSameValue(left: Origin, right: Origin): boolean {
  return left.kind === "value" && right.kind === "value" && isSame(left.path, right.path);
}

function lengthOfName(text: string): number {
  const at = text.indexOf("@");
  const end = at === -1 ? text.length : at;
  const colon = text.indexOf(":", text.lastIndexOf("/", end) + 1);
  return colon === -1 || colon > end ? end : colon;
}

/** @param common what stands for the whole name, and for no part of it */
function leafOf(
  span: Span,
  text: string,
  end: number,
  values: YamlMap,
  common: readonly Origin[],
): NameLeaf | undefined {
  const part = text.slice(span.start, end);
  const { origins, exact, insteadOf = [] } = span.source;
  const [origin, ...others] = origins.filter(({ kind }) => kind === "value");
  if (origin?.kind === "value" && others.length === 0) {
    const whole = getAt(values, origin.path);
    if (typeof whole !== "string") return undefined;
    if (!exact) return { path: origin.path, text: part, prefix: "", suffix: text.slice(end, span.end) };
    const stop = span.offset + end - span.start;
    return { path: origin.path, text: part, prefix: whole.slice(0, span.offset), suffix: whole.slice(stop) };
  }
  // What only joins parts is the template's, whatever would have stood around it.
  if (others.length > 0 || !/[a-z0-9]/iu.test(part)) return undefined;
  const passed = ownLeaf(insteadOf, common, values);
  if (passed === undefined) return undefined;
  return { path: passed, text: part, prefix: "", suffix: text.slice(end, span.end) };
}

/** The value to set in place of which a part of an image stands, other than those that stand for more of it. */
function ownLeaf(
  insteadOf: readonly Origin[],
  common: readonly Origin[],
  values: YamlMap,
): ValuePath | undefined {
  return mostSpecific(
    insteadOf.filter((passed) => !common.some((whole) => isSameValue(passed, whole))),
    values,
  );
}

/** Of the values that could hold a text, the one that is the image's own rather than one that others may take too. */
function mostSpecific(origins: readonly Origin[], values: YamlMap): ValuePath | undefined {
  const paths = origins
    .flatMap((origin) => (origin.kind === "value" ? [origin.path] : []))
    .filter((path) => (getAt(values, path) ?? "") === "");
  return paths.toSorted((left, right) => rankOf(right) - rankOf(left))[0];
}

function rankOf(path: ValuePath): number {
  return path.includes("global") ? 0 : path.length;
}

/** A slash at the end of a registry belongs to it: its template puts none. */
function withoutLastSlash(leaf: NameLeaf): NameLeaf {
  const { joint: _, ...own } = leaf;
  if (!own.text.endsWith("/")) return own;
  return { ...own, text: own.text.slice(0, -1), suffix: `/${own.suffix}` };
}

function fitJoint(leaf: NameLeaf, before: NameLeaf | undefined): NameLeaf {
  if (before?.text.endsWith("/") !== true) return leaf;
  return { ...leaf, joint: `/${leaf.joint ?? ""}` };
}

function commonPath(paths: readonly ValuePath[]): ValuePath {
  const [first = [], ...rest] = paths;
  if (rest.length === 0) return first;
  let length = 0;
  while (length < first.length && rest.every((path) => path[length] === first[length])) length += 1;
  return length === 0 ? first : first.slice(0, length);
}

function isSame(left: ValuePath, right: ValuePath): boolean {
  return left.length === right.length && left.every((step, index) => step === right[index]);
}
