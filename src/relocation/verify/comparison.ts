import type { Redactor } from "../../core/redaction.ts";
import { formatReference, type ImageReference } from "../../reference/reference.ts";
import { isYamlMap, type YamlMap } from "../../yaml/value.ts";
import { getAt, type ValuePath } from "../../yaml/value-path.ts";
import type { ScopeAnswer, Relocator } from "../relocator.ts";
import { alignManifests, differencesOf, type Difference } from "./difference.ts";
import { isChecksum, isEcho, isExplainedBy, type Replacement } from "./explain-change.ts";
import type { Manifest } from "../rendering/manifest.ts";
import { findUnparsableImages, type UnparsableContainerImage } from "../rendering/unparsable-image.ts";
import { tryDecodeBase64 } from "../rendering/base64.ts";
import { findEmbeddedImages } from "../rendering/embedded-image.ts";
import { isVolatileChange } from "./volatile-change.ts";
import { findRenderedImages, readSplitImage, type RenderedImage } from "../rendering/rendered-image.ts";

/** What became of one rendered image. */
export interface ImageOutcome {
  readonly manifest: Manifest;
  /** The same object with the override; absent where it is gone. */
  readonly overridden?: Manifest;
  readonly image: RenderedImage;
  readonly scope: ScopeAnswer;
  /** Where an image in scope belongs. */
  readonly planned?: ImageReference;
  readonly status: "moved" | "not-moved" | "misplaced" | "stays";
  /** What a misplaced image became. */
  readonly actual?: string;
}

/** Something that the override changed and should not have. */
export interface UnexpectedChange {
  readonly manifest: Manifest;
  readonly path: ValuePath;
  readonly message: string;
}

/** A container's image that is no reference. */
export interface UnparsableOutcome extends UnparsableContainerImage {
  readonly manifest: Manifest;
  /** The text as it may be told: a chart can print any value there. */
  readonly told: string;
  /** Whether the override changes it, as it does with a name whose tag cannot be read. */
  readonly isChanged: boolean;
}

export interface Comparison {
  readonly outcomes: readonly ImageOutcome[];
  readonly unparsable: readonly UnparsableOutcome[];
  readonly unexpected: readonly UnexpectedChange[];
}

export interface ComparisonInput {
  readonly original: readonly Manifest[];
  readonly overridden: readonly Manifest[];
  readonly relocator: Relocator;
  readonly isKnownHost: (host: string) => boolean;
  /** Where the plan puts images whose values spell them otherwise than the rendering does. */
  readonly plannedFor: (reference: ImageReference) => readonly ImageReference[];
  /** The leaves that the override sets: their texts may show elsewhere too. */
  readonly replacements: readonly Replacement[];
  /** The planned override: charts may print the values that they are given. */
  readonly planned: YamlMap;
  readonly excludeTests: boolean;
  /** Takes out of a changed text what must not be told. */
  readonly redact: Redactor;
  readonly volatile: VolatilePlaces;
}

/** What differs between two renderings of the unchanged chart, by the object of the first. */
export type VolatilePlaces = ReadonlyMap<Manifest, readonly Difference[]>;

/** Compares every image and everything else of two renderings (document 002, §7). */
export function compareRenderings(input: ComparisonInput): Comparison {
  const { pairs, removed, added } = alignManifests(input.original, input.overridden);
  const found = input.original.map((manifest) => findRenderedImages(manifest, input.isKnownHost));
  const images = new Map(input.original.map((manifest, index) => [manifest, found[index] ?? []]));
  const replacements = [...input.replacements, ...replacementsOf(found.flat(), input)];
  const outcomes: ImageOutcome[] = [];
  const unparsable: UnparsableOutcome[] = [];
  const unexpected: UnexpectedChange[] = [];
  for (const [before, after] of pairs) {
    if (!(input.excludeTests && before.isTest))
      unparsable.push(...unparsableOutcomes(before, after, input.redact));
    const namesIn = memoiseNames(input.isKnownHost);
    const own = (images.get(before) ?? []).map((image) => outcomeOf(image, before, after, input, namesIn));
    outcomes.push(...own);
    if (before.text === after.text) continue;
    for (const difference of differencesOf(before.content, after.content)) {
      if (
        !isExpected(difference, before, own, replacements, input) &&
        !isVolatile(difference, before, replacements, input.volatile)
      ) {
        const message =
          before.kind === "Secret" ? secretChange : describeDifference(difference, input.redact);
        unexpected.push({ manifest: before, path: difference.path, message });
      }
    }
  }
  for (const manifest of removed) {
    outcomes.push(...(images.get(manifest) ?? []).map((image) => lostOutcome(image, manifest, input)));
    if (volatileAt(input.volatile, manifest, []) === undefined)
      unexpected.push({ manifest, path: [], message: "the object is gone" });
  }
  for (const manifest of added) unexpected.push({ manifest, path: [], message: "the object is new" });
  return { outcomes, unparsable, unexpected };
}

function unparsableOutcomes(before: Manifest, after: Manifest, redact: Redactor): UnparsableOutcome[] {
  return findUnparsableImages(before).map(({ path, text }) => ({
    manifest: before,
    path,
    text,
    told: redact(text),
    isChanged: getAt(after.content, path) !== text,
  }));
}

function volatileAt(places: VolatilePlaces, manifest: Manifest, path: ValuePath): Difference | undefined {
  const key = JSON.stringify(path);
  return places.get(manifest)?.find((place) => JSON.stringify(place.path) === key);
}

function isVolatile(
  { path, before, after }: Difference,
  manifest: Manifest,
  replacements: readonly Replacement[],
  places: VolatilePlaces,
): boolean {
  const again = volatileAt(places, manifest, path);
  if (again === undefined) return false;
  const place = placeOf(path, manifest);
  return isVolatileChange(before, after, again.after, (from, to, previous) =>
    isExplainedBy(from, to, replacements, `${place} ${previous}`),
  );
}

function outcomeOf(
  image: RenderedImage,
  before: Manifest,
  after: Manifest,
  input: ComparisonInput,
  namesIn: NamesIn,
): ImageOutcome {
  const scope = scopeOf(image, before, input);
  if (scope !== "in-scope") return { manifest: before, image, scope, status: "stays" };
  const candidates = plannedReferences(image, input);
  const planned = candidates[0] ?? image.reference;
  const base = { manifest: before, overridden: after, image, scope, planned };
  const text = readImage(image, before, after, candidates, namesIn);
  if (text === image.text) return { ...base, status: "not-moved" };
  const reached = candidates.find((candidate) => text === formatReference(candidate));
  if (reached !== undefined) return { ...base, planned: reached, status: "moved" };
  return { ...base, status: "misplaced", ...(text === undefined ? {} : { actual: text }) };
}

function lostOutcome(image: RenderedImage, manifest: Manifest, input: ComparisonInput): ImageOutcome {
  const scope = scopeOf(image, manifest, input);
  if (scope !== "in-scope") return { manifest, image, scope, status: "stays" };
  return {
    manifest,
    image,
    scope,
    planned: input.relocator.relocate(image.reference).reference,
    status: "misplaced",
  };
}

function scopeOf(image: RenderedImage, manifest: Manifest, input: ComparisonInput): ScopeAnswer {
  if (input.excludeTests && manifest.isTest) return "excluded";
  return input.relocator.scopeOf(image.reference);
}

function plannedReferences(image: RenderedImage, input: ComparisonInput): ImageReference[] {
  const { tag, digest } = image.reference;
  const own = { ...(tag === undefined ? {} : { tag }), ...(digest === undefined ? {} : { digest }) };
  const targets = [input.relocator.relocate(image.reference).reference, ...input.plannedFor(image.reference)];
  return targets.map(({ registry, path, writtenPath }) =>
    Object.assign({ registry, path, writtenPath }, own),
  );
}

/** What stands in the other rendering where the image stood in the first. */
function readImage(
  image: RenderedImage,
  before: Manifest,
  after: Manifest,
  candidates: readonly ImageReference[],
  namesIn: NamesIn,
): string | undefined {
  if (image.keys !== undefined) return readSplitImage(after.content, image.path, image.keys);
  const old = textAt(before, image);
  const text = textAt(after, image);
  if (old === undefined || text === undefined || image.span === undefined) return undefined;
  if (image.span.start === 0 && image.span.end === old.length) return text;
  const names = namesIn(text);
  return [image.text, ...candidates.map(formatReference)].find((name) => names.has(name));
}

/** The references in a text. */
type NamesIn = (text: string) => ReadonlySet<string>;

/** Reads each text once, however many images it had. */
function memoiseNames(isKnownHost: (host: string) => boolean): NamesIn {
  const known = new Map<string, ReadonlySet<string>>();
  return (text) => {
    const names =
      known.get(text) ?? new Set(findEmbeddedImages(text, isKnownHost).map((image) => image.text));
    known.set(text, names);
    return names;
  };
}

function textAt({ content }: Manifest, { path, encoded }: RenderedImage): string | undefined {
  const text = getAt(content, path);
  if (typeof text !== "string") return undefined;
  return encoded === true ? tryDecodeBase64(text) : text;
}

function isExpected(
  { path, before, after }: Difference,
  manifest: Manifest,
  outcomes: readonly ImageOutcome[],
  replacements: readonly Replacement[],
  { excludeTests, planned }: ComparisonInput,
): boolean {
  const own = outcomes.find(
    ({ image }) => isWithin(path, image) && (image.keys !== undefined || image.text === before),
  );
  if (own !== undefined && own.status !== "stays") return true;
  if (own !== undefined && !(excludeTests && manifest.isTest)) return false;
  if (typeof before !== "string" || typeof after !== "string" || isIdentifier(path)) return false;
  if (isExplainedBy(before, after, replacements, placeOf(path, manifest))) return true;
  if (isEcho(before, after, planned, replacements)) return true;
  return isChecksum(path, before, after);
}

/** The names of a field: its own keys, and the name of the variable whose value it is. */
function placeOf(path: ValuePath, manifest: Manifest): string {
  const keys = path.filter((step) => typeof step === "string").slice(-2);
  const parent = path.at(-1) === "value" ? getAt(manifest.content, path.slice(0, -1)) : undefined;
  const name = isYamlMap(parent) && typeof parent["name"] === "string" ? parent["name"] : "";
  return [...keys, name].join(" ");
}

/** Whether a place names or selects objects: no part of a reference may come to stand there. */
function isIdentifier(path: ValuePath): boolean {
  if (path.at(-2) === "metadata" && (path.at(-1) === "name" || path.at(-1) === "namespace")) return true;
  return path.some((step) => /^(?:labels|matchLabels|selector|nodeSelector)$/u.test(String(step)));
}

/** Whether a changed leaf is the image's own, or one of the keys that spell it. */
function isWithin(path: ValuePath, image: RenderedImage): boolean {
  const own = image.keys === undefined ? path : path.slice(0, -1);
  if (own.length !== image.path.length || !own.every((key, index) => key === image.path[index])) return false;
  return image.keys === undefined || [...image.keys.path, image.keys.version].includes(String(path.at(-1)));
}

function replacementsOf(images: readonly RenderedImage[], input: ComparisonInput): Replacement[] {
  return images
    .filter(({ reference }) => input.relocator.scopeOf(reference) === "in-scope")
    .flatMap((image) => {
      const { registry, path, writtenPath, writtenRegistry } = image.reference;
      const forms = [
        `${registry}/${path}`,
        writtenRegistry === undefined ? writtenPath : `${writtenRegistry}/${writtenPath}`,
      ];
      return plannedReferences(image, input).flatMap((target) =>
        forms.map((from) => ({ from, to: `${target.registry}/${target.path}` })),
      );
    });
}

const secretChange = "the override changes a secret's content";

function describeDifference({ before, after }: Difference, redact: Redactor): string {
  const show = (value: unknown): string => excerptOf(redact(JSON.stringify(value) ?? "nothing"));
  if (before === undefined) return `the override adds ${show(after)}`;
  if (after === undefined) return `the override removes ${show(before)}`;
  return `the override changes ${show(before)} to ${show(after)}`;
}

function excerptOf(text: string): string {
  return text.length > 160 ? `${text.slice(0, 157)}...` : text;
}
